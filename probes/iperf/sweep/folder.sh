#!/bin/sh
# Said by the scripts that start something, before anything: a folder that somebody else made is not written to. What is started must
# have left our process group before the script ends, because the frame ends that group with it: so each waits for a sign of it.

. ../../../src/kit/ours.sh
d=/var/tmp/faultline-tasks; umask 022; mkdir -p "$d"; ours "$d" || exit 3; [ -O "$d" ] || { echo "$d is not ours" >&2; exit 3; }; touch "$d/iperf-lease"
until_in() { n=0; while [ $n -lt 50 ]; do grep -qs -e "^$2" "$1" && return 0; sleep 0.1; n=$((n + 1)); done; echo "nothing was started" >&2; exit 1; }
