#!/bin/sh
# Saves a brick's copy of a file before it is overwritten: PATH FOLDER NAME SHA256; beside it what it was: owner, times, attributes. SHA256
# is what was shown of it; empty: it was not read, and the two are compared. Exits 0 only when both are there and the same, on the disk.

set -eu
umask 077
no() { echo "$*" >&2; exit 1; }
from=$1 to=$2/$3 sum=$4
[ -f "$from" ] && [ ! -L "$from" ] || no "$from is no file"
# Whatever links lead there: a folder on a brick is part of a volume, and what is written there is in it behind gluster's back.
at=$2
while [ -n "$at" ] && [ ! -d "$at" ]; do at=${at%/*}; done
at=$(cd -P -- "$at/" && pwd -P)
while [ -n "$at" ]; do
  [ ! -d "$at/.glusterfs" ] || no "$2 lies on the brick $at"
  at=${at%/*}
done
mkdir -p -- "$2"
# Others could put a link where the copy is to lie, or read there what they may not read in the volume.
[ "$(stat -c %u -- "$2")" = "$(id -u)" ] && [ -z "$(find "$2" -maxdepth 0 -perm /077)" ] || no "$2 is open to others"
# KiB. glusterd and its bricks write on the same disk, as a rule; they are left 100 MiB.
needs=$(stat -c '%b %B' -- "$from" | awk '{printf "%.0f", $1 * $2 / 1024 + 102400}')
has=$(df -Pk -- "$2" | awk 'END {print $4}')
[ "$has" -ge "$needs" ] || no "$2: No space left on device: $has KiB free, $needs needed"
part=$to.part.$$
trap 'rm -f -- "$part"' EXIT
trap 'exit 1' HUP INT TERM
cp -p -- "$from" "$part"
if [ -n "$sum" ]; then
  [ "$(sha256sum <"$part")" = "$sum  -" ] || no "$from is not what was shown"
else
  cmp -- "$from" "$part"
fi
[ ! -e "$to" ] || cmp -- "$to" "$part" || no "$to is another copy: it is not overwritten"
# Of several copies with the same contents each has its own.
{ stat -- "$from"; getfattr --absolute-names -d -m - -e hex -- "$from"; } >>"$to.attributes"
mv -- "$part" "$to"
sync -- "$to" "$to.attributes"
echo "saved $to"
