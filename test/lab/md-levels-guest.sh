# shellcheck shell=sh
# The guest of the lab of md's other levels: disks with serial numbers as in the md lab (md-guest.sh), of which one lies below dm-dust.

begin() {
  # shellcheck source=/dev/null
  . /hostfs/disks.sh
  modprobe raid10
  modprobe dm-dust
}

serve() {
  size=$(cat /sys/block/sdh/size)
  dmsetup create dust0 --noudevsync --table "0 $size dust /dev/sdh 0 512"
  mdadm --create /dev/md10 --run --quiet --level=10 --layout=n2 --raid-devices=4 --bitmap=internal /dev/sda /dev/sdb /dev/sdc /dev/sdd
  mdadm --create /dev/md5 --run --quiet --level=5 --raid-devices=3 --bitmap=internal /dev/sde /dev/sdf /dev/sdg
  mdadm --create /dev/md3 --run --quiet --level=1 --raid-devices=2 --bitmap=internal /dev/dm-0 /dev/sdi
  for array in md10 md5 md3; do
    mkfs.ext4 -q /dev/$array
    mkdir -p /srv/$array
    mount /dev/$array /srv/$array
  done
  mdadm --wait /dev/md10 /dev/md5 /dev/md3
  udevadm trigger --action=change --subsystem-match=block
  udevadm settle
}
