import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { bricksOf } from './bricks.ts';
import { hurtMounts } from './hurt-clients.ts';
import { hasServerQuorum } from '../read/words.ts';
import type { GlusterVolume, PeerReading } from '../readings.ts';
import { finding, findPeer, nameOfUuid, type Peer, peersOf, volumesOf } from './pool.ts';

interface Quorum {
  host: string;
  active: number;
  all: number;
  /** How long its glusterd runs; Infinity where that was not told. */
  ageS: number;
  /** Peers that this one does not see. */
  missing: readonly string[];
  /** Some of them it saw when it was asked before, and none of those has answered since: which side is cut off nobody has said yet. */
  isNew: boolean;
}

/**
 * The pool as a peer that answers sees it: glusterd counts the peers that it is connected to, itself among them, and needs more
 * than half of them, or the share of cluster.server-quorum-ratio (glusterd-server-quorum.c).
 */
const quorumOf = (peer: Peer, judgement: Judgement): Quorum | undefined => {
  const { host, state, reading } = peer;
  const pool = reading?.pool;
  if (state !== 'up' || !pool || pool.length < 2) return undefined;
  const missing = unseenBy(reading);
  const names = missing.map(({ uuid }) => nameOfUuid(uuid, judgement));
  return {
    host,
    active: pool.length - missing.length,
    all: pool.length,
    ageS: reading.daemon.ageS ?? Infinity,
    missing: names,
    isNew: names.length > 0 && isFirstOf(peer, names, judgement),
  };
};

const unseenBy = ({ pool = [], uuid: own }: PeerReading): NonNullable<PeerReading['pool']> =>
  pool.filter(({ connected, uuid, host }) => !connected && uuid !== own && host !== 'localhost');

/** Answers nearer to each other than this are of one moment, ms. */
const oneMomentMs = 2000;

const isFirstOf = ({ source }: Peer, names: readonly string[], judgement: Judgement): boolean => {
  const at = source?.good?.at ?? 0;
  const before = source?.before[0]?.value;
  if (!before) return false;
  const unseen = new Set(unseenBy(before).map(({ uuid }) => nameOfUuid(uuid, judgement)));
  const lost = names.filter((name) => !unseen.has(name));
  return (
    lost.length > 0 &&
    lost.every((name) => (findPeer(name, judgement)?.source?.good?.at ?? Infinity) < at - oneMomentMs)
  );
};

const isLost = ({ active, all }: Quorum, { options }: GlusterVolume): boolean => {
  const ratio = Number.parseFloat(options['cluster.server-quorum-ratio'] ?? '');
  return Number.isNaN(ratio) || ratio <= 0 ? active * 2 <= all : (active * 100) / all < ratio;
};

/**
 * A glusterd that was started a moment ago is not connected yet: what it sees is not what it will see, s. Unless those that it misses do
 * not run.
 */
export const connectsWithinS = 60;

/** Which glusterd see too few others for a volume. */
export interface QuorumState {
  /** Peers that have ended their own bricks of it, whatever the others see. */
  lost: readonly Quorum[];
  /** Every glusterd that was heard sees too few: the fault lies in those that are away. Otherwise in those few that see so little. */
  everywhere: boolean;
  /** Hosts whose glusterd starts no brick now, those that were started a moment ago among them. */
  hosts: ReadonlySet<string>;
}

/** Whether a volume that asks for server quorum has it, by what each glusterd that answers sees. */
export const quorumState = (volume: GlusterVolume, judgement: Judgement): QuorumState => {
  const seen = hasServerQuorum(volume.options)
    ? peersOf(judgement).flatMap((peer) => quorumOf(peer, judgement) ?? [])
    : [];
  const isDown = (name: string): boolean => findPeer(name, judgement)?.state === 'down';
  const settled = seen.filter(
    ({ ageS, missing }) => ageS > connectsWithinS || (missing.length > 0 && missing.every(isDown)),
  );
  const lost = settled.filter((one) => isLost(one, volume));
  return {
    lost,
    everywhere: lost.length > 0 && lost.length === settled.length,
    hosts: new Set(seen.filter((one) => isLost(one, volume)).map(({ host }) => host)),
  };
};

