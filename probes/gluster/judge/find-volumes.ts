import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import {
  type BrickState,
  bricksOf,
  hasLostASet,
  isSelfHealOff,
  isToCome,
  findWithoutSelfHeal,
} from './bricks.ts';
import { disksOf, mayStart } from './disks.ts';
import { quorumState } from './find-quorum.ts';
import { splitCount } from './find-split.ts';
import { finding, healOf, healReadAt, hostOfName, findPeer, volumesOf } from './pool.ts';
import type { GlusterVolume, HealReading } from '../readings.ts';
import { sum } from '../read/read-volumes.ts';

type Heal = HealReading['volumes'][number];

/** Bricks, self-heal daemons and pending heals of each started volume. */
export const volumeFindings = (judgement: Judgement): FindingDraft[] =>
  (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .flatMap((volume) => {
      const base = { key: volume.name, subject: { kind: 'volume' as const, id: volume.name } };
      const bricks = bricksOf(volume, judgement);
      const down = bricks.filter(
        (brick) => brick.state === 'stopped' || (brick.state === 'down' && !isToCome(brick, judgement)),
      );
      const disks = new Map(disksOf(volume, judgement).map((one) => [one.brick.id, one]));
      const quorum = quorumState(volume, judgement);
      // A brick on the bare folder below its disk fills the wrong file system; without quorum glusterd refuses.
      const startable = down
        .filter(
          ({ state, id, host }) =>
            state === 'down' && !quorum.everywhere && !quorum.hosts.has(host) && mayStart(disks.get(id)),
        )
        .map(({ id }) => ({ kind: 'brick' as const, id }));
      const left = bricks.length - down.length;
      const findings: FindingDraft[] = [];
      if (down.length > 0) {
        findings.push(
          finding({
            ...base,
            kind: 'brick-down',
            severity: hasLostASet(volume, bricks, (brick) => down.includes(brick)) ? 'critical' : 'warning',
            members: down.map(({ id }) => ({ kind: 'brick' as const, id })),
            summary: `${volume.name}: ${count(down.length, 'brick')} of ${bricks.length} down: ${down.map(({ id }) => id).join(', ')}`,
            advice: 'Check the disk first; then start the brick. Heals follow by themselves.',
            evidence: down.map(({ id, host, why }) => ({
              text: why === undefined ? `no process serves ${id}` : `${id}: ${why}`,
              probe: 'gluster.peer',
              host,
            })),
            lacks: [{ what: 'data', of: down.map(({ id }) => ({ kind: 'brick', id })) }],
            remedies: startable.length > 0 ? [{ action: 'gluster.start-brick', subjects: startable }] : [],
          }),
        );
      }
      const blind = findWithoutSelfHeal(volume, judgement);
      if (blind.length > 0 && left > 0) {
        findings.push(
          finding({
            ...base,
            kind: 'self-heal-down',
            severity: 'warning',
            members: blind.map((id) => ({ kind: 'host' as const, id })),
            summary: `${volume.name}: no self-heal daemon on ${blind.join(', ')}: nothing heals there`,
            advice: '`gluster volume start VOLUME force` starts it; restarting glusterd does too.',
            evidence: blind.map((host) => ({
              text: `no glustershd on ${host}`,
              probe: 'gluster.peer',
              host,
            })),
          }),
        );
      }
      return [...findings, ...findUnserved(volume, judgement), ...healFindings(volume, bricks, judgement)];
    });

/** UTC ms: a client that comes in learns a brick's port from its glusterd, and reaches nothing while that is away. */
const answersSince = (host: string, judgement: Judgement): number => {
  const peer = findPeer(host, judgement);
  if (peer?.state !== 'up') return Infinity;
  const changed = judgement.history.changes(`gluster/peer/${host}`, judgement.now - 86_400_000).at(-1)?.at;
  return Math.max(peer.startedAt ?? 0, changed ?? 0);
};

/** A process that serves several bricks may have let go of one: heal info, a client of its own, then does not reach it. */
const findUnserved = (volume: GlusterVolume, judgement: Judgement): FindingDraft[] => {
  const heal = healOf(judgement).get(volume.name);
  const running = bricksOf(volume, judgement).filter(
    ({ host, state, ageS = 0 }) =>
      state === 'up' &&
      heal &&
      Math.max(judgement.now - ageS * 1000, answersSince(host, judgement)) < healReadAt(heal) - 30_000,
  );
  const lost = running.filter((brick) =>
    heal?.bricks.some(
      ({ host, path, connected }) =>
        !connected && path === brick.path && (hostOfName(host, judgement) ?? host) === brick.host,
    ),
  );
  if (!heal || lost.length === 0) return [];
  return [
    finding({
      kind: 'brick-unserved',
      key: volume.name,
      severity: 'warning',
      subject: { kind: 'volume', id: volume.name },
      members: lost.map(({ id }) => ({ kind: 'brick' as const, id })),
      summary: `${volume.name}: heal info does not reach ${lost.map(({ id }) => id).join(', ')} though its process runs`,
      advice:
        'Look at its disk and its log: a process that serves several bricks lets go of one whose disk fails.',
      evidence: lost.map(({ id, host, pid }) => ({
        text: `heal info: ${id} is not connected; process ${pid ?? '?'} runs`,
        probe: 'gluster.heal',
        host,
        at: healReadAt(heal),
      })),
    }),
  ];
};

/**
 * Whether what waits may be no more than changes on their way (a large `rm -r`, a rebalance): every brick runs, was reached and
 * counted, and within each set of copies all list about as much. What some copies list and another does not is what that one has
 * missed: a client does not reach it.
 */
const isUnderWay = (
  { replica = 1, disperse }: GlusterVolume,
  bricks: readonly BrickState[],
  { bricks: counted }: Heal,
  judgement: Judgement,
): boolean => {
  const size = Math.max(1, disperse ?? replica);
  const pendings = bricks.map(
    ({ host, path, state }) =>
      (state === 'up' || undefined) &&
      counted.find(
        (one) => one.connected && one.path === path && (hostOfName(one.host, judgement) ?? one.host) === host,
      )?.pending,
  );
  const sets = Map.groupBy(pendings, (_pending, index) => Math.floor(index / size));
  return [...sets.values()].every((set) => {
    const told = set.flatMap((pending) => pending ?? []);
    return told.length === set.length && Math.min(...told) * 2 >= Math.max(...told);
  });
};

/** Pending heals: what grows over three readings is a warning unless it is work that passes; many that shrink are progress. */
const healFindings = (
  volume: GlusterVolume,
  bricks: readonly BrickState[],
  judgement: Judgement,
): FindingDraft[] => {
  const { name } = volume;
  const heal = healOf(judgement).get(name);
  if (!heal) return [];
  const row = [sum(heal.bricks), ...heal.before];
  const [now = 0, last = 0, first = 0] = row;
  const split = splitCount(heal);
  // What is in split-brain waits for a person, and is told as that.
  if (now <= split) return [];
  const grows = row.length >= 3 && now > last && last > first;
  const heals = findWithoutSelfHeal(volume, judgement).length === 0;
  const passes = grows && heals && isUnderWay(volume, bricks, heal, judgement);
  return [
    finding({
      kind: 'heal-pending',
      key: name,
      subject: { kind: 'volume', id: name },
      severity: grows && !passes ? 'warning' : 'notice',
      summary: `${name}: ${groupThousands(now - split)} ${now - split === 1 ? 'entry waits' : 'entries wait'} to be healed${grows ? `, growing: ${row.slice(0, 3).reverse().map(groupThousands).join(', ')}` : ''}`,
      advice: isSelfHealOff(volume)
        ? 'The self-heal daemon is switched off for this volume: entries are healed only when a client opens them, or when it is switched on.'
        : passes
          ? 'All bricks run and list about as much: changes on their way, as a large rm -r or a rebalance makes them. Look at the clients of the volume if it does not end.'
          : grows
            ? 'See that all bricks and self-heal daemons run, that all clients reach all bricks (the one that lists the least is the one that was missed), and that no lock stands in the way.'
            : heals
              ? 'Healing goes on by itself.'
              : 'No self-heal daemon runs on some host: what waits there stays.',
      evidence: heal.bricks.map(({ host = '?', path, pending, connected }) => ({
        text: `${host}:${path}: ${connected ? `${pending ?? '?'} pending` : 'not connected'}`,
        probe: 'gluster.heal',
        at: healReadAt(heal),
      })),
    }),
  ];
};
