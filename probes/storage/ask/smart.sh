#!/bin/sh
# What disks say of their own health, one after the other. The type comes from sysfs: to find it out smartctl would have to wake a
# sleeping disk. A disk that sleeps is left asleep and says so.

. ../../../src/kit/part.sh
LC_ALL=C
export LC_ALL

if command -v smartctl > /dev/null 2>&1; then
  for folder in /sys/block/sd* /sys/block/nvme*n1; do
    [ -d "$folder" ] || continue
    name=${folder##*/}
    vendor=
    [ -r "$folder/device/vendor" ] && read -r vendor < "$folder/device/vendor"
    case $name:$vendor in
      nvme*) type=nvme ;;
      *:ATA*) type=sat ;;
      *) type=scsi ;;
    esac
    say smart "$name"
    timeout -s KILL 15 smartctl -j -n standby,3 -i -H -A -l error -d "$type" "/dev/$name" 2>&1
    printf '\n'
  done
else
  say none
fi
say end
