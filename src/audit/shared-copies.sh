#!/bin/sh
# The copies of the heads of a log in the folder $2 of the shared folder $1: what the file $3 holds, the last one; a line that is the mark
# $5; the newest of all, in the file $4, $6 bytes at most.

. ../text/plain-place.sh
ls -d "$1/." >/dev/null || exit 1
plain_file "$4"
plain_file "$3"
plain_folder "$2"
if test -f "$3"; then head -c 100 "$3"; fi
printf '\n%s\n' "$5"
if test -f "$4"; then tail -c "$6" "$4"; fi
