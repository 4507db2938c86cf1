#!/bin/sh
# Said by the scripts that start something, before anything: nothing is written into a folder that somebody else made. What is started must
# have left our process group before the script ends, because the frame ends that group with it: so each waits for a sign of it.

. ../../../src/kit/task-folders.sh
own_tasks
touch "$d/iperf-lease"
# What the interfaces carried between two looks at their counters: of /proc/net/dev the name, what came and (the 10th word) what went, bytes.
# shellcheck disable=SC2016 # for awk
export between='{ sub(/:/, " ") }
$1 == "up" { n++; t[n] = $2 }
n == 1 && NF > 10 { r[$1] = $2; s[$1] = $10 }
n == 2 && NF > 10 && ($1 in r) && $1 != "lo" && $2 >= r[$1] && $10 >= s[$1] && $2 + $10 > r[$1] + s[$1] { printf "%s %.0f %.0f\n", $1, $2 - r[$1], $10 - s[$1] }
END { printf "seconds=%.2f\n", t[2] - t[1] }'
until_in() { n=0; while [ $n -lt 50 ]; do grep -qs -e "^$2" "$1" && return 0; sleep 0.1; n=$((n + 1)); done; echo "nothing was started" >&2; exit 1; }
