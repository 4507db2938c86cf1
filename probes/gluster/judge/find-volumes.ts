import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { bricksOf, hasLostASet, isToCome, findWithoutSelfHeal } from './bricks.ts';
import { type DiskedBrick, disksOf, mayStart, whyNotMounted } from './disks.ts';
import { quorumState } from './find-quorum.ts';
import { healFindings } from './find-heals.ts';
import { finding, healOf, healReadAt, hostOfName, findPeer, volumesOf } from './pool.ts';
import type { GlusterVolume } from '../readings.ts';

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
      const ended = down.filter(({ state }) => state === 'down');
      const unmounted = ended.some(({ id }) => isUnmounted(disks.get(id)));
      const startable = ended
        .filter(
          ({ id, host }) =>
            !unmounted && !quorum.everywhere && !quorum.hosts.has(host) && mayStart(disks.get(id)),
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

/** `start force` takes no brick: it would start this one, too, whichever is meant. */
const isUnmounted = (one: DiskedBrick | undefined): boolean =>
  one !== undefined && whyNotMounted(one) !== undefined;

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
