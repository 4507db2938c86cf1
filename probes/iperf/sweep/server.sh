#!/bin/sh
# PAIR TOOL SECONDS watched|bounded ROWS PORT...
# Starts a one-shot server, waits until it listens, and sees to its end: after the test, after its time, when nobody watches, when it is
# cancelled, when nobody came within 15 s, when no byte came for four. TCP states are those of /proc/net/tcp: 0A listens, 01 established.
# shellcheck disable=SC2016,SC2086 # for the inner shell; numbers

. ./folder.sh
pair=$1 tool=$2 seconds=$3 watched=$4 rows=$5; shift 5
has() { cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ":$(printf %04X "$1") [0-9A-F]*:[0-9A-F]* $2 "; }
for port; do
  f="$d/iperf-$pair.server"
  echo "port=$port" >"$f"
  if [ "$tool" = iperf3 ]; then set -- iperf3 -s -1 -p "$port"; else set -- iperf -s -i 1 -p "$port"; fi
  setsid timeout -k 2 $((seconds + 8)) stdbuf -oL "$@" </dev/null >>"$f" 2>&1 &
  pid=$! n=0
  while [ $n -lt 20 ] && kill -0 $pid 2>/dev/null && ! has $port 0A; do sleep 0.1; n=$((n + 1)); done
  if kill -0 $pid 2>/dev/null && has $port 0A && ! grep -q 'in use' "$f"; then
    d=$d pair=$pair pid=$pid port=$port watched=$watched f=$f rows=$rows setsid sh -c '
      look() { echo "up $(cut -d" " -f1 /proc/uptime)"; grep : /proc/net/dev; }
      old() { [ "$watched" = watched ] && [ $(( $(date +%s) - $(stat -c %Y "$d/iperf-lease") )) -gt 8 ]; }
      on() { cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ":$(printf %04X "$port") [0-9A-F]*:[0-9A-F]* 01 "; }
      silent() { tail -n $((4 * rows)) "$f" | grep "bits/sec" >"$f.last"; [ "$(grep -c " 0\.00 bits/sec" "$f.last")" -ge 4 ] && ! grep -qv " 0\.00 bits/sec" "$f.last"; }
      ended() { n=0; while kill -0 "$pid" 2>/dev/null; do [ $n -ge 5 ] && return 1; sleep 0.2; n=$((n + 1)); done; }
      echo guarded >>"$f"; seen=0 idle=0 alone=0 at=$(date +%s) before=$(look)
      while [ -e "$f" ] && [ $idle -lt 2 ] && [ $alone -lt 15 ] && ! old && ! silent && ! ended; do
        if on; then seen=1 idle=0; elif [ $seen = 1 ]; then idle=$((idle + 1)); else alone=$((alone + 1)) at=$(date +%s) before=$(look); fi
      done
      { echo "at=$at"; { echo "$before"; look; } | awk "$between"; } >"$d/iperf-$pair.carried"
      ls -t "$d"/iperf-*.carried | tail -n +25 | while read -r one; do rm -f "$one"; done
      kill "$pid" 2>/dev/null && sleep 1; kill -9 -"$pid" 2>/dev/null; rm -f "$f" "$f.last"' </dev/null >/dev/null 2>&1 &
    until_in "$f" guarded; echo "listening on port $port"; exit 0
  fi
  kill $pid 2>/dev/null; tail -n 1 "$f" >&2; rm -f "$f"
done
echo "no server could be started" >&2; exit 1
