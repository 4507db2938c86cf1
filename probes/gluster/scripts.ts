/**
 * Scripts for a peer's own sh, run as `sh -c SCRIPT NAME ARGS...`: they look into /proc and wait for files, which no single
 * command does. Each part of the answer stands behind a line `@@faultline WORD ...`; the last is `@@faultline end`, so that an
 * answer that was cut off is known for one.
 */
const say = `say() { printf '@@faultline %s\\n' "$*"; }`;

/**
 * Finds glusterd without asking it: process, its state letter, its start in clock ticks and its age in s. The pid file may be
 * absent (glusterd started by hand) or name a process of today that has nothing to do with glusterd.
 */
const findGlusterd = `pid=$(cat /run/glusterd.pid 2>/dev/null)
[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = glusterd ] || pid=$(pgrep -o -x glusterd)
state= start= age=
look_up() {
  state= start= age=
  stat=$(cat "/proc/$pid/stat" 2>/dev/null) || return 1
  set -- \${stat##*) }
  state=$1
  shift 19
  start=$1
  read -r up rest < /proc/uptime
  age=$((\${up%%.*} - start / $(getconf CLK_TCK || echo 100)))
}
[ -n "$pid" ] && look_up || pid=
say glusterd "\${pid:-none}" $state $start $age`;

/** What a peer is: glusterd, who it is, what it sees of the others, its processes. Takes no lock; a stopped glusterd is not asked. */
export const peerScript = `${say}
say clock "$(date +%s)"
${findGlusterd}
say version
glusterd --version 2>&1 | head -n 1
say info
cat /var/lib/glusterd/glusterd.info 2>&1
case $state in
'' | T | t) ;;
*)
  say pool
  timeout 5 gluster pool list 2>&1
  say pool-exit "$?"
  say peers
  timeout 5 gluster peer status 2>&1
  say peers-exit "$?"
  ;;
esac
say hooks
[ -z "$pid" ] || ps -ww --ppid "$pid" -o etimes=,args= | grep /hooks/
say processes
ps -ww -C glusterfsd,glusterfs,gluster -o pid=,stat=,etimes=,args=
say pidfiles
for file in /run/gluster/vols/*/*.pid /var/lib/glusterd/vols/*/run/*.pid; do
  [ -r "$file" ] && printf '%s %s\\n' "$(cat "$file")" "$file"
done
say end`;

/**
 * glusterd's own dump: which volume lock is held for whom. SIGUSR1 ends a process that is not ready for it, so it must be caught
 * or waited for (glusterd blocks it and calls sigwait), the process must be over a minute old and still the same. A lock that is
 * there is looked at again after 2 s: most commands are over by then. Only a file that came by our signal is removed.
 */
export const lockScript = `${say}
LC_ALL=C
${findGlusterd}
skip() { say skip "$1"; say end; exit 0; }
[ -n "$pid" ] || skip down
case $state in T | t) skip stopped ;; D) skip uninterruptible ;; Z) skip down ;; esac
[ "$age" -gt 60 ] || skip young
ready() {
  case $(sed -n "s/^$1:[[:space:]]*//p" "/proc/$pid/status") in
  *[2367abef][0-9a-f][0-9a-f]) return 0 ;;
  esac
  return 1
}
ready SigCgt || ready SigBlk || skip uncaught
dir=$(gluster --print-statedumpdir 2>/dev/null)
[ -d "$dir" ] || dir=/var/run/gluster
[ -r "$dir" ] || skip unreadable
dumps() { ls "$dir" | grep "^glusterdump\\.$pid\\.dump\\."; }
look() {
  before=$(dumps)
  was=$start
  look_up && [ "$start" = "$was" ] || skip gone
  kill -USR1 "$pid" 2>/dev/null || skip denied
  turn=0 file=
  while [ "$turn" -lt 40 ] && [ -z "$file" ]; do
    sleep 0.1
    turn=$((turn + 1)) new=0
    for name in $(dumps); do
      case " $(echo $before) " in *" $name "*) continue ;; esac
      new=$((new + 1))
      grep -q '^DUMP-END-TIME' "$dir/$name" && file=$dir/$name
    done
  done
  [ -n "$file" ] || skip nodump
  say dump "$file"
  grep -aE '^(DUMP|glusterd\\.)|^[[:space:]]' "$file"
  held=$(grep -acE '^[[:space:]].*_(vol|snap|global):[0-9a-f-]{36}' "$file")
  if [ "$new" = 1 ]; then rm -f "$file"; else say left "$new"; fi
}
look
[ "$held" = 0 ] || { sleep 2; look; }
say end`;

