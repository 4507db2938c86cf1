#!/bin/sh
# What a client's kernel knows of its NFS mounts: tables in memory, which are answered while every server is dead. Nothing here touches a
# mount: no stat, no df, no listing. Of processes only what proc(5) gives without their memory.

. ../../../src/kit/say.sh
. ./kernel.sh
LC_ALL=C
export LC_ALL

say uptime
cat /proc/uptime
# The first line shows that the table was read where there is no NFS.
say mounts
awk 'NR == 1 { print; next } { for (i = 7; i < NF; i++) if ($i == "-") { if ($(i + 1) ~ /^(nfs|nfs4|autofs)$/) print; break } }' /proc/self/mountinfo 2>&1
# What is mounted at boot.
say fstab
[ ! -r /etc/fstab ] || awk '$1 !~ /^#/ && $3 ~ /^nfs4?$/ { print $1, $2 }' /etc/fstab 2>&1
# Of thousands of mounts the first 8 MB, so that what follows is read all the same.
say stats
awk '/^(no )?device / { keep = / with fstype nfs4? /; if (!keep && !shown++) print } keep && !/^[ \t]+[A-Z_0-9]+: 0 / { size += length + 1; if (size > 8000000) { print "cut at 8 MB"; exit } print }' /proc/self/mountstats 2>&1
say volumes
# Absent where the module was never loaded.
if [ -e /proc/fs/nfsfs/volumes ]; then cat /proc/fs/nfsfs/volumes 2>&1; fi
# All that wait uninterruptibly, with what they wait in (the first 300). Not the kernel's own threads, children of the second process: the
# state manager of NFSv4 waits for a silent server while nobody uses it.
say waiting
ps -eLo ppid,pid,lwp,stat,etimes,wchan:40,comm 2>&1 | awk '{ parent = $1; if (NF > 6) sub(/^ *[^ ]+ /, "") } NR == 1 { print; next } $3 ~ /^D/ && parent != 2 { if (++n <= 300) print } END { print "total", n + 0 }'
# What the kernel still works on for each server address. A request whose process was killed is in the counters above for ever, and not here.
# Kernels before 5.15 have no such files; of a connection that is down only its state can be read.
say tasks
grep -Hs '' /sys/kernel/sunrpc/xprt-switches/*/xprt-*/dstaddr /sys/kernel/sunrpc/xprt-switches/*/xprt-*/xprt_state /sys/kernel/sunrpc/xprt-switches/*/xprt-*/xprt_info </dev/null |
  grep -E 'dstaddr:|xprt_state:state=CLOSED|:tasks_queuelen=' | head -n 3000
say sockets
ss -tno state all '( dport = :2049 or sport = :2049 )' 2>&1
kernel_lines
say end
