# shellcheck shell=sh
# The guest of the md lab, read by its first process (kernel-guest.sh): disks with serial numbers, and arrays of md made of them.

# Each disk is a host of its own with memory of its own: else all would share one. udev reads the serial numbers that lsblk prints, by one
# of its rules: the others cost seconds, and that which puts members into arrays by itself makes results depend on who comes first.
begin() {
  rules=/usr/lib/udev/rules.d
  cp $rules/60-persistent-storage.rules /run
  mount -t tmpfs tmpfs $rules
  cp /run/60-persistent-storage.rules $rules
  mkdir -p /run/udev /run/mdadm /etc/mdadm
  /lib/systemd/systemd-udevd --daemon
  modprobe sd_mod
  modprobe scsi_debug add_host=10 num_tgts=1 max_luns=1 per_host_store=1 dev_size_mb=24 delay=0
  modprobe raid1
  modprobe raid456
  udevadm settle
}

serve() {
  mdadm --create /dev/md1 --run --quiet --level=1 --raid-devices=2 --bitmap=internal /dev/sda /dev/sdb
  mdadm --create /dev/md6 --run --quiet --level=6 --raid-devices=4 --bitmap=internal /dev/sdc /dev/sdd /dev/sde /dev/sdf
  for array in md1 md6; do
    mkfs.ext4 -q /dev/$array
    mkdir -p /srv/$array
    mount /dev/$array /srv/$array
  done
  mdadm --wait /dev/md1 /dev/md6
  # As after a boot: udev knows what each disk holds.
  udevadm trigger --action=change --subsystem-match=block
  udevadm settle
}
