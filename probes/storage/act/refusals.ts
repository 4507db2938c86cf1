import type { Refusals } from '../../../src/model/action.ts';

/** `sudo -n` without the right: the command was not run (sudoers(5)). */
const sudoLines: Refusals['lines'] = [
  { text: String.raw`sudo: a password is required`, exit: 1, source: 'sudo(8), -n' },
];

/** mdadm opens a disk before it writes to it. */
const busy: Refusals['lines'][number] = {
  text: String.raw`mdadm: Cannot open /dev/\S+: Device or resource busy`,
  exit: 1,
  source: 'mdadm 4.2, Manage.c: opened before anything is written',
};

/** Before `--fail` nothing of mdadm proves anything: "busy" comes after the array is broken (mdadm 4.2, Linux 6.1). */
export const failRefusals: Refusals = { tool: 'mdadm --fail', lines: sudoLines };

export const removeRefusals: Refusals = {
  tool: 'mdadm --remove',
  lines: [
    ...sudoLines,
    {
      text: String.raw`mdadm: hot remove failed for /dev/\S+: Device or resource busy`,
      exit: 1,
      source: 'mdadm 4.2, Manage.c: the kernel takes no active member out',
    },
  ],
};

export const readdRefusals: Refusals = {
  tool: 'mdadm --re-add',
  lines: [
    ...sudoLines,
    {
      text: String.raw`mdadm: --re-add for /dev/\S+ to /dev/\S+ is not possible`,
      exit: 1,
      source: 'mdadm 4.2, Manage.c: no bitmap, other use since, or no superblock; nothing was written',
    },
    busy,
  ],
};

export const addRefusals: Refusals = {
  tool: 'mdadm --add',
  lines: [
    ...sudoLines,
    busy,
    {
      text: String.raw`faultline: (?:/dev/\S+ holds .*|what /dev/\S+ holds can't be read): nothing was written`,
      exit: 3,
      source: 'add-disk.sh: before mdadm runs',
    },
    {
      text: String.raw`mdadm: /dev/\S+ not large enough to join array`,
      exit: 1,
      source: 'mdadm 4.2, Manage.c: compared before a superblock is written',
    },
  ],
};

/** Seen on a machine without a backplane that speaks (ledmon 0.95): nothing was lit. */
export const ledctlRefusals: Refusals = {
  tool: 'ledctl',
  lines: [
    ...sudoLines,
    {
      text: String.raw`ledctl: /dev/\S+: device not supported`,
      exit: 33,
      source: 'ledmon 0.95, ledctl.c: no controller knows it',
    },
  ],
  beside: [
    String.raw`ledctl: IBPI LOCATE(?:_OFF)?: missing block device\(s\)\.\.\. pattern ignored\.`,
    String.raw`\S+ledmon\.conf: does not exist, using (?:global config file|built-in defaults)`,
  ],
};

export const replaceRefusals: Refusals = {
  tool: 'mdadm --replace',
  lines: sudoLines,
};

/** zpool(8) of OpenZFS: looked up and refused before anything is sent to the kernel, or refused by it as a whole. */
export const zpoolRefusals: Refusals = {
  tool: 'zpool',
  lines: [
    ...sudoLines,
    {
      text: String.raw`cannot offline \S+: no valid replicas`,
      exit: 1,
      source: 'zpool-offline(8): the kernel keeps it',
    },
    {
      text: String.raw`cannot \w+ \S+: no such device in pool`,
      exit: 1,
      source: 'libzfs_pool.c: looked up before',
    },
    { text: String.raw`cannot open '\S+': no such pool`, exit: 1, source: 'libzfs_pool.c: looked up before' },
    {
      text: String.raw`cannot replace \S+ with \S+: device is too small`,
      exit: 1,
      source: 'libzfs_pool.c: refused by the kernel',
    },
    { text: String.raw`cannot \w+ \S+: permission denied`, exit: 1, source: 'libzfs_util.c' },
  ],
};

export const speedRefusals: Refusals = {
  tool: 'sync_speed_min',
  lines: [
    ...sudoLines,
    {
      text: String.raw`.*(?:cannot create|can't create|sync_speed_min: (?:No such file|Permission denied)).*`,
      exit: 3,
      source: 'set-speed.sh: the first of both was not opened, in the words of dash, busybox and bash',
    },
  ],
};
