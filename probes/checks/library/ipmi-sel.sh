#!/bin/sh
# What the service processor logged: uncorrectable memory errors, power supplies, temperatures, and how full its log is: `ipmitool sel info`
# and `ipmitool sel elist` (ipmitool(1)). A full log takes nothing more. Told: ipmitool, the command with what gives it its rights.
# shellcheck disable=SC2154,SC2086 # ipmitool is set by whoever sends this script, and has several words

if ! info=$($ipmitool sel info 2>&1); then
  printf 'SEL UNKNOWN: %s\n' "$info" | head -n 1 | tr '|' ' '
  exit 3
fi
full=$(printf '%s\n' "$info" | sed -n 's/^Percent Used *: *\([0-9][0-9]*\)%.*/\1/p')
entries=$(printf '%s\n' "$info" | sed -n 's/^Entries *: *\([0-9][0-9]*\).*/\1/p')
if [ -z "$entries" ]; then
  echo 'SEL UNKNOWN: the number of entries is not understood'
  exit 3
fi
if [ "$entries" -gt 0 ] && ! list=$($ipmitool sel elist 2>&1); then
  printf 'SEL UNKNOWN: %s\n' "$list" | head -n 1 | tr '|' ' '
  exit 3
fi
# ID | date | time | sensor | event | direction: what was asserted, and not taken back since.
printf '%s\n' "${list-}" | awk -F' *[|] *' -v full="$full" -v entries="$entries" '
  NF >= 5 {
    key = $4 "|" $5
    if ($6 ~ /^Deasserted/) { delete open[key]; next }
    if ($5 ~ /Uncorrectable ECC|Non-recoverable|Power Supply AC lost|Failure detected|Upper Critical|Lower Critical|Bus Uncorrectable|IERR/) {
      open[key] = $2 " " $3
      last = key
    }
  }
  END {
    n = 0
    for (key in open) n++
    split(last in open ? last : "", part, "|")
    for (key in open) if (part[1] == "") split(key, part, "|")
    perfdata = sprintf(" | events=%d entries=%d", n, entries)
    # Some processors do not say how full their log is.
    if (full != "") perfdata = perfdata sprintf(" full=%d%%;90;;0;100", full)
    if (n > 0) { print "SEL CRITICAL: " n " not taken back, one of them " part[1] ": " part[2] perfdata; exit 2 }
    if (full + 0 >= 90) { print "SEL WARNING: the log is " full "% full, and takes nothing more when it is" perfdata; exit 1 }
    print "SEL OK: " entries " entries, none of them grave" (full == "" ? ", how full the log is is not known" : "") perfdata
  }
'
