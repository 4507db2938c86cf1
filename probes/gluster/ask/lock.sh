#!/bin/sh
# glusterd's own dump: which volume lock is held for whom. SIGUSR1 ends a process that is not ready for it, so it must be caught
# or waited for (glusterd blocks it and calls sigwait), the process must be over a minute old and still the same. A lock that is
# there is looked at again after 2 s: most commands are over by then. Only a file that came by our signal is removed.

. ../../../src/kit/say.sh
. ../../../src/kit/ours.sh
LC_ALL=C
. ./find-glusterd.sh
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
dumps() { own_files "$dir" "glusterdump.$pid.dump.*" 2>/dev/null | sed 's/.*\///'; }
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
      # shellcheck disable=SC2086,SC2116 # on one line
      case " $(echo $before) " in *" $name "*) continue ;; esac
      new=$((new + 1))
      grep -q '^DUMP-END-TIME' "$dir/$name" && file=$dir/$name
    done
  done
  [ -n "$file" ] || skip nodump
  say dump "$file"
  grep -aE '^(DUMP|glusterd\.)|^[[:space:]]' "$file"
  held=$(grep -acE '^[[:space:]].*_(vol|snap|global):[0-9a-f-]{36}' "$file")
  if [ "$new" = 1 ]; then rm -f "$file"; else say left "$new"; fi
}
look
[ "$held" = 0 ] || { sleep 2; look; }
say end
