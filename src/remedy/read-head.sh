#!/bin/sh
# The last head in the file $1, with a dot behind it. A hundred bytes are more than it has: nothing that somebody put there can fill our memory.

test -e "$1" || exit 0
test -f "$1" && head -c 100 "$1" && echo .
