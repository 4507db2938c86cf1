#!/bin/sh
# Slots of disk enclosures as the kernel's SES driver shows them, and our timers that put a locate LED out. To read a slot's state asks
# the enclosure and touches no disk; an enclosure that hangs is given up after 20 s.

. ../../../src/kit/part.sh
LC_ALL=C
export LC_ALL

at=/sys/class/enclosure
part slots timeout -s KILL 20 grep -H -s . $at/*/*/type $at/*/*/slot $at/*/*/status $at/*/*/fault $at/*/*/locate
say disks
for block in "$at"/*/*/device/block/*; do
  [ -e "$block" ] && printf '%s\n' "$block"
done
# Power supplies, fans and sensors, of an enclosure that is reached by two ways once: both have its id.
if command -v sg_ses > /dev/null 2>&1; then
  seen=' '
  for generic in "$at"/*/device/scsi_generic/sg*; do
    [ -e "$generic" ] || continue
    enclosure=${generic#"$at"/}
    enclosure=${enclosure%%/*}
    id=$(cat "$at/$enclosure/id" 2> /dev/null) || id=$enclosure
    case $seen in *" $id "*) continue ;; esac
    seen="$seen$id "
    say ses "$enclosure"
    timeout -s KILL 20 sg_ses --readonly --page=es --filter "/dev/${generic##*/}" 2>&1
    say ses-exit "$?"
  done
fi
part timers systemctl list-units --all --plain --no-legend --no-pager --type=timer 'faultline-locate-*'
if command -v ledctl > /dev/null 2>&1; then say ledctl; fi
say end
