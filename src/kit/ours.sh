#!/bin/sh
# What another user of the host put there is not read: a link, a pipe that holds its reader, a file that tells what is not so.
# `ours FOLDER`: 0 when only we and root can put anything into it; 1 when it is not there; 3 when it is somebody else's, and whose.
# `own_files FOLDER PATTERN FIND...`: FIND for its regular files that are ours or root's; of others the first three are named.

ours() {
  stat -c %F "$1" >/dev/null || return 1
  if stat -c '%A %u' "$1" | grep -qE "^d....-..-. (0|$(id -u))$"; then return 0; fi
  stat -c '%n is not ours: %F of %U (%u), %A' "$1" >&2
  return 3
}
own_files() {
  in=$1 name=$2 me=$(id -u)
  shift 2
  find "$in" -maxdepth 1 -name "$name" ! \( -type f \( -user 0 -o -user "$me" \) \) -exec stat -c '%n is not ours: %F of %U (%u), %A' {} + 2>/dev/null | head -n 3 >&2
  find "$in" -maxdepth 1 -name "$name" -type f \( -user 0 -o -user "$me" \) "$@"
}
