#!/bin/sh
# How many hosts are connected with each brick of this host by its port, besides those of the pool, whose self-heal daemons and
# other helpers are clients of every brick: lines COUNT PATH. The names of peers are read from glusterd's files: it may be down.

. ../../../src/kit/say.sh

count_clients() {
  for tool in ss ip; do
    command -v "$tool" >/dev/null || { say not-counted "$tool: not found"; return; }
  done
  ends=$(ss -tn state established 2>&1) || { say not-counted "$(printf '%s\n' "$ends" | head -n 1)"; return; }
  names=$(cat /var/lib/glusterd/peers/* 2>/dev/null | sed -nE 's/^hostname[0-9]+=([A-Za-z0-9][A-Za-z0-9.:-]*)$/\1/p')
  say clients
  {
    ip -o addr | awk '{ sub("/.*", "", $4); print "pool", $4 }'
    # shellcheck disable=SC2086 # a name each
    [ -z "$names" ] || timeout 5 getent ahosts $names | awk '{ print "pool", $1 }'
    ps -ww -C glusterfsd -o args= | sed -nE 's/.* --brick-name (.+) -l .* --brick-port ([0-9]+).*/brick \2 \1/p'
    printf '%s\n' "$ends" | awk '$3 ~ /:[0-9]+$/ && $4 ~ /:[0-9]+$/ { print "end", $3, $4 }'
  } | awk '
    # 10.0.0.1:24007, [::ffff:10.0.0.1]:24007, [fe80::1]%eth0:24007: the address alone.
    function address(end) {
      sub(/:[0-9]+$/, "", end); sub(/%.*/, "", end); gsub(/[][]/, "", end); sub(/^::ffff:/, "", end)
      return end
    }
    $1 == "pool" { pool[$2] = 1 }
    $1 == "brick" { port = $2; sub(/^brick [0-9]+ /, ""); path[port] = $0; count[port] = 0 }
    $1 == "end" {
      port = $2; sub(/.*:/, "", port)
      far = address($3)
      # What ends at another peer on its port of glusterd is that peer.
      if ($3 ~ /:24007$/) pool[far] = 1
      if (port in path) ends[port " " far] = 1
    }
    END {
      for (one in ends) { split(one, part, " "); if (!(part[2] in pool)) count[part[1]]++ }
      for (port in path) print count[port], path[port]
    }'
}
