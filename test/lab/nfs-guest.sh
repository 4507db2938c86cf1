#!/bin/sh
# The first process of a kernel of the NFS lab: the machine's own /usr read-only below a root in memory, then the daemons of an NFS server
# or client and an sshd. What it is told stands
# on the kernel's command line, which gives its unknown words to the first process as variables. It runs itself again below the new root.
# An overlay would not do as root: nfsd can't build the pseudo root of NFSv4 on one.
PATH=/sbin0:/usr/sbin:/usr/bin:/sbin:/bin
export PATH LC_ALL=C TZ=UTC HOME=/root
set -f

below() {
  mount -t proc proc /proc
  mount -t sysfs sysfs /sys
  new=/mnt
  mount -t tmpfs tmpfs $new
  cd $new || exit
  mkdir -p usr etc/profile.d var/lib/nfs var/log var/tmp proc sys dev run tmp root export hostfs home apps m/lib/modules sbin0
  for link in bin sbin lib lib64; do [ -L /$link ] && ln -s usr/$link $link; done
  mount --bind /usr usr
  mount -o remount,bind,ro usr
  mount --bind /usr/lib/uml/modules m/lib/modules
  # The kernel calls this one, too.
  printf '#!/bin/sh\nexec /usr/sbin/modprobe -d /m "$@"\n' >sbin0/modprobe
  chmod +x sbin0/modprobe
  echo /sbin0/modprobe >/proc/sys/kernel/modprobe
  for file in passwd group shadow nsswitch.conf protocols services rpc netconfig ld.so.cache alternatives mke2fs.conf profile; do
    cp -a /etc/$file etc/
  done
  ln -s /proc/self/mounts etc/mtab
  ln -s ../run var/run
  : >etc/exports
  mount -t hostfs -o "${lab_folder:?}" none hostfs
  cp hostfs/hosts etc/hosts
  mount --move /proc proc
  mount --move /sys sys
  mount -t devtmpfs dev dev
  mkdir -p dev/pts
  mount -t devpts devpts dev/pts
  mount -t tmpfs tmpfs run
  mkdir -p run/rpcbind run/lock run/sshd
  hostname "${lab_name:?}"
  exec chroot $new /bin/sh /hostfs/guest.sh inside
}

daemons() {
  mount -t tmpfs tmpfs /var/lib/nfs
  cd /var/lib/nfs || exit
  mkdir -p sm sm.bak rpc_pipefs v4recovery
  : >etab
  : >rmtab
  : >state
  chown -R statd /var/lib/nfs
  ip link set lo up
  ip addr add "${lab_address:?}/24" dev vec0
  ip link set vec0 up
  for module in ipv6 sunrpc nfs nfsv3 nfsv4 lockd nfsd loop fuse; do modprobe $module; done
  ip -6 addr add "${lab_address6:?}/64" dev vec0 nodad
  rpcbind -w
  rpc.statd --no-notify
  /usr/sbin/sshd -f /hostfs/sshd.conf -h "/hostfs/${lab_name:?}.key"
}

# An ext4 of its own, which can be frozen. Grace periods are short: a lock is granted only after them.
serve() {
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
use() {
  turn=0
  until timeout -s KILL 5 rpcinfo -a "${lab_server:?}.8.1" -T tcp 100003 4 || [ $turn -gt 40 ]; do
    turn=$((turn + 1))
    sleep 0.5
  done
  timeout -s KILL 30 mount -t nfs -o vers=3,hard nfs1:/export/home /home
  timeout -s KILL 30 mount -t nfs -o vers=4.2,hard nfs1:/export/apps /apps
}

if [ "$1" = inside ]; then
  daemons
  if [ "${lab_role:?}" = server ]; then serve; else use; fi
  touch "/hostfs/${lab_name:?}.ready"
  # The first process reaps what others leave behind; its end would be a panic of the kernel.
  while :; do
    sleep 3600 &
    wait $!
  done
fi
below
