#!/bin/sh
# sweep-go ID
# The word to begin, for this sweep and no other.

s=/var/tmp/faultline-tasks/iperf-sweep
grep -qs "^id=$2\$" "$s.task" && grep -q '^state=armed' "$s.task" || { echo 'no such sweep is armed here' >&2; exit 1; }
: >"$s.go"
