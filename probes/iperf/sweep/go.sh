#!/bin/sh
# sweep-go ID
# The word to begin, for this sweep and no other.

. ../../../src/kit/ours.sh
ours /var/tmp/faultline-tasks 2>/dev/null || { echo 'no such sweep is armed here' >&2; exit 1; }
s=/var/tmp/faultline-tasks/iperf-sweep
grep -qs "^id=$2\$" "$s.task" && grep -q '^state=armed' "$s.task" || { echo 'no such sweep is armed here' >&2; exit 1; }
: >"$s.go"
