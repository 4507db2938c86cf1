import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import {
  type BrickState,
  bricksOf,
  findWithoutQuota,
  findWithoutSelfHeal,
  hasLostASet,
  isToCome,
  whyNotWritten,
} from './bricks.ts';
import { type DiskedBrick, disksOf, mayStart, whyNotMounted } from './disks.ts';
import { quorumState } from './find-quorum.ts';
import { healFindings } from './find-heals.ts';
import { hurtMounts } from './hurt-clients.ts';
import { finding, healOf, healReadAt, hostOfName, findPeer, volumesOf } from './pool.ts';
import type { GlusterVolume } from '../readings.ts';

/** Bricks, self-heal daemons and pending heals of each started volume. */
export const volumeFindings = (judgement: Judgement): FindingDraft[] =>
  (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .flatMap((volume) => {
      const bricks = bricksOf(volume, judgement);
      const down = bricks.filter(
        (brick) => brick.state === 'stopped' || (brick.state === 'down' && !isToCome(brick, judgement)),
      );
      const missed = down.length < bricks.length ? daemons : [];
      return [
        ...(down.length > 0 ? [downFinding(volume, bricks, down, judgement)] : []),
        ...missed.flatMap((daemon) => missedFinding(volume, daemon, judgement)),
        ...findUnserved(volume, judgement),
        ...healFindings(volume, bricks, judgement),
      ];
    });

const downFinding = (
  volume: GlusterVolume,
  bricks: readonly BrickState[],
  down: readonly BrickState[],
  judgement: Judgement,
): FindingDraft => {
  const isDown = (brick: BrickState): boolean => down.includes(brick);
  const unwritten = whyNotWritten(volume, bricks, isDown);
  const startable = startableOf(volume, down, judgement);
  const isLost = hasLostASet(volume, bricks, isDown);
  return finding({
    kind: 'brick-down',
    key: volume.name,
    subject: { kind: 'volume', id: volume.name },
    severity: isLost ? 'critical' : 'warning',
    ...(isLost && hurtMounts([volume], judgement)),
    members: down.map(({ id }) => ({ kind: 'brick' as const, id })),
    summary: `${volume.name}: ${count(down.length, 'brick')} of ${bricks.length} down: ${down.map(({ id, arbiter }) => (arbiter ? `${id} (arbiter)` : id)).join(', ')}`,
    advice: 'Check the disk first; then start the brick. Heals follow by themselves.',
    evidence: [
      ...down.map(({ id, host, why }) => ({
        text: why === undefined ? `no process serves ${id}` : `${id}: ${why}`,
        probe: 'gluster.peer',
        host,
      })),
      ...(unwritten === undefined ? [] : [{ text: `clients can't write: ${unwritten}` }]),
    ],
    lacks: [{ what: 'data', of: down.map(({ id }) => ({ kind: 'brick', id })) }],
    suspects: down.map(({ id, state }) => ({
      subject: { kind: 'brick' as const, id },
      cause: state === 'stopped' ? 'daemon-stopped' : 'daemon-dead',
      confidence: 'high' as const,
    })),
    remedies: startable.length > 0 ? [{ action: 'gluster.start-brick', subjects: startable }] : [],
  });
};

/** A brick on the bare folder below its disk fills the wrong file system; without quorum glusterd refuses. */
const startableOf = (
  volume: GlusterVolume,
  down: readonly BrickState[],
  judgement: Judgement,
): readonly Subject[] => {
  const disks = new Map(disksOf(volume, judgement).map((one) => [one.brick.id, one]));
  const quorum = quorumState(volume, judgement);
  const ended = down.filter(({ state }) => state === 'down');
  return quorum.everywhere || ended.some(({ id }) => isUnmounted(disks.get(id)))
    ? []
    : ended
        .filter(({ id, host }) => !quorum.hosts.has(host) && mayStart(disks.get(id)))
        .map(({ id }) => ({ kind: 'brick' as const, id }));
};

/** What glusterd keeps running beside the bricks of a volume, and which hosts of it lack that. */
interface VolumeDaemon {
  findWithout: typeof findWithoutSelfHeal;
  kind: string;
  name: string;
  loss: string;
  advice: string;
  proof: string;
}

const daemons: readonly VolumeDaemon[] = [
  {
    findWithout: findWithoutSelfHeal,
    kind: 'self-heal-down',
    name: 'self-heal daemon',
    loss: 'nothing heals there',
    advice:
      '`gluster volume start VOLUME force` starts it, and every brick that is down, so see first that their disks are mounted; restarting glusterd does too.',
    proof: 'no glustershd',
  },
  {
    findWithout: findWithoutQuota,
    kind: 'quota-daemon-down',
    name: 'quota daemon',
    loss: 'its limits are not kept there',
    advice:
      'The bricks there ask it how much of a limit is used on all of them. Restarting glusterd starts it; `gluster volume start VOLUME force` does too, and every brick that is down, so see first that their disks are mounted.',
    proof: 'features.quota is on; no quotad',
  },
];

const missedFinding = (
  volume: GlusterVolume,
  { findWithout, kind, name, loss, advice, proof }: VolumeDaemon,
  judgement: Judgement,
): FindingDraft[] => {
  const hosts = findWithout(volume, judgement);
  if (hosts.length === 0) return [];
  return [
    finding({
      kind,
      key: volume.name,
      subject: { kind: 'volume', id: volume.name },
      severity: 'warning',
      members: hosts.map((id) => ({ kind: 'host' as const, id })),
      summary: `${volume.name}: no ${name} on ${hosts.join(', ')}: ${loss}`,
      advice,
      suspects: hosts.map((id) => ({
        subject: { kind: 'host' as const, id },
        cause: 'daemon-dead',
        confidence: 'high' as const,
      })),
      evidence: hosts.map((host) => ({ text: `${proof} on ${host}`, probe: 'gluster.peer', host })),
    }),
  ];
};

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
        'See from the other hosts that the port of its process is reached (a firewall on its host), then look at its disk and its log: a process that serves several bricks lets go of one whose disk fails.',
      suspects: lost.map(({ id }) => ({
        subject: { kind: 'brick' as const, id },
        cause: 'not-reached',
        confidence: 'medium' as const,
      })),
      evidence: lost.map(({ id, host, pid }) => ({
        text: `heal info: ${id} is not connected; process ${pid ?? '?'} runs`,
        probe: 'gluster.heal',
        host,
        at: healReadAt(heal),
      })),
    }),
  ];
};
