#!/bin/sh
# lustre-cancel KIND TARGET
# Asks the worker to end; what no worker does any more is ended in its state file.

. ../../../src/kit/task-folders.sh
f=
for d in $(task_folders); do
  if [ -O "$d" ] && [ -e "$d/lustre-$2-$3.task" ]; then f="$d/lustre-$2-$3" w="$d/lustre-$2-$3.work"; fi
done
[ -n "$f" ] || { echo 'no such task' >&2; exit 1; }
. ./task-runs.sh
grep -q '^ended=' "$f.task" && exit 0
if runs; then : >"$f.cancel" && kill -TERM "-$pid"; exit; fi
sed 's/^state=.*/state=cancelled/' "$f.task" >"$w/task.end" && printf 'ended=%s\n' "$(date +%s)" >>"$w/task.end" && mv "$w/task.end" "$f.task"
