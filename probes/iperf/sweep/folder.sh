#!/bin/sh
# Said by the scripts that start something, before anything: nothing is written into a folder that somebody else made. What is started must
# have left our process group before the script ends, because the frame ends that group with it: so each waits for a sign of it.

. ../../../src/kit/task-folders.sh
own_tasks
touch "$d/iperf-lease"
until_in() { n=0; while [ $n -lt 50 ]; do grep -qs -e "^$2" "$1" && return 0; sleep 0.1; n=$((n + 1)); done; echo "nothing was started" >&2; exit 1; }
