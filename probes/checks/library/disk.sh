#!/bin/sh
# How full local file systems are. One of a server (NFS, Lustre, Gluster) is not touched, since a hung one holds whoever looks at it for
# ever; so `df -l` will not do, which calls statfs on all (coreutils). Told: mounts (none: all local ones), warn_percent, crit_percent.
# shellcheck disable=SC2154 # what is told is set by whoever sends this script

state=0 summary='' perfdata='' seen=0 lost=''
worse() {
  [ "$state" -eq 2 ] || state=$1
  summary="$summary${summary:+; }$2"
}
# Where a mount point lies below one of a server, the way there already hangs.
near=$(awk '
  $3 ~ /^(ext[234]|xfs|btrfs|zfs|vfat|f2fs|tmpfs|overlay)$/ { kind[$2] = "local"; order[++n] = $2; next }
  { kind[$2] = /^[^ ]+ [^ ]+ (nfs|nfs4|lustre|cifs|beegfs|gpfs|ceph|afs|autofs|9p|fuse[^ ]*) / ? "remote" : "other" }
  END {
    for (i = 1; i <= n; i++) {
      path = order[i]
      if (kind[path] != "local" || done[path]++) continue
      hangs = 0
      for (up = path; up != ""; sub("/[^/]*$", "", up)) if (kind[up] == "remote") hangs = 1
      if (!hangs) print path
    }
  }' /proc/self/mounts) || {
  echo 'DISK UNKNOWN: /proc/self/mounts could not be read'
  exit 3
}
set -f
for mount in ${mounts:-$near}; do
  # A blank in a path stands as \040.
  case "
$near
" in
    *"
$mount
"*) ;;
    *)
      printf '%s\n' "DISK UNKNOWN: $mount is no local file system"
      exit 3
      ;;
  esac
  path=$(printf '%b' "$(printf '%s' "$mount" | sed 's/\\/\\0/g')")
  # The figures that df prints: used of what a user can have, rounded up.
  line=$(df -P -- "$path" 2>/dev/null | sed -n 2p)
  percent=$(printf '%s\n' "$line" | sed -n 's/.* \([0-9][0-9]*\)% .*/\1/p')
  if [ -z "$percent" ]; then
    lost="$lost${lost:+ }$mount"
    continue
  fi
  seen=$((seen + 1))
  perfdata="$perfdata '$mount'=$percent%;$warn_percent;$crit_percent;0;100"
  if [ "$percent" -gt "$crit_percent" ]; then
    worse 2 "$mount $percent% full"
  elif [ "$percent" -gt "$warn_percent" ]; then
    worse 1 "$mount $percent% full"
  fi
done
if [ "$seen" -eq 0 ]; then
  echo 'DISK UNKNOWN: df gave no figures'
  exit 3
fi
# A mount that was named must have figures. Among all there are some that have none (a tmpfs of no size), or none for this user.
if [ "$state" -eq 0 ] && [ -n "$mounts" ] && [ -n "$lost" ]; then
  printf '%s\n' "DISK UNKNOWN: df gave no figures of $lost |$perfdata"
  exit 3
fi
case $state in
  0) printf '%s\n' "DISK OK: $seen file systems, none over $warn_percent% |$perfdata" ;;
  1) printf '%s\n' "DISK WARNING: $summary |$perfdata" ;;
  *) printf '%s\n' "DISK CRITICAL: $summary |$perfdata" ;;
esac
exit "$state"
