# shellcheck shell=sh
# Disks of the labs of md, read by their guests.

# Each disk is a host of its own with memory of its own: else all would share one. udev reads the serial numbers that lsblk prints, by one
# of its rules: the others cost seconds, and that which puts members into arrays by itself makes results depend on who comes first.
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
