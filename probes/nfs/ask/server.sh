#!/bin/sh
# What a server's kernel knows of nfsd, and what its RPC services answer. Tables in memory and calls with a deadline; no exported file
# system is touched. A table that may not be read says so in its own section.

. ../../../src/kit/say.sh
. ./call.sh
. ./kernel.sh
LC_ALL=C
export LC_ALL
nfsd=/proc/fs/nfsd

say uptime
cat /proc/uptime
say threads
cat $nfsd/threads 2>&1
say pools
cat $nfsd/pool_stats 2>&1
say lease
cat $nfsd/nfsv4leasetime 2>&1
say grace
cat $nfsd/nfsv4gracetime 2>&1
# Kernels before 5.3 have no folder of clients: then there is no such section, and it is not known who they are.
if [ -d $nfsd/clients ]; then
  say clients
  find $nfsd/clients -mindepth 2 -maxdepth 2 -name info -exec tail -v -n +1 -- {} + 2>&1
fi
say exports
timeout -s KILL 5 exportfs -v 2>&1 || echo "exportfs ended with $?"
# As which clients of its exports the kernel knows an address: so long as it talks, and only root may read it.
known=/proc/net/rpc/auth.unix.ip/content
if [ -r $known ]; then
  say known
  head -c 1000000 $known 2>&1
fi
say workers
# Threads of the kernel, whose parent is process 2: anybody may call a program nfsd.
ps -eo ppid,stat,wchan:40,comm 2>&1 | awk 'NR == 1 || ($1 == 2 && $NF == "nfsd") { sub(/^ *(PPID|2) +/, ""); print }'
say sockets
ss -tn state established '( sport = :2049 )' 2>&1

call nfs 127.0.0.1 3 &
call nfs 127.0.0.1 4 &
call rpcbind 127.0.0.1 4 &
call statd 127.0.0.1 1 &
call lockd 127.0.0.1 4 &
call mountd 127.0.0.1 3 &
wait
kernel_lines
say end
