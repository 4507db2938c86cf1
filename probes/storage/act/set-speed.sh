#!/bin/sh
# Sets the rebuild speed of the array $2: KiB/s at least ($3) and at most ($4), `system` for the machine's own. With $5, after so many
# seconds $6 and $7 are put back by a process that needs no connection, unless somebody has set others since. A reboot forgets all of it.
LC_ALL=C
export LC_ALL
shift
at=/sys/block/$1/md

echo "$2" > "$at/sync_speed_min" || exit 3
echo "$3" > "$at/sync_speed_max" || exit 4
if [ -n "$4" ]; then
  # shellcheck disable=SC2016
  setsid sh -c 'sleep "$1"; now=$(cat "$2/sync_speed_min" "$2/sync_speed_max"); [ "$now" = "$3" ] || exit 0; echo "$4" > "$2/sync_speed_min"; echo "$5" > "$2/sync_speed_max"' \
    faultline-rebuild-speed "$4" "$at" "$(cat "$at/sync_speed_min" "$at/sync_speed_max")" "$5" "$6" < /dev/null > /dev/null 2>&1 &
fi
