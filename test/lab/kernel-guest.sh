#!/bin/sh
# The first process of a user-mode kernel of a lab: the machine's own /usr read-only below a root in memory, a network and an sshd, then
# what the lab itself wants (own.sh). What it is told stands on the kernel's command line, which gives its unknown words to the first
# process as variables. It runs itself again below the new root.
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
    [ -e /etc/$file ] && cp -a /etc/$file etc/
  done
  ln -s /proc/self/mounts etc/mtab
  ln -s ../run var/run
  mount -t hostfs -o "${lab_folder:?}" none hostfs
  cp hostfs/hosts etc/hosts
  mount --move /proc proc
  mount --move /sys sys
  mount -t devtmpfs dev dev
  mkdir -p dev/pts
  mount -t devpts devpts dev/pts
  mount -t tmpfs tmpfs run
  mkdir -p run/lock run/sshd
  hostname "${lab_name:?}"
  exec chroot $new /bin/sh /hostfs/guest.sh inside
}

# The lab's own begins before sshd does, and what else it starts in serve.
if [ "$1" = inside ]; then
  # shellcheck source=/dev/null
  . /hostfs/own.sh
  ip link set lo up
  ip addr add "${lab_address:?}/24" dev vec0
  ip link set vec0 up
  begin
  /usr/sbin/sshd -f /hostfs/sshd.conf -h "/hostfs/${lab_name:?}.key"
  serve
  touch "/hostfs/${lab_name:?}.ready"
  # The first process reaps what others leave behind; its end would be a panic of the kernel.
  while :; do
    sleep 3600 &
    wait $!
  done
fi
below
