import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labProblem } from './kernel-session.ts';
import type { KernelLab } from './kernels.ts';

export type MdHost = 'array1';

/** One array host with arrays of md on disks of scsi_debug, which have serial numbers. */
const labOf = (
  lab: Pick<KernelLab<MdHost>, 'name' | 'title' | 'bridge' | 'guest'> & { subnet: string },
): KernelLab<MdHost> => {
  const { subnet, ...own } = lab;
  return {
    ...own,
    ownAddress: `${subnet}.254/24`,
    hosts: { array1: { address: `${subnet}.1`, memory: '640M', words: {} } },
    needed: {
      '/usr/sbin/mdadm': 'mdadm',
      '/usr/sbin/dmsetup': 'dmsetup',
      '/usr/lib/udev/scsi_id': 'udev',
      '/usr/sbin/mkfs.ext4': 'e2fsprogs',
    },
    site: 'hosts:\n  - {names: array1, roles: [storage]}\n',
    files: [{ name: 'disks.sh', text: readFileSync(join(import.meta.dirname, 'md-disks.sh'), 'utf8') }],
  };
};

export const mdLab = labOf({
  name: 'md',
  title: 'the md lab',
  bridge: 'flmd',
  subnet: '10.120.0',
  guest: 'md-guest.sh',
});

/** RAID5, RAID10, and a member with bad sectors. */
export const levelsLab = labOf({
  name: 'md-levels',
  title: "the lab of md's other levels",
  bridge: 'fllv',
  subnet: '10.122.0',
  guest: 'md-levels-guest.sh',
});

/** Ten minutes of a slow kernel are no part of a run of all tests: only where somebody asks for them (`npm run test:md`). */
export const isLeftOut = (lab: KernelLab<MdHost>): boolean =>
  process.env['FAULTLINE_MD'] === undefined || labProblem(lab) !== undefined;
