#!/bin/sh
# What tasks of any console are doing on this client: two small files each, and the clock they were written by.

. ../../../src/kit/ours.sh
d=/var/tmp/faultline-tasks
date +now=%s
ours "$d" && find "$d" -maxdepth 1 -type f \( -name 'lustre-*.task' -o -name 'lustre-*.beat' \) -exec head -v -c 8000 {} +
