#!/bin/sh
# What the copies of files in split-brain are: PATH..., on the bricks of this host; of each its kind and times, gluster's own times, whom
# it accuses, and a checksum, if that comes within a minute of the script's start; of a folder the names in it with what they stand for. Names that hold a
# line's end never come here: each would be two lines of a list.

. ../../../src/kit/say.sh
LC_ALL=C
export LC_ALL
began=$(date +%s)
for path in "$@"; do
  say copy "$path"
  # Size, s of the last change, raw mode in hex, owner, group.
  is=$(stat -c '%s %Y %f %u %g' -- "$path" 2>&1) || { printf 'failed %s\n' "$is" | head -n 1; continue; }
  printf 'is %s\n' "$is"
  # Without the last line nothing is known of attributes that are not among them.
  has=$(timeout 10 getfattr --absolute-names -d -m '^trusted[.](gfid$|afr[.]|glusterfs[.]mdata$)' -e hex -- "$path" 2>/dev/null) &&
    has="$has
attributes whole"
  printf '%s\n' "$has" | grep -E '^(trusted|attributes)'
  if [ -d "$path" ] && [ ! -L "$path" ]; then
    # getfattr writes the end of a line in a name as \012.
    find "$path" -mindepth 1 -maxdepth 1 ! -name .glusterfs -exec getfattr --absolute-names -n trusted.gfid -e hex -- {} + 2>/dev/null |
      awk '/^# file: /{sub(/.*\//, ""); name = $0} /^trusted[.]gfid=/{print "entry", substr($0, 14), name}' | sort -k 3 | head -n 500
  elif [ -f "$path" ] && [ ! -L "$path" ] && [ $(($(date +%s) - began)) -lt 60 ]; then
    timeout 30 sha256sum <"$path" | sed -n 's/^\([0-9a-f]\{64\}\) .*/sum \1/p'
  fi
done
say end
