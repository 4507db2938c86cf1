#!/bin/sh
# What waits to be healed: WORD VOLUME...; old clients list every entry (no word), newer ones (3.13) count them (summary). Where
# something waits it is asked, too, which of it is in split-brain: that never heals by itself.

word=$1
shift
for volume in "$@"; do
  printf '@@faultline heal %s\n' "$volume"
  # shellcheck disable=SC2086 # of old versions there is no such word
  waiting=$(timeout 20 gluster volume heal "$volume" info $word --xml 2>&1)
  printf '%s\n' "$waiting"
  # totalNumberOfEntries of the summary, numberOfEntries of old clients.
  if printf '%s\n' "$waiting" | grep -q 'umberOfEntries>[1-9]'; then
    printf '@@faultline split %s\n' "$volume"
    timeout 10 gluster volume heal "$volume" info split-brain --xml 2>&1
  fi
done
printf '@@faultline end\n'
