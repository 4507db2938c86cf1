import type { Refusals } from '../../../src/model/action.ts';

/** `systemctl` as far as it refuses before it asks for a job; said by `service` of old hosts in other words, which then prove nothing. */
export const systemctlRefusals: Refusals = {
  tool: 'systemctl',
  lines: [
    {
      text: String.raw`Failed to restart \S+\.service: Unit \S+\.service not found\.`,
      exit: 5,
      source: 'systemctl(1), exit 5: no such unit',
    },
    {
      text: String.raw`Failed to restart \S+\.service: (?:Interactive authentication required\.|Access denied)`,
      source: 'systemd, polkit: asked before the job is made',
    },
  ],
  beside: [String.raw`See system logs and 'systemctl status \S+' for details\.`],
};

/** `sudo -n` without the right: the command was not run (sudoers(5)). */
const sudoLines: Refusals['lines'] = [
  { text: String.raw`sudo: a password is required`, exit: 1, source: 'sudo(8), -n' },
];

/** rpc.nfsd before it writes the number. */
export const nfsdRefusals: Refusals = {
  tool: 'rpc.nfsd',
  lines: [
    ...sudoLines,
    {
      text: String.raw`rpc\.nfsd: Unable to access /proc/fs/nfsd errno 2 \(No such file or directory\)\.`,
      source: 'nfs-utils, utils/nfsd/nfssvc.c: said before anything is written',
    },
  ],
  beside: [
    String.raw`Please try, as root, 'mount -t nfsd nfsd /proc/fs/nfsd' and then restart rpc\.nfsd to correct the problem`,
  ],
};

/** exportfs before it reads its files: whatever it says of a line, it may have changed the table. */
export const exportfsRefusals: Refusals = {
  tool: 'exportfs',
  lines: [
    ...sudoLines,
    {
      text: String.raw`exportfs: could not open /var/lib/nfs/\.etab\.lock for locking: errno 13 \(Permission denied\)`,
      source: 'nfs-utils, support/export/xtab.c: no lock, nothing is written',
    },
  ],
};

/** umount, and umount.nfs which it calls: busy is known not to have unmounted, whatever was aborted. */
export const umountRefusals: Refusals = {
  tool: 'umount',
  lines: [
    ...sudoLines,
    {
      text: String.raw`umount\.nfs4?: .*: device is busy`,
      exit: 16,
      source: 'nfs-utils 2.6.2, utils/mount/nfsumount.c: umount2 said EBUSY',
    },
    {
      text: String.raw`umount: .*: target is busy\.`,
      exit: 32,
      source: 'util-linux, sys-utils/umount.c: umount2 said EBUSY',
    },
    {
      text: String.raw`umount: .*: (?:not mounted\.|must be superuser to unmount\.)`,
      exit: 32,
      source: 'util-linux, sys-utils/umount.c',
    },
  ],
};

/** list.sh before it measures: without a folder of its own it does nothing. */
export const listRefusals: Refusals = {
  tool: 'list.sh',
  lines: [
    { text: String.raw`\S+ is not ours(?:: .+)?`, exit: 3, source: 'task-folders.sh' },
    { text: 'no folder for tasks: .+', exit: 3, source: 'task-folders.sh' },
  ],
};

/** What installs and removes a snippet, before a name in /etc/profile.d changes. */
export const snippetRefusals: Refusals = {
  tool: 'mktemp, ln and rm',
  lines: [
    ...sudoLines,
    {
      text: String.raw`mktemp: failed to create file via template .+`,
      exit: 1,
      source: 'coreutils, mktemp.c: nothing was made',
    },
    {
      text: String.raw`ln: failed to create hard link .+: File exists`,
      exit: 1,
      source: 'coreutils, ln.c: link(2) said EEXIST, and the file beside it is removed',
    },
    { text: String.raw`\S+ is not what was put there`, exit: 3, source: 'colours.ts' },
    {
      text: String.raw`rm: cannot remove '\S+': (?:Permission denied|Read-only file system)`,
      exit: 1,
      source: 'coreutils, remove.c',
    },
  ],
};

/** mount, before a file system is put in place. */
export const mountRefusals: Refusals = {
  tool: 'mount',
  lines: [
    ...sudoLines,
    {
      text: String.raw`mount: .*: can't find in /etc/fstab\.`,
      exit: 1,
      source: 'util-linux, sys-utils/mount.c',
    },
    {
      text: String.raw`mount\.nfs4?: (?:access denied by server while mounting .*|mounting .* failed, reason given by server: .*)`,
      exit: 32,
      source: 'nfs-utils, utils/mount/error.c: the server said no',
    },
  ],
};

/** `ls`, which changes nothing: whatever it says, nothing was done. */
export const lookRefusals: Refusals = {
  tool: 'ls',
  lines: [...sudoLines, { text: String.raw`ls: cannot access .*`, exit: 2, source: 'coreutils, ls.c' }],
};
