#!/bin/sh
# What the kernel knows of arrays, pools and paths: tables in memory, and no disk is touched. A tool that is not there has no section.

. ../../../src/kit/part.sh
LC_ALL=C
export LC_ALL

say mdstat
cat /proc/mdstat 2>&1
say mdsys
grep -H -s . /sys/block/md*/md/array_state /sys/block/md*/md/sync_action /sys/block/md*/md/degraded \
  /sys/block/md*/md/mismatch_cnt /sys/block/md*/md/sync_completed /sys/block/md*/md/raid_disks \
  /sys/block/md*/md/level /sys/block/md*/md/sync_speed_min /sys/block/md*/md/sync_speed_max \
  /sys/block/md*/md/dev-*/state /sys/block/md*/md/dev-*/slot /sys/block/md*/md/dev-*/errors
# A disk that was pulled leaves a link to nothing, while mdstat may still count it.
say gone
for link in /sys/block/md*/md/dev-*/block; do
  [ -L "$link" ] && [ ! -e "$link" ] && printf '%s\n' "$link"
done
part disks lsblk -nP -o NAME,PKNAME,TYPE,SERIAL,WWN,MOUNTPOINT,FSTYPE,UUID
if command -v zpool > /dev/null 2>&1; then
  part zpool timeout -s KILL 10 zpool status -pP
  # By these commands name a disk without doubt (zpool-status(8), -g).
  part guids timeout -s KILL 10 zpool status -gp
fi
if command -v multipathd > /dev/null 2>&1; then
  part paths timeout -s KILL 10 multipathd show maps json
fi
# What was written since the host came up: two readings tell how quickly.
say writes
cat /proc/uptime /proc/diskstats 2>&1
say end
