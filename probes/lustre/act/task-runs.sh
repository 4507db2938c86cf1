#!/bin/sh
# Whether the worker of this task runs: by its own command line, since a number may be another process by now.

# shellcheck disable=SC2154 # given: f w
runs() {
  pid=$(sed -n 's/^pid=//p' "$f.task" 2>/dev/null)
  case $pid in ''|*[!0-9]*) return 1;; esac
  tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "$w/run.sh main "
}
