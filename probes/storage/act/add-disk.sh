#!/bin/sh
# Adds the disk $2 to the array $1. mdadm asks nothing, and writes over whatever the disk holds: that is looked at here, in the moment
# before. $3 is `typed` where its serial number was typed; else a disk that holds anything is left as it is.
LC_ALL=C
export LC_ALL

if [ "$3" != typed ]; then
  if ! found=$(timeout -s KILL 20 wipefs -p "$2" 2>&1); then
    echo "faultline: what $2 holds can't be read: nothing was written" >&2
    exit 3
  fi
  # One line a signature, its kind the last of the words between commas; a line of titles may stand before them.
  rows=$(printf '%s\n' "$found" | sed '/^#/ d; /./ !d')
  if [ -n "$rows" ]; then
    kinds=$(printf '%s\n' "$rows" | sed 's/.*,//' | tr '\n' ' ')
    echo "faultline: $2 holds ${kinds% }: nothing was written" >&2
    exit 3
  fi
fi
exec mdadm "$1" --add "$2"
