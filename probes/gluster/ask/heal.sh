#!/bin/sh
# What waits to be healed: WORD VOLUME...; old clients list every entry (no word), newer ones (3.13) count them (summary).

word=$1
shift
for volume in "$@"; do
  printf '@@faultline heal %s\n' "$volume"
  # shellcheck disable=SC2086 # of old versions there is no such word
  timeout 20 gluster volume heal "$volume" info $word --xml 2>&1
done
printf '@@faultline end\n'
