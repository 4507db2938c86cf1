#!/bin/sh
# What the file systems below bricks say: PATH...; of each where it is mounted and how, the volume's id, space and inodes. Each
# question has a deadline of its own: a disk that hangs holds whoever touches it.

. ../../../src/kit/say.sh
for path in "$@"; do
  say brick "$path"
  mount=$(timeout 5 stat -c %m "$path" 2>&1)
  case $? in
  0) ;;
  124)
    echo hangs
    continue
    ;;
  *)
    printf 'failed %s\n' "$mount"
    continue
    ;;
  esac
  printf 'mount %s\n' "$mount"
  awk -v at="$mount" '$2 == at { options = $4 } END { print "options " options }' /proc/self/mounts
  timeout 5 df -Pk "$path" | awk 'NR > 1 { print "space", $2, $3, $4 }'
  timeout 5 df -Pi "$path" | awk 'NR > 1 { print "inodes", $2, $3, $4 }'
  # Attributes of this name are shown to root alone: to others none is no proof.
  if [ "$(id -u)" = 0 ] && command -v getfattr >/dev/null; then
    printf 'id %s\n' "$(timeout 5 getfattr --absolute-names --only-values -n trusted.glusterfs.volume-id "$path" 2>/dev/null | od -An -tx1 | tr -d ' \n')"
  fi
done
say end
