#!/bin/sh
# sweep-go ID
# The word to begin, for this sweep and no other.

. ../../../src/kit/task-folders.sh
for d in $(task_folders 2>/dev/null); do
  s=$d/iperf-sweep
  if [ -O "$d" ] && grep -qs "^id=$2\$" "$s.task" && grep -q '^state=armed' "$s.task"; then : >"$s.go"; exit; fi
done
echo 'no such sweep is armed here' >&2
exit 1
