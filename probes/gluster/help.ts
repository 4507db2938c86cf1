import type { CommandHelp } from '../../src/model/system.ts';

/** What `--help` of the commands says of gluster. */
export const glusterHelp: CommandHelp = {
  act: [['gluster.free-lock', 'home0 --confirm home0']],
  format: 'gluster.heal',
  actions: [
    `A gluster lock that nobody releases, mildest first: gluster.free-lock (a command on its owner: the
only peer whose commands release it), gluster.free-lock-wait (its timer), gluster.free-lock-restart
(glusterd of the owner; bricks go on), gluster.free-lock-continue (a stopped glusterd; what waits
for it still commits).`,
  ],
};

/** What `?` says of gluster: the ladder that frees a volume's lock and why each rung works (docs/systems/gluster.md). */
export const help: readonly string[] = [
  'A command that changes a volume locks it on every glusterd for its owner, the peer it was typed on. While the lock is held, every other one fails with "Another transaction is in progress" or "Locking failed on PEER".',
  'orphan: nothing runs that would ever release it. waits: its command waits for a glusterd that is stopped, silent or away. running: let it end. held: not all peers could be looked at, so it can not be judged.',
  'The ladder that frees it, mildest first; after each rung the lock is read again on every peer:',
  '1  free the lock: runs "gluster volume statedump" on the owner. It is refused, and its unlock phase releases the orphan because the owner matches; from any other peer it never does. Only while all peers answer.',
  '2  wait: nothing is sent. From 3.12.15 and 3.13 on glusterd ends a lock 180 s after it was taken; before that, and with the one lock of before 3.6, waiting never helps.',
  "3  restart glusterd of the owner, of no other: its peers drop its locks when it disconnects. Bricks and clients go on where the unit's KillMode leaves them; its self-heal daemon and gNFS restart. Not while something heals or rebalances, nor against server quorum.",
  '4  continue a stopped glusterd: what waited for it goes on. It STILL COMMITS, even when its lock has expired meanwhile.',
  'Nothing that is polled takes a volume lock: "gluster volume status" would, and is never asked.',
];
