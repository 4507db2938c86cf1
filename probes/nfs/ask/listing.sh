#!/bin/sh
# What measurements of `ls` on this host came to (probes/nfs/act/list.sh), the snippets for login shells as they are, and how many
# file systems are mounted by NFS. No file system but those of /etc, /var/tmp and /proc is touched.

. ../../../src/kit/part.sh
. ../../../src/kit/task-folders.sh
listings() {
  folders=$(task_folders 2>&1) || { echo "$folders"; return 3; }
  for d in $folders; do find "$d" -maxdepth 1 -type f \( -user 0 -o -user "$me" \) -name 'listing-*.kept' -exec head -q -c 16384 {} +; done
}
snippet() {
  [ -e "$1" ] || [ -L "$1" ] || return 4
  head -c 16384 "$1"
}
part clock date +%s
part mounts awk '/ - nfs4? / { n++ } END { print n + 0 }' /proc/self/mountinfo
part listings listings
part sh snippet /etc/profile.d/zz-faultline-ls-colors.sh
part csh snippet /etc/profile.d/zz-faultline-ls-colors.csh
say end
