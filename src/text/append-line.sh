#!/bin/sh
# `append FILE COMMAND...`: what COMMAND prints is added to FILE. Others may write in its folder, and can put something in its place after
# anybody looked: so what was opened is looked at, as O_NOFOLLOW would. A file of two names is somebody else's, too: it would be written there.

append() {
  to=$1
  shift
  if test -L "$to" || { test -e "$to" && ! test -f "$to"; }; then
    echo "$to is not a plain file: see who made it, and remove it" >&2
    return 1
  fi
  # shellcheck disable=SC2094 # its status is read, not it
  {
    if test -f /proc/self/fd/3 && test "$(stat -L -c '%d:%i %h' /proc/self/fd/3)" = "$(stat -c '%d:%i 1' "$to")"; then
      "$@" >&3
    else
      echo "$to is not a plain file of one name: see who made it, and remove it" >&2
      false
    fi
  } 3>>"$to"
}
