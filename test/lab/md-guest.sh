# shellcheck shell=sh
# The guest of the md lab, read by its first process (kernel-guest.sh): disks with serial numbers, and arrays of md made of them.

begin() {
  # shellcheck source=/dev/null
  . /hostfs/disks.sh
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
