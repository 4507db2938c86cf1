import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, grouped } from '../../../src/text/units.ts';
import { bricksOf, withoutSelfHeal } from './bricks.ts';
import { disksOf, mayStart } from './disks.ts';
import { quorumState } from './find-quorum.ts';
import { splitCount } from './find-split.ts';
import { finding, healOf, healReadAt, hostOfName, peerNamed, volumesOf } from './pool.ts';
import type { GlusterVolume } from '../readings.ts';
import { sum } from '../read/read-volumes.ts';

/** Bricks, self-heal daemons and pending heals of each started volume. */
export const volumeFindings = (judgement: Judgement): FindingDraft[] =>
  (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .flatMap((volume) => {
      const base = { key: volume.name, subject: { kind: 'volume' as const, id: volume.name } };
      const bricks = bricksOf(volume, judgement);
      const down = bricks.filter(({ state }) => state === 'down' || state === 'stopped');
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
      const noCopies = volume.replica === undefined ? down.length > 0 : down.length * 2 > volume.replica;
      const findings: FindingDraft[] = [];
      if (down.length > 0) {
        findings.push(
          finding({
            ...base,
            kind: 'brick-down',
            severity: noCopies && bricks.length <= (volume.replica ?? 1) ? 'critical' : 'warning',
            members: down.map(({ id }) => ({ kind: 'brick' as const, id })),
            summary: `${volume.name}: ${count(down.length, 'brick')} of ${bricks.length} down: ${down.map(({ id }) => id).join(', ')}`,
            advice: 'Look at the disk first; then start the brick. Heals follow by themselves.',
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
      const blind = withoutSelfHeal(volume, judgement);
      if (blind.length > 0 && left > 0) {
        findings.push(
          finding({
            ...base,
            kind: 'self-heal-down',
            severity: 'warning',
            summary: `${volume.name}: no self-heal daemon on ${blind.join(', ')}: what differs there stays so`,
            advice: '`gluster volume start VOLUME force` starts it; restarting glusterd does too.',
            evidence: blind.map((host) => ({
              text: `no glustershd on ${host}`,
              probe: 'gluster.peer',
              host,
            })),
          }),
        );
      }
      return [...findings, ...unserved(volume, judgement), ...healFindings(volume.name, judgement)];
    });

/** UTC ms: a client that comes in learns a brick's port from its glusterd, and reaches nothing while that is away. */
const answersSince = (host: string, judgement: Judgement): number => {
  const peer = peerNamed(host, judgement);
  if (peer?.state !== 'up') return Infinity;
  const changed = judgement.history.changes(`gluster/peer/${host}`, judgement.now - 86_400_000).at(-1)?.at;
  return Math.max(peer.startedAt ?? 0, changed ?? 0);
};

/** A process that serves several bricks may have let go of one: heal info, a client of its own, then does not reach it. */
const unserved = (volume: GlusterVolume, judgement: Judgement): FindingDraft[] => {
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

/** Pending heals: growing over three readings is a warning; many that shrink are work in progress. */
const healFindings = (name: string, judgement: Judgement): FindingDraft[] => {
  const heal = healOf(judgement).get(name);
  if (!heal) return [];
  const row = [sum(heal.bricks), ...heal.before];
  const [now = 0, last = 0, first = 0] = row;
  const split = splitCount(heal);
  // What is in split-brain waits for a person, and is told as that.
  if (now <= split) return [];
  const grows = row.length >= 3 && now > last && last > first;
  return [
    finding({
      kind: 'heal-pending',
      key: name,
      subject: { kind: 'volume', id: name },
      severity: grows ? 'warning' : 'notice',
      summary: `${name}: ${grouped(now - split)} ${now - split === 1 ? 'entry waits' : 'entries wait'} to be healed${grows ? `, growing: ${row.slice(0, 3).reverse().map(grouped).join(', ')}` : ''}`,
      advice: grows
        ? 'See that all bricks and self-heal daemons run, and that no lock stands in the way.'
        : 'Healing goes on by itself.',
      evidence: heal.bricks.map(({ host = '?', path, pending, connected }) => ({
        text: `${host}:${path}: ${connected ? `${pending ?? '?'} pending` : 'not connected'}`,
        probe: 'gluster.heal',
        at: healReadAt(heal),
      })),
    }),
  ];
};
