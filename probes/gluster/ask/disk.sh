#!/bin/sh
# How many clients the bricks have, and what the file systems below them say: PATH...; of each where it is mounted and how, the volume's id, space and inodes. A disk that
# hangs holds whoever touches it, and nothing ends a process in that state, nor does timeout(1), which waits for it: each question
# is asked in the background, and what it says is waited for for 5 s. A question that an earlier look left there is not asked again.

. ../../../src/kit/say.sh
. ./count-clients.sh
LC_ALL=C
export LC_ALL
command -v timeout >/dev/null || { echo 'timeout: not found' >&2; exit 127; }

# Whether the process ends within 5 s.
ends() {
  left=5
  while kill -0 "$1" 2>/dev/null; do
    [ "$left" -gt 0 ] || return 1
    left=$((left - 1))
    sleep 1
  done
}

# What it says lies in $out; 124: it did not end. It holds no more than its end of a pipe that nobody reads any more.
ask() {
  out=$({ { "$@"; printf '\nended %s\n' "$?"; } 2>&1 & } | timeout 5 cat)
  status=${out##*"
ended "}
  [ "$status" != "$out" ] || return 124
  out=${out%"
ended $status"}
  return "$status"
}

without_errors() { "$@" 2>/dev/null; }

# Whether `stat` of an earlier look still waits for this path. Its line can be read: it hangs in the disk, not in its memory.
hangs_still() {
  for pid in $(pgrep -x stat); do
    case $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) in
    *"stat -c %m $1 ") ends "$pid" || return 0 ;;
    esac
  done
  return 1
}

look() {
  if hangs_still "$1"; then return 124; fi
  ask stat -c %m "$1"
  case $? in
  0) ;;
  124) return 124 ;;
  *)
    printf 'failed %s\n' "$(printf '%s\n' "$out" | head -n 1)"
    return 0
    ;;
  esac
  mount=$(printf '%s\n' "$out" | head -n 1)
  printf 'mount %s\n' "$mount"
  awk -v at="$mount" '$2 == at { options = $4 } END { print "options " options }' /proc/self/mounts
  ask without_errors df -Pk "$1"
  [ "$?" != 124 ] || return 124
  printf '%s\n' "$out" | awk 'NR > 1 && NF { print "space", $2, $3, $4 }'
  ask without_errors df -Pi "$1"
  [ "$?" != 124 ] || return 124
  printf '%s\n' "$out" | awk 'NR > 1 && NF { print "inodes", $2, $3, $4 }'
  # Attributes of this name are shown to root alone: to others none is no proof.
  if [ "$(id -u)" = 0 ] && command -v getfattr >/dev/null; then
    ask getfattr --absolute-names -e hex -n trusted.glusterfs.volume-id "$1"
    case $? in
    0) printf '%s\n' "$out" | sed -n 's/^trusted\.glusterfs\.volume-id=0x/id /p' ;;
    124) return 124 ;;
    # Looked for, and not there; any other error says nothing of it.
    *) printf '%s\n' "$out" | grep -qE 'No such attribute|No data available' && echo 'id ' ;;
    esac
  fi
  return 0
}

count_clients
for path in "$@"; do
  say brick "$path"
  look "$path" || echo hangs
done
say end
