#!/bin/sh
# Where tasks leave their state: /var/tmp/faultline-tasks, and where somebody else made that first, a folder beside it whose name nobody
# can know before it is made. They are found again by their owner. Only names without a line's end or a blank are looked at.
# `task_folders`: those that we and root alone can put anything into, a line each. `not_ours`: the first three of others, and whose they are.
# `own_tasks`: sets `d` to one that is ours; it is made if need be.

among=/var/tmp me=$(id -u)
tasks=$among/faultline-tasks
look_for() { find "$among/" -maxdepth 1 ! -name '*[!A-Za-z0-9.-]*' \( -name faultline-tasks -o -name 'faultline-tasks.*' \) "$@"; }
task_folders() { look_for -type d \( -user 0 -o -user "$me" \) ! -perm -020 ! -perm -002; }
not_ours() {
  look_for \( ! -type d -o ! \( -user 0 -o -user "$me" \) -o -perm -020 -o -perm -002 \) -exec stat -c '%n is not ours: %F of %U (%u), %A' {} + 2>/dev/null | head -n 3
}
own_tasks() {
  umask 022
  # Where others may rename what is ours, a name proves nothing.
  stat -L -c %A "$among" | grep -qE '^d....-..-.|[tT]$' || { echo "$among is not ours: others may rename what lies there, or it is not there" >&2; exit 3; }
  d=$(task_folders | sort | while read -r d; do if [ -O "$d" ]; then echo "$d"; break; fi; done)
  [ -z "$d" ] || return 0
  if mkdir "$tasks" 2>/dev/null; then d=$tasks; return 0; fi
  d=$(mktemp -d "$tasks.XXXXXX" 2>&1) || { echo "no folder for tasks: $d" >&2; exit 3; }
  chmod 755 "$d"
}