interface VolumeQuorum extends QuorumState {
  volume: GlusterVolume;
}

/** Server quorum lost: by all, all volumes together, or by a few peers, each with its own bricks. */
export const quorumFindings = (judgement: Judgement): FindingDraft[] => {
  const all = (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .map((volume): VolumeQuorum => ({ volume, ...quorumState(volume, judgement) }));
  const cutOff = all
    .filter(({ everywhere }) => !everywhere)
    .flatMap(({ volume, lost }) => lost.map((quorum) => ({ volume, quorum })));
  return [
    ...poolFinding(
      all.filter(({ everywhere }) => everywhere),
      judgement,
    ),
    ...[...Map.groupBy(cutOff, ({ quorum }) => quorum.host).values()].map((group) =>
      cutOffFinding(group, judgement),
    ),
  ];
};

/** The fault is the glusterd that are away. */
const poolFinding = (lost: readonly VolumeQuorum[], judgement: Judgement): FindingDraft[] => {
  const [first] = lost;
  const quorum = first?.lost[0];
  if (!first || !quorum) return [];
  const names = lost.map(({ volume }) => volume.name);
  const missing = [...new Set(first.lost.flatMap((one) => one.missing))].sort();
  return [
    finding({
      kind: 'server-quorum',
      key: 'pool',
      severity: 'critical',
      subject: { kind: 'volume', id: first.volume.name },
      members: names.map((id) => ({ kind: 'volume' as const, id })),
      ...hurtMounts(
        lost.map(({ volume }) => volume),
        judgement,
      ),
      summary: `${names.join(', ')}: server quorum lost: glusterd of ${missing.join(', ')} away, ${quorum.active} of ${quorum.all} left; bricks stop`,
      advice: `Bring glusterd back on ${missing.join(', ')}: the bricks start by themselves when quorum is met again. Starting bricks by hand is refused until then.`,
      evidence: first.lost.map(evidenceOf),
      suspects: missing.map((id) => ({
        subject: { kind: 'host' as const, id },
        cause: 'daemon-dead',
        confidence: 'medium' as const,
      })),
      lacks: [{ what: 'data', of: missing.map((id) => ({ kind: 'host' as const, id })) }],
      breaks: [{ what: 'data', of: names.map((id) => ({ kind: 'volume' as const, id })) }],
    }),
  ];
};

/** The others have quorum: the fault is this peer, or its way to them, and only its own bricks end. */
const cutOffFinding = (
  group: readonly { volume: GlusterVolume; quorum: Quorum }[],
  judgement: Judgement,
): FindingDraft => {
  const [first] = group;
  if (!first) throw new Error('a group without members');
  const { host, active, all, missing, isNew } = first.quorum;
  const names = group.map(({ volume }) => volume.name);
  const bricks = group
    .flatMap(({ volume }) => bricksOf(volume, judgement))
    .filter((brick) => brick.host === host)
    .map(({ id }) => ({ kind: 'brick' as const, id }));
  return finding({
    kind: 'server-quorum',
    key: host,
    severity: 'warning',
    subject: { kind: 'host', id: host },
    members: bricks,
    summary: isNew
      ? `${names.join(', ')}: server quorum lost as ${host} sees it: ${active} of ${all}, not ${missing.join(', ')}; these were not asked since`
      : `${host}: its glusterd sees ${active} of ${all} (not ${missing.join(', ')}) and ends its own bricks: no server quorum there`,
    advice: isNew
      ? `Within a quarter of a minute they are asked again: if they do not answer, glusterd is gone there and all bricks stop; if they see each other, ${host} is cut off and loses its own bricks alone.`
      : `The other glusterd have quorum: look at the network between ${host} and ${missing.join(', ')}, and at glusterd on ${host}. Its bricks start by themselves when it sees enough of the others.`,
    evidence: [evidenceOf(first.quorum)],
    breaks: [{ what: 'data', of: bricks }],
  });
};

const evidenceOf = ({ host, active, all, missing }: Quorum): EvidenceDraft => ({
  text: `pool list on ${host}: ${active} of ${all} peers connected, not ${missing.join(', ')}; cluster.server-quorum-type=server`,
  probe: 'gluster.peer',
  host,
});
