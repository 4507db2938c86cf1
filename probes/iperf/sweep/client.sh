#!/bin/sh
# CLIENT SERVER watched|bounded ADDRESS TOOL SECONDS STREAMS MODE WINDOW SWEEP ROWS PORTS OPTION...
# Runs the client detached; what it prints and how it ended is in one file that any console reads. With `patience` in its environment
# it tries again for so many seconds while nobody listens yet.
# shellcheck disable=SC2016,SC2086 # for the inner shell; plain words

. ./folder.sh
# IPv4 only: how many of 2 pings of so many bytes with DF are answered; nothing where ping does not know -M.
replies() { ping -M 'do' -c 2 -i 0.2 -W 1 -q -s $(($1 - 28)) "$ip" 2>/dev/null | sed -n 's/.* \([0-9][0-9]*\) received.*/\1/p'; }
mtu= full= standard=
ip=$(getent ahostsv4 "$4" 2>/dev/null | sed -n '1s/ .*//p')
mtu=$(cat "/sys/class/net/$(ip -o route get "$ip" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p')/mtu" 2>/dev/null)
if [ -n "$mtu" ]; then
  full=$(replies "$mtu")
  if [ "$full" = 0 ] && [ "$mtu" -gt 1500 ]; then standard=$(replies 1500); fi
fi
id=$(date +%s)-$$ f="$d/iperf-$1:$2.$id.run"; export d f id
printf 'id=%s\nclient=%s\nserver=%s\ntool=%s\nseconds=%s\nstreams=%s\nmode=%s\nwindow=%s\nsweep=%s\nstarted=%s\nmtu=%s\nfull=%s\nstandard=%s\nrtt=%s\n' "$id" "$1" "$2" "$5" "$6" "$7" "$8" "$9" "${10}" "$(date +%s)" "$mtu" "$full" "$standard" "$(ping -c 2 -i 0.2 -W 1 -q "$4" 2>/dev/null | tail -n 1)" >"$f" || exit 1
export watched=$3 address=$4 tool=$5 seconds=$6 carried="$d/iperf-$1:$2.carried"; shift 10; export rows=$1; shift
ports=$1; shift
setsid sh -c 'head=$(cat "$f")
  look() { echo "up $(cut -d" " -f1 /proc/uptime)"; grep : /proc/net/dev; }
  old() { [ "$watched" = watched ] && [ $(( $(date +%s) - $(stat -c %Y "$d/iperf-lease") )) -gt 8 ]; }
  silent() { tail -n $((4 * rows)) "$f" | grep "bits/sec" >"$f.last"; [ "$(grep -c " 0\.00 bits/sec" "$f.last")" -ge 4 ] && ! grep -qv " 0\.00 bits/sec" "$f.last"; }
  ports=$1; shift; up() { cut -d. -f1 /proc/uptime; }; last=$(( $(up) + ${patience:-0} )) again=1
  while [ $again = 1 ]; do again=0; for port in $ports; do
    printf "%s\n--- out\n" "$head" >"$f"; why= n=0 at=$(date +%s) before=$(look)
    timeout -k 2 $((seconds + 6)) stdbuf -oL "${tool%2}" -c "$address" -p "$port" "$@" </dev/null >>"$f" 2>&1 &
    pid=$!
    while sleep 0.5; kill -0 "$pid" 2>/dev/null; do
      n=$((n + 1))
      if [ -e "$f.cancel" ]; then why=cancelled; elif old; then why=unwatched; elif silent; then why=silent; elif [ $n -gt 10 ] && ! grep -q connected "$f"; then why=noConnection; fi
      if [ -n "$why" ]; then kill -INT "$pid" 2>/dev/null; sleep 1; kill -9 -"$pid" 2>/dev/null; break; fi
    done
    wait "$pid" 2>/dev/null; code=$?
    if [ -n "$why" ] || ! grep -q -e "onnection refused" -e "server is busy" "$f"; then again=0; break; fi
    if [ -e "$f.cancel" ]; then why=cancelled again=0; break; fi
    [ "$(up)" -lt "$last" ] && again=1
  done; done
  { echo "at=$at"; { echo "$before"; look; } | awk "$between"; } >"$carried"
  printf "\n=== end %s %s %s %s\n" "$code" "$(date +%s)" "$port" "$why" >>"$f"; rm -f "$f.cancel" "$f.last"
  for kind in run carried; do ls -t "$d"/iperf-*.$kind | tail -n +25; done | while read -r one; do rm -f "$one"; done' sh "$ports" "$@" </dev/null >/dev/null 2>&1 &
until_in "$f" '--- out'; echo "started $id"
