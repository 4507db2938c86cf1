#!/bin/sh
# What waits to be healed: WORD VOLUME...; old clients list every entry (no word), newer ones (3.13) count them (summary). Where
# something is in split-brain, or waits and was not counted apart, it is asked, too, which files those are: they never heal by
# themselves. That walks through everything that waits once more, on all bricks.

word=$1
shift
# Old clients do not count split-brain apart: there every entry may be one.
count=numberOfEntries
[ "$word" != summary ] || count=numberOfEntriesInSplitBrain
for volume in "$@"; do
  printf '@@faultline heal %s\n' "$volume"
  # shellcheck disable=SC2086 # of old versions there is no such word
  waiting=$(timeout 20 gluster volume heal "$volume" info $word --xml 2>&1)
  printf '%s\n' "$waiting"
  if printf '%s\n' "$waiting" | grep -q "$count>[1-9]"; then
    printf '@@faultline split %s\n' "$volume"
    timeout 10 gluster volume heal "$volume" info split-brain --xml 2>&1
  fi
done
printf '@@faultline end\n'
