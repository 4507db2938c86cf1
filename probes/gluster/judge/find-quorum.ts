import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { hasServerQuorum } from '../read/words.ts';
import type { GlusterVolume } from '../readings.ts';
import { finding, nameOfUuid, type Peer, peersOf, volumesOf } from './pool.ts';

interface Quorum {
  host: string;
  active: number;
  all: number;
  /** Peers that this one does not see. */
  missing: readonly string[];
}

/**
 * The pool as a peer that answers sees it: glusterd counts the peers that it is connected to, itself among them, and needs more
 * than half of them, or the share of cluster.server-quorum-ratio (glusterd-server-quorum.c).
 */
const quorumOf = ({ host, state, reading }: Peer, judgement: Judgement): Quorum | undefined => {
  const pool = reading?.pool;
  if (state !== 'up' || !pool || pool.length < 2) return undefined;
  const isSelf = ({ uuid, host: name }: (typeof pool)[number]): boolean =>
    uuid === reading.uuid || name === 'localhost';
  const missing = pool.filter((one) => !one.connected && !isSelf(one));
  return {
    host,
    active: pool.length - missing.length,
    all: pool.length,
    missing: missing.map(({ uuid }) => nameOfUuid(uuid, judgement)),
  };
};

const isLost = ({ active, all }: Quorum, { options }: GlusterVolume): boolean => {
  const ratio = Number.parseFloat(options['cluster.server-quorum-ratio'] ?? '');
  return Number.isNaN(ratio) || ratio <= 0 ? active * 2 <= all : (active * 100) / all < ratio;
};

/** Peers that have ended their bricks of a volume because too few glusterd are connected. */
export const withoutQuorum = (volume: GlusterVolume, judgement: Judgement): Quorum[] =>
  hasServerQuorum(volume.options)
    ? peersOf(judgement)
        .flatMap((peer) => quorumOf(peer, judgement) ?? [])
        .filter((quorum) => isLost(quorum, volume))
    : [];

/** Server quorum lost, all volumes that ask for it together: the fault is the glusterd that are away. */
export const quorumFindings = (judgement: Judgement): FindingDraft[] => {
  const lost = (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .flatMap((volume) => {
      const by = withoutQuorum(volume, judgement);
      return by.length === 0 ? [] : [{ volume, by }];
    });
  const [first] = lost;
  const quorum = first?.by[0];
  if (!first || !quorum) return [];
  const names = lost.map(({ volume }) => volume.name);
  const missing = [...new Set(first.by.flatMap((one) => one.missing))].sort();
  return [
    finding({
      kind: 'server-quorum',
      key: 'pool',
      severity: 'critical',
      subject: { kind: 'volume', id: first.volume.name },
      members: names.map((id) => ({ kind: 'volume' as const, id })),
      summary: `${names.join(', ')}: server quorum lost: glusterd of ${missing.join(', ')} away, ${quorum.active} of ${quorum.all} left; bricks end`,
      advice: `Bring glusterd back on ${missing.join(', ')}: the bricks start by themselves when quorum is met again. Starting bricks by hand is refused until then.`,
      evidence: first.by.map(({ host, active, all, missing: gone }) => ({
        text: `pool list on ${host}: ${active} of ${all} peers connected, not ${gone.join(', ')}; cluster.server-quorum-type=server`,
        probe: 'gluster.peer',
        host,
      })),
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
