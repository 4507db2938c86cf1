# shellcheck shell=sh
# A guest of the NFS lab, read by its first process (kernel-guest.sh): the daemons of an NFS server or client.

begin() {
  : >/etc/exports
  mkdir -p /run/rpcbind
  mount -t tmpfs tmpfs /var/lib/nfs
  cd /var/lib/nfs || exit
  mkdir -p sm sm.bak rpc_pipefs v4recovery
  : >etab
  : >rmtab
  : >state
  chown -R statd /var/lib/nfs
  for module in ipv6 sunrpc nfs nfsv3 nfsv4 lockd nfsd loop fuse; do modprobe $module; done
  ip -6 addr add "${lab_address6:?}/64" dev vec0 nodad
  rpcbind -w
  rpc.statd --no-notify
}

# An ext4 of its own, which can be frozen. Grace periods are short: a lock is granted only after them.
export_home() {
  truncate -s 200M /export.img
  mkfs.ext4 -q -N 40000 /export.img
  mount -o loop /export.img /export
  mkdir -p /export/home /export/apps
  echo home >/export/home/readme
  echo apps >/export/apps/readme
  cp /hostfs/exports /etc/exports
  mount -t nfsd nfsd /proc/fs/nfsd
  echo 15 >/proc/fs/nfsd/nfsv4leasetime
  echo 15 >/proc/fs/nfsd/nfsv4gracetime
  echo 10 >/proc/sys/fs/nfs/nlm_grace_period
  exportfs -ra
  rpc.nfsd 8
  rpc.mountd
}

# Only once the server answers: a mount that waits would hold up the rest.
mount_home() {
  turn=0
  until timeout -s KILL 5 rpcinfo -a "${lab_server:?}.8.1" -T tcp 100003 4 || [ $turn -gt 40 ]; do
    turn=$((turn + 1))
    sleep 0.5
  done
  timeout -s KILL 30 mount -t nfs -o vers=3,hard nfs1:/export/home /home
  timeout -s KILL 30 mount -t nfs -o vers=4.2,hard nfs1:/export/apps /apps
}

serve() {
  if [ "${lab_role:?}" = server ]; then export_home; else mount_home; fi
}
