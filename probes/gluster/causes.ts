import { saysWhyNotRead } from '../../src/kit/unread.ts';
import type { Cause } from '../../src/model/dependency.ts';
import { NOT_READ } from '../../src/model/finding.ts';
import { expand } from '../../src/text/nodeset.ts';

/** What glusterd is asked by way of its command line; all else is read on the host itself. */
const ofCli: ReadonlySet<string> = new Set(['gluster.volumes', 'gluster.heal']);

/** What explains what of Gluster's own making. */
export const causes: readonly Cause[] = [
  saysWhyNotRead([
    'glusterd-down',
    'glusterd-silent',
    'glusterd-stopped',
    'glusterd-hook',
    'glusterd-starting',
  ]),
  {
    // glusterd asks its peers before it answers `heal info`, and waits for one of its pool that is stopped.
    name: 'commands-wait',
    causes: ['glusterd-silent', 'glusterd-stopped'],
    effects: [NOT_READ],
    explain: ({ subject: cause, evidence: proofs }, { subject, members = [subject], evidence }) => {
      const peers = new Set(proofs.flatMap(({ values }) => expand(String(values?.['peers'] ?? ''))));
      const waits =
        evidence.length > 0 &&
        evidence.every(({ probe = '', values }) => ofCli.has(probe) && values?.['failed'] === 'timeout');
      return waits && members.every(({ id }) => peers.has(id))
        ? `commands on its peers wait for glusterd of ${cause.id}`
        : undefined;
    },
  },
  {
    name: 'peer-unreachable',
    causes: ['glusterd-down', 'glusterd-silent', 'glusterd-stopped'],
    effects: ['peer-disconnected'],
    explain: (cause, effect) =>
      cause.subject.id === effect.subject.id ? `glusterd of ${cause.subject.id} answers nobody` : undefined,
  },
  {
    // Heal info learns the port of a brick from the glusterd of its host (port 24007): where that is cut off, it reaches the brick no more.
    name: 'cut-off-glusterd',
    causes: ['peer-disconnected'],
    effects: ['brick-unserved'],
    explain: ({ subject }, { members: bricks = [] }) =>
      bricks.length > 0 && bricks.every(({ id }) => id.split(':')[0] === subject.id)
        ? `glusterd of ${subject.id}, which clients ask for the ports of its bricks, is not reached from everywhere`
        : undefined,
  },
  {
    // glusterd ends the bricks of a volume when it sees too few others (glusterd-server-quorum.c).
    name: 'quorum-ends-bricks',
    causes: ['server-quorum'],
    effects: ['brick-down', 'self-heal-down', 'quota-daemon-down', 'heal-pending', 'heal-unread'],
    explain: ({ members = [], subject: cause }, { subject, members: bricks = [] }) => {
      if (members.some(({ kind, id }) => kind === subject.kind && id === subject.id))
        return `without server quorum glusterd ends the bricks of ${subject.id}`;
      // Of one peer: its own bricks, and only where no other is down.
      const own = new Set(members.flatMap(({ kind, id }) => (kind === 'brick' ? id : [])));
      return bricks.length > 0 && bricks.every(({ id }) => own.has(id))
        ? `glusterd of ${cause.id} has no server quorum and ends its bricks`
        : undefined;
    },
  },
  {
    // Only where every brick that is down is one of those whose disk is gone: another may be down for a reason of its own. A disk
    // that is full is none of them: writes fail on it, and the brick goes on.
    name: 'disk-gone',
    causes: ['brick-unmounted', 'brick-hangs', 'brick-read-only', 'brick-disk'],
    effects: ['brick-down', 'brick-unserved'],
    explain: ({ members = [], subject }, { members: bricks = [] }) => {
      const disks = new Set(members.map(({ id }) => id));
      return bricks.length > 0 && bricks.every(({ id }) => disks.has(id))
        ? `a brick ends when its disk fails: ${subject.id}`
        : undefined;
    },
  },
  {
    // Whoever stops Gluster on a host stops all of it, and glusterd starts its bricks and daemons again when it starts: one step for all.
    name: 'stopped-with-glusterd',
    causes: ['glusterd-down'],
    effects: ['brick-down', 'self-heal-down', 'quota-daemon-down'],
    explain: ({ subject }, { members = [] }) =>
      members.length > 0 &&
      members.every(({ kind, id }) => (kind === 'brick' ? id.split(':')[0] : id) === subject.id)
        ? `glusterd of ${subject.id} does not run, which starts them`
        : undefined,
  },
  {
    name: 'not-healed',
    causes: ['brick-down', 'self-heal-down'],
    effects: ['heal-pending'],
    explain: (cause, effect) =>
      cause.subject.id === effect.subject.id
        ? `${cause.subject.id} cannot heal while part of it is away`
        : undefined,
  },
  {
    // Heal info is a client of all bricks, and fails without them (glfs-heal.c); that it does not end in its time has other causes, too.
    name: 'heal-info-needs-bricks',
    causes: ['brick-down'],
    effects: ['heal-unread'],
    explain: (cause, effect) =>
      cause.subject.id === effect.subject.id && effect.severity === 'notice'
        ? `heal info asks the bricks of ${cause.subject.id} themselves`
        : undefined,
  },
];
