#!/bin/sh
# Ends every test of a host: clients write what they have, servers go.

. ../../../src/kit/task-folders.sh
folders=$(task_folders) || exit
for d in $folders; do
  [ -O "$d" ] || continue
  for f in "$d"/iperf-*.run; do [ -e "$f" ] && ! grep -q '^=== end ' "$f" && : >"$f.cancel"; done
  rm -f "$d"/iperf-*.server
  if grep -qs -e '^state=armed' -e '^state=running' "$d/iperf-sweep.task"; then : >"$d/iperf-sweep.cancel"; fi
done
exit 0
