#!/bin/sh
# What another user of the host put there is not read: a link, a pipe that holds its reader, a file that tells what is not so.
# `own_files FOLDER PATTERN FIND...`: FIND for its regular files of one name that are ours or root's; of others the first three are named.

own_files() {
  in=$1 name=$2 me=$(id -u)
  shift 2
  find "$in" -maxdepth 1 -name "$name" ! \( -type f -links 1 \( -user 0 -o -user "$me" \) \) -exec stat -c '%n is not ours: %F of %U (%u), %A' {} + 2>/dev/null | head -n 3 >&2
  find "$in" -maxdepth 1 -name "$name" -type f -links 1 \( -user 0 -o -user "$me" \) "$@"
}
