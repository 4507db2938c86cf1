#!/bin/sh
# `call WHAT ADDRESS VERSION`: procedure NULL of an RPC service; a section of its own says how it ended and what rpcinfo said. rpcinfo
# ignores TERM while it waits, so KILL ends it after 5 s. NFS and the portmapper are asked at their ports: a server of NFSv4 may have no
# portmapper to ask for others.

call() {
  case $2 in
  *:*) net=6 ;;
  *) net='' ;;
  esac
  title="$1 $2 $3"
  case $1 in
  nfs) set -- -a "$2.8.1" -T "tcp$net" 100003 "$3" ;;
  rpcbind) set -- -a "$2.0.111" -T "tcp$net" 100000 "$3" ;;
  lockd) set -- -T "tcp$net" "$2" 100021 "$3" ;;
  mountd) set -- -T "tcp$net" "$2" 100005 "$3" ;;
  statd) set -- -T "udp$net" "$2" 100024 "$3" ;;
  *) return ;;
  esac
  said=$(timeout -s KILL 5 rpcinfo "$@" 2>&1 </dev/null)
  # One write: others print at the same time.
  printf '@@faultline call %s %s\n%s\n' "$?" "$title" "$said"
}
