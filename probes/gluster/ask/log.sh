#!/bin/sh
# glusterd's log from a position on: INODE OFFSET; 0 0 for the end of it. At most 256 kB, only lines that may matter. When it was
# rotated since, what was not read of the old file first: by its inode, or, where it was copied and emptied, from its newest copy.

. ../../../src/kit/say.sh
file=/var/log/glusterfs/glusterd.log
[ -e "$file" ] || file=/var/log/glusterfs/etc-glusterfs-glusterd.vol.log
[ -e "$file" ] || { say missing "$file"; say end; exit 0; }
[ -r "$file" ] || { say denied "$file"; say end; exit 0; }
now=$(stat -L -c '%i %s' "$file")
inode=${now% *} size=${now#* } from=$2 how=on old= most=262144
packed='\.(gz|xz|bz2|zst)$'
if [ "$1" = 0 ]; then from=0 how=first
elif [ "$1" != "$inode" ]; then
  from=0 how=rotated
  old=$(find "${file%/*}" -maxdepth 1 -type f -inum "$1" -name "${file##*/}*" | head -n 1)
elif [ "$from" -gt "$size" ]; then
  from=0 how=cut
  old=$(ls -t "$file"[.-]* 2>/dev/null | grep -Ev "$packed" | head -n 1)
fi
rest=0
if [ -r "$old" ] && ! echo "$old" | grep -Eq "$packed"; then
  whole=$(stat -L -c %s "$old") rest=$((whole - $2)) start=$2
  [ "$rest" -ge 0 ] && how=followed || rest=0
  [ "$rest" -le "$most" ] || { start=$((whole - most)) rest=$most how=skipped; }
fi
if [ $((size - from)) -gt "$most" ]; then
  from=$((size - most))
  [ "$how" = first ] || how=skipped
fi
say log "$inode" "$size" "$how" "$file"
{
  [ "$rest" = 0 ] || tail -c "+$((start + 1))" "$old" | head -c "$rest"
  tail -c "+$((from + 1))" "$file" | head -c "$((size - from))"
} | grep -aiE 'lock|bailing out frame|has disconnected from'
say end
