#!/bin/sh
# What a peer is: glusterd, who it is, what it sees of the others, its processes. Takes no lock; a stopped glusterd is not asked.

. ../../../src/kit/part.sh
say clock "$(date +%s)"
. ./find-glusterd.sh
say version
glusterd --version 2>&1 | head -n 1
say info
cat /var/lib/glusterd/glusterd.info 2>&1
case $state in
'' | T | t) ;;
*)
  part pool timeout 5 gluster pool list
  part peers timeout 5 gluster peer status
  ;;
esac
say hooks
[ -z "$pid" ] || ps -ww --ppid "$pid" -o etimes=,args= | grep /hooks/
say processes
ps -ww -C glusterfsd,glusterfs,gluster -o pid=,stat=,etimes=,args=
say pidfiles
for file in /run/gluster/vols/*/*.pid /var/lib/glusterd/vols/*/run/*.pid; do
  [ -r "$file" ] && printf '%s %s\n' "$(cat "$file")" "$file"
done
say rebalances
# What glusterd keeps of the last rebalance on this host; `rebalance status` would take the volume's lock.
grep -HE '^(status|failures)=' /var/lib/glusterd/vols/*/node_state.info 2>/dev/null
say end
