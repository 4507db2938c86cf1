#!/bin/sh
# The locks of these names ($3 and following) in the folder $1, $2 bytes of each at most, and its name behind each. One that is released
# meanwhile does not matter.

folder=$1
bytes=$2
shift 2
for name in "$@"; do
  if test -f "$folder/$name" && test ! -L "$folder/$name" && head -c "$bytes" "$folder/$name"; then
    printf '\n%s\n' "$name"
  fi
done
