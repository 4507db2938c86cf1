#!/bin/sh
# Ends every test of a host: clients write what they have, servers go.

. ../../../src/kit/ours.sh
d=/var/tmp/faultline-tasks; [ -e "$d" ] || exit 0; ours "$d" || exit 3
for f in "$d"/iperf-*.run; do [ -e "$f" ] && ! grep -q '^=== end ' "$f" && : >"$f.cancel"; done
rm -f "$d"/iperf-*.server; grep -qs -e '^state=armed' -e '^state=running' "$d/iperf-sweep.task" && : >"$d/iperf-sweep.cancel"; exit 0
