import type { KernelLab } from './kernels.ts';

export type MdHost = 'array1';

/** An array host with arrays of md on disks of scsi_debug, which have serial numbers. */
export const mdLab: KernelLab<MdHost> = {
  name: 'md',
  title: 'the md lab',
  bridge: 'flmd',
  ownAddress: '10.120.0.254/24',
  hosts: { array1: { address: '10.120.0.1', memory: '640M', words: {} } },
  needed: {
    '/usr/sbin/mdadm': 'mdadm',
    '/usr/lib/udev/scsi_id': 'udev',
    '/usr/sbin/mkfs.ext4': 'e2fsprogs',
  },
  guest: 'md-guest.sh',
  site: 'hosts:\n  - {names: array1, roles: [storage]}\n',
  files: [],
};
