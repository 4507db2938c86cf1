#!/bin/sh
# Whether bricks' paths are what they were made as: on a mount of their own, with the volume's id on them.

. ../../../src/kit/say.sh
for path in "$@"; do
  say brick "$path"
  [ -d "$path" ] || { echo absent; continue; }
  printf 'mount %s\n' "$(stat -c %m "$path")"
  printf 'id %s\n' "$(getfattr --absolute-names --only-values -n trusted.glusterfs.volume-id "$path" 2>/dev/null | od -An -tx1 | tr -d ' \n')"
done
say end
