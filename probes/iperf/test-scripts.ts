/**
 * Said by both scripts before anything: a folder that somebody else made is not written to. What is started must have left our
 * process group before the script ends, because the frame ends that group with it: so each waits for a sign of it.
 */
export const folder = `d=/var/tmp/faultline-tasks; umask 022; mkdir -p "$d"; [ -O "$d" ] || { echo "$d is not ours" >&2; exit 3; }; touch "$d/iperf-lease"
until_in() { n=0; while [ $n -lt 50 ]; do grep -qs -e "^$2" "$1" && return 0; sleep 0.1; n=$((n + 1)); done; echo "nothing was started" >&2; exit 1; }`;

/**
 * Starts a one-shot server, waits until it listens, and sees to its end: after the test, after its time, when nobody
 * watches, when it is cancelled, when no byte came for four seconds. TCP states are those of /proc/net/tcp: 0A listens, 01 established.
 */
export const serverScript = `${folder}
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
    d=$d pid=$pid port=$port watched=$watched f=$f rows=$rows setsid sh -c '
      old() { [ "$watched" = watched ] && [ $(( $(date +%s) - $(stat -c %Y "$d/iperf-lease") )) -gt 8 ]; }
      on() { cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ":$(printf %04X "$port") [0-9A-F]*:[0-9A-F]* 01 "; }
      silent() { tail -n $((4 * rows)) "$f" | grep "bits/sec" >"$f.last"; [ "$(grep -c " 0\\.00 bits/sec" "$f.last")" -ge 4 ] && ! grep -qv " 0\\.00 bits/sec" "$f.last"; }
      echo guarded >>"$f"; seen=0 idle=0
      while kill -0 "$pid" 2>/dev/null && [ -e "$f" ] && [ $idle -lt 2 ] && ! old && ! silent; do
        sleep 1; if on; then seen=1 idle=0; elif [ $seen = 1 ]; then idle=$((idle + 1)); fi
      done
      kill "$pid" 2>/dev/null; sleep 1; kill -9 -"$pid" 2>/dev/null; rm -f "$f" "$f.last"' </dev/null >/dev/null 2>&1 &
    until_in "$f" guarded; echo "listening on port $port"; exit 0
  fi
  kill $pid 2>/dev/null; tail -n 1 "$f" >&2; rm -f "$f"
done
echo "no server could be started" >&2; exit 1`;

/**
 * Runs the client detached; what it prints and how it ended is in one file that any console reads. With `patience` in its
 * environment it tries again for so many seconds while nobody listens yet.
 */
export const clientScript = `${folder}
id=$(date +%s)-$$ f="$d/iperf-$1:$2.$id.run"; export d f id
printf 'id=%s\\nclient=%s\\nserver=%s\\ntool=%s\\nseconds=%s\\nstreams=%s\\nmode=%s\\nwindow=%s\\nsweep=%s\\nstarted=%s\\nrtt=%s\\n' "$id" "$1" "$2" "$5" "$6" "$7" "$8" "$9" "\${10}" "$(date +%s)" "$(ping -c 2 -i 0.2 -W 1 -q "$4" 2>/dev/null | tail -n 1)" >"$f" || exit 1
export watched=$3 address=$4 tool=$5 seconds=$6; shift 10; export rows=$1; shift
ports=$1; shift
setsid sh -c 'head=$(cat "$f")
  old() { [ "$watched" = watched ] && [ $(( $(date +%s) - $(stat -c %Y "$d/iperf-lease") )) -gt 8 ]; }
  silent() { tail -n $((4 * rows)) "$f" | grep "bits/sec" >"$f.last"; [ "$(grep -c " 0\\.00 bits/sec" "$f.last")" -ge 4 ] && ! grep -qv " 0\\.00 bits/sec" "$f.last"; }
  ports=$1; shift; up() { cut -d. -f1 /proc/uptime; }; last=$(( $(up) + \${patience:-0} )) again=1
  while [ $again = 1 ]; do again=0; for port in $ports; do
    printf "%s\\n--- out\\n" "$head" >"$f"; why= n=0
    timeout -k 2 $((seconds + 6)) stdbuf -oL "\${tool%2}" -c "$address" -p "$port" "$@" </dev/null >>"$f" 2>&1 &
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
  printf "\\n=== end %s %s %s %s\\n" "$code" "$(date +%s)" "$port" "$why" >>"$f"; rm -f "$f.cancel" "$f.last"
  ls -t "$d"/iperf-*.run | tail -n +25 | while read -r one; do rm -f "$one"; done' sh "$ports" "$@" </dev/null >/dev/null 2>&1 &
until_in "$f" '--- out'; echo "started $id"`;
