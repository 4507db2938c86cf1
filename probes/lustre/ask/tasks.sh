#!/bin/sh
# What tasks of any console are doing on this client: two small files each, and the clock they were written by.

. ../../../src/kit/task-folders.sh
date +now=%s
folders=$(task_folders) || exit
for d in $folders; do
  find "$d" -maxdepth 1 -type f \( -user 0 -o -user "$me" \) \( -name 'lustre-*.task' -o -name 'lustre-*.beat' \) -exec head -v -c 8000 {} +
done
