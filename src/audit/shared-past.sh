#!/bin/sh
# What consoles did: `folder` where the shared folder $1 is there, size and kind of the file $2, the mark $3, the last $4 bytes of the file.

test -d "$1" && printf 'folder\n'
stat -c 'file %s %F' "$2"
printf '%s\n' "$3"
# Never a pipe or a link: a pipe that nobody writes into holds its reader for ever.
if test -f "$2" && test ! -L "$2"; then tail -c "$4" "$2"; fi
true
