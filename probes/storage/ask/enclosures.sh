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
part timers systemctl list-units --all --plain --no-legend --no-pager --type=timer 'faultline-locate-*'
if command -v ledctl > /dev/null 2>&1; then say ledctl; fi
say end
