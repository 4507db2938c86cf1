#!/bin/sh
# What the file systems below bricks say: PATH...; of each where it is mounted and how, the volume's id, space and inodes. A disk that
# hangs holds whoever touches it, and nothing ends a process in that state, nor does timeout(1), which waits for it: each question
# is asked in the background, and is left alone after 5 s. A question that an earlier look left there is not asked again.

. ../../../src/kit/say.sh
LC_ALL=C
export LC_ALL
# Answers lie in memory, never on a disk that may hang.
for place in /dev/shm /run /tmp; do
  folder=$(mktemp -d "$place/faultline.XXXXXX" 2>/dev/null) && break
done
[ -d "$folder" ] || { echo "no room for answers in /dev/shm, /run and /tmp" >&2; exit 1; }
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
# Some sleep only whole seconds.
if sleep 0.1 2>/dev/null; then turn=0.1 turns=50; else turn=1 turns=5; fi
asked=0

# Whether the process ends within 5 s.
ends() {
  left=$turns
  while kill -0 "$1" 2>/dev/null; do
    [ "$left" -gt 0 ] || return 1
    left=$((left - 1))
    sleep "$turn"
  done
}

# The answer lies in $out and $err; 124: none came. A question that is late writes to files that nobody reads any more.
ask() {
  asked=$((asked + 1)) out=$folder/$asked.out err=$folder/$asked.err
  "$@" >"$out" 2>"$err" &
  ends "$!" || return 124
  wait "$!"
}

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
    printf 'failed %s\n' "$(head -n 1 "$err")"
    return 0
    ;;
  esac
  mount=$(cat "$out")
  printf 'mount %s\n' "$mount"
  awk -v at="$mount" '$2 == at { options = $4 } END { print "options " options }' /proc/self/mounts
  ask df -Pk "$1"
  [ "$?" != 124 ] || return 124
  awk 'NR > 1 { print "space", $2, $3, $4 }' "$out"
  ask df -Pi "$1"
  [ "$?" != 124 ] || return 124
  awk 'NR > 1 { print "inodes", $2, $3, $4 }' "$out"
  # Attributes of this name are shown to root alone: to others none is no proof.
  if [ "$(id -u)" = 0 ] && command -v getfattr >/dev/null; then
    ask getfattr --absolute-names --only-values -n trusted.glusterfs.volume-id "$1"
    case $? in
    0) printf 'id %s\n' "$(od -An -tx1 <"$out" | tr -d ' \n')" ;;
    124) return 124 ;;
    # Looked for, and not there; any other error says nothing of it.
    *) grep -qE 'No such attribute|No data available' "$err" && echo 'id ' ;;
    esac
  fi
  return 0
}

for path in "$@"; do
  say brick "$path"
  look "$path" || echo hangs
done
say end