/**
 * glusterd's log from a position on: `INODE OFFSET`; 0 0 for the end of it. At most 256 kB, only lines that may matter. When it was
 * rotated since, what was not read of the old file first: by its inode, or, where it was copied and emptied, from its newest copy.
 */
export const logScript = `${say}
file=/var/log/glusterfs/glusterd.log
[ -e "$file" ] || file=/var/log/glusterfs/etc-glusterfs-glusterd.vol.log
[ -e "$file" ] || { say missing "$file"; say end; exit 0; }
[ -r "$file" ] || { say denied "$file"; say end; exit 0; }
now=$(stat -L -c '%i %s' "$file")
inode=\${now% *} size=\${now#* } from=$2 how=on old= most=262144
packed='\\.(gz|xz|bz2|zst)$'
if [ "$1" = 0 ]; then from=0 how=first
elif [ "$1" != "$inode" ]; then
  from=0 how=rotated
  old=$(find "\${file%/*}" -maxdepth 1 -type f -inum "$1" -name "\${file##*/}*" | head -n 1)
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
say end`;

/** How the unit of glusterd ends its processes. */
export const unitScript = `${say}
say unit
systemctl show glusterd -p KillMode -p LoadState -p MainPID 2>&1
say end`;

/** Whether bricks' paths are what they were made as: on a mount of their own, with the volume's id on them. */
export const placeScript = `${say}
for path in "$@"; do
  say brick "$path"
  [ -d "$path" ] || { echo absent; continue; }
  printf 'mount %s\\n' "$(stat -c %m "$path")"
  printf 'id %s\\n' "$(getfattr --absolute-names --only-values -n trusted.glusterfs.volume-id "$path" 2>/dev/null | od -An -tx1 | tr -d ' \\n')"
done
say end`;

/**
 * The newest dump of each process whose dumps lie here; of a brick's, which lists every file that it knows, only what belongs to
 * locks and who is connected.
 */
export const dumpsScript = `${say}
dir=$(gluster --print-statedumpdir 2>/dev/null)
[ -d "$dir" ] || dir=/var/run/gluster
last= read=0 unread=0
for file in $(ls -t "$dir"/*.dump.* 2>/dev/null); do
  case " $last " in *" \${file%.*} "*) continue ;; esac
  last="$last \${file%.*}"
  [ "$read" -lt 40 ] || { unread=$((unread + 1)); continue; }
  read=$((read + 1))
  say file "$file"
  case $file in
  */glusterdump.*) grep -aE '^(DUMP|glusterd\\.(my-uuid|mgmt_v3_lock|options)=)|^[[:space:]]' "$file" ;;
  *) awk '
/^DUMP|^conn\\.[0-9]+\\.id=/ { print; next }
/^\\[conn/ { kept = $0; next }
/^\\[xlator\\.features\\.locks|^gfid=|^path=|^lock-dump\\.domain/ { kept = kept "\\n" $0; next }
/^(posixlk|inodelk|entrylk)\\.[a-z]+\\[/ { if (kept != "") print kept; kept = ""; print }' "$file" ;;
  esac
done
say unread "$unread"
say end`;

/**
 * Whom the bricks of this host are connected with now, and the addresses of the hosts that their dumps, and the arguments, name as
 * clients: at most 300.
 */
export const clientsScript = `${say}
dir=$(gluster --print-statedumpdir 2>/dev/null)
[ -d "$dir" ] || dir=/var/run/gluster
said=$(ls -t "$dir"/*.dump.* 2>/dev/null | head -n 40 | while read -r file; do
  grep -ahE '^conn\\.[0-9]+\\.id=|connection-id=' "$file"
done | sed -nE 's/.*-HOST:(.*)-PC_NAME:.*/\\1/p;s/.*(\\.id=|connection-id=)([A-Za-z0-9.-]+)-[0-9]+-[0-9]{4}\\/[0-9]{2}\\/.*/\\2/p' |
  grep -E '^[A-Za-z0-9][A-Za-z0-9.:-]*$' | sort -u | head -n 300)
for name in $said "$@"; do
  say name "$name"
  timeout 2 getent ahosts "$name"
done
say ends
ss -Htnp state established 2>&1 | grep -E 'glusterfsd|^ss|not found'
say end`;
