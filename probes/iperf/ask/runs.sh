#!/bin/sh
# What tests left on this host, at most 262,144 bytes of each: intervals are made long enough for it. Changes nothing, but that `lease`
# keeps a test alive that is watched.
# shellcheck disable=SC2154 # given or not: lease

. ../../../src/kit/part.sh
. ../../../src/kit/task-folders.sh
folders=$(task_folders 2>&1)
looked=$?
files() {
  [ "$looked" = 0 ] || { echo "$folders"; return 3; }
  for d in $folders; do find "$d" -maxdepth 1 -type f \( -user 0 -o -user "$me" \) -name "$1" -exec head -v -c "$2" {} +; done
}
if [ -n "$lease" ] && [ "$looked" = 0 ]; then
  for d in $folders; do if [ -O "$d" ]; then touch "$d/iperf-lease"; fi; done
fi
part clock date +%s
part others not_ours
part runs files 'iperf-*.run' 262144
part servers files 'iperf-*.server' 200
part carried files 'iperf-*.carried' 4000
part sweep files iperf-sweep.task 2000
say end
