#!/bin/sh
# What `exportfs -ra` would make of /etc/exports, tried in a mount namespace of its own with empty tables: the table in force, the
# kernel's caches and /var/lib/nfs of the host stay as they are. Then the table in force.

. ../../../src/kit/say.sh
LC_ALL=C
export LC_ALL
say dry
# shellcheck disable=SC2016 # expanded by the inner shell
timeout -s KILL 20 unshare -m sh -c '
  mount --make-rprivate / && mount -t tmpfs none /var/lib/nfs && mount -t tmpfs none /proc/fs/nfsd || { echo "no namespace of its own"; exit 99; }
  exportfs -ra 2>&1
  code=$?
  echo "@@faultline tried $code"
  exportfs -v' 2>&1
say live
timeout -s KILL 5 exportfs -v 2>&1 || echo "exportfs ended with $?"
say end
