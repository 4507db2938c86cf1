#!/bin/sh
# What decides how fast this host sends and receives, of the NIC by which the route to $peer goes; without one, of the default route's.
# shellcheck disable=SC2154,SC2086 # given: peer; a route is words

. ../../../src/kit/part.sh
r=; [ -z "$peer" ] || r=$(ip -o route get "$peer" 2>/dev/null); [ -n "$r" ] || r=$(ip -o -4 route show default)
set -- $r
while [ "$#" -gt 1 ] && [ "$1" != dev ]; do shift; done
nic=$2
part nic printf '%s' "$nic"
part kernel uname -r
part link ip -j link show dev "$nic"
part driver ethtool -i "$nic"
part speed ethtool "$nic"
part coalesce ethtool -c "$nic"
part interrupts grep -e CPU0 -e "$nic" -e @pci /proc/interrupts
part affinity grep -s . /proc/irq/*/effective_affinity_list /proc/irq/*/smp_affinity_list /dev/null
part tcp cat /proc/sys/net/ipv4/tcp_rmem /proc/sys/net/ipv4/tcp_wmem
part load cat /proc/loadavg
part balance pgrep -x irqbalance
say end
