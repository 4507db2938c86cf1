#!/bin/sh
# What goes on without us on each host of a sweep: its own tests, each in its round. Rounds begin so many seconds after the word was
# given here, by the clock that never jumps; a client tries until its server listens, so that the hosts' beginnings may differ by
# seconds. Armed hosts wait 180 s for the word. The state file is written whole, by renaming.
# shellcheck disable=SC1010,SC2086,SC2154 # `done` is a state; steps are to be split; given: d s id host hosts seconds slot rounds

say() { printf 'id=%s\nhost=%s\nhosts=%s\ntests=%s\nrounds=%s\nround=%s\nslot=%s\nstarted=%s\npid=%s\nstate=%s\nupdated=%s\n' "$id" "$host" "$hosts" "$tests" "$rounds" "$round" "$slot" "$started" "$$" "$state" "$(date +%s)" >"$s.new" && mv "$s.new" "$s.task"; }
up() { cut -d. -f1 /proc/uptime; }
finish() { state=$1; say; rm -f "$s.go" "$s.cancel"; exit 0; }
cancelled() {
  for f in "$d"/iperf-*.run; do [ -e "$f" ] && ! grep -q '^=== end ' "$f" && : >"$f.cancel"; done
  rm -f "$d"/iperf-*.server; finish cancelled
}
until_up() { while [ "$(up)" -lt "$1" ]; do [ -e "$s.cancel" ] && cancelled; sleep 0.3; done; }
tests=0; for step; do case $step in *,send,*) tests=$((tests + 1)) ;; esac; done
state=armed round=0 started=0 last=$(( $(up) + 180 )); say
while ! [ -e "$s.go" ]; do
  [ -e "$s.cancel" ] && cancelled
  [ "$(up)" -ge "$last" ] && finish expired
  sleep 0.2
done
zero=$(up) started=$(date +%s) state=running; say
set -f
for step; do
  IFS=,; set -- $step; unset IFS
  round=$1 role=$2 peer=$3 address=$4 tool=$5 ports=$(echo "$6" | tr + ' ')
  until_up $((zero + (round - 1) * slot)); say
  if [ "$role" = receive ]; then sh "$s-server.sh" "$peer:$host" "$tool" "$seconds" bounded 1 $ports >>"$s.log" 2>&1
  else
    # The CPU of both ends; of iperf 2 it means IPv6.
    if [ "$tool" = iperf3 ]; then verbose=-V; else verbose=; fi
    patience=4 sh "$s-client.sh" "$host" "$peer" bounded "$address" "$tool" "$seconds" 1 forward '' "$id" 1 "$ports" -t "$seconds" -i 1 -P 1 $verbose >>"$s.log" 2>&1
  fi
  until_up $((zero + round * slot - 1))
  [ "$role" = receive ] && rm -f "$d/iperf-$peer:$host.server"
done
until_up $((zero + rounds * slot)); finish done
