#!/bin/sh
# lustre-cancel KIND TARGET
# Asks the worker to end; what no worker does any more is ended in its state file.

. ../../../src/kit/ours.sh
d=/var/tmp/faultline-tasks; [ -e "$d" ] || { echo 'no such task' >&2; exit 1; }; ours "$d" || exit 3
f="$d/lustre-$2-$3"; w="$f.work"; [ -e "$f.task" ] || { echo 'no such task' >&2; exit 1; }
. ./task-runs.sh
grep -q '^ended=' "$f.task" && exit 0
if runs; then : >"$f.cancel" && kill -TERM "-$pid"; exit; fi
sed 's/^state=.*/state=cancelled/' "$f.task" >"$w/task.end" && printf 'ended=%s\n' "$(date +%s)" >>"$w/task.end" && mv "$w/task.end" "$f.task"
