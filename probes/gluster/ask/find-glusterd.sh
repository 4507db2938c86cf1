#!/bin/sh
# Finds glusterd without asking it: process, its state letter, its start in clock ticks and its age in s. The pid file may be
# absent (glusterd started by hand) or name a process of today that has nothing to do with glusterd.

pid=$(cat /run/glusterd.pid 2>/dev/null)
[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = glusterd ] || pid=$(pgrep -o -x glusterd)
state= start= age=
look_up() {
  state= start= age=
  stat=$(cat "/proc/$pid/stat" 2>/dev/null) || return 1
  # shellcheck disable=SC2086 # the fields after the name
  set -- ${stat##*) }
  state=$1
  shift 19
  start=$1
  read -r up rest < /proc/uptime
  age=$((${up%%.*} - start / $(getconf CLK_TCK || echo 100)))
}
[ -n "$pid" ] && look_up || pid=
# shellcheck disable=SC2086 # what is not known is left out
say glusterd "${pid:-none}" $state $start $age
