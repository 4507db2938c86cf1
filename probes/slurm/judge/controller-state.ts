import { failingSince } from '../../../src/kit/findings.ts';
import type { Failure, Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { reasonOf } from '../../../src/text/said.ts';
import type { ConfigReading, NodesReading, PingReading } from '../readings.ts';
import { clustersOf } from './clusters.ts';
import { sourceOf } from './clusters.ts';

/** `scontrol ping` of a dead daemon comes back in 0.02 s, of a hung one after 10 s (observed, 22.05). */
const hungAfterMs = 4_000;

export type ControllerState =
  | { state: 'up' }
  | { state: 'notAsked' }
  | {
      state:
        | 'down'
        | 'hung'
        | 'auth'
        | 'refused'
        | 'denied'
        | 'unreadable'
        | 'unreachable'
        | 'nodesOnly'
        | 'standby';
      host: string;
      /** What was said, one line. */
      message: string;
      /** The same without the host. */
      reason: string;
      since?: number;
      sinceIs?: 'seen';
      /** UTC ms of the rows still shown. */
      rowsFrom?: number;
    };

/** Whether the controller can be asked; if not, in which way it fails. Two controller hosts are one controller. */
export const controllerState = (judgement: Judgement): ControllerState => {
  const { readings } = judgement;
  const nodes = sourceOf<NodesReading>(readings, 'slurm.nodes');
  if (!nodes) return { state: 'notAsked' };
  const ping = readings.source<PingReading>('slurm.ping', nodes.host);
  const waiting = standbyOf(nodes, judgement);
  const verdict: Verdict | undefined = waiting
    ? ['standby', waiting.failure ?? { message: '' }]
    : weighVerdict(othersSay(nodes, judgement) ?? verdictOf(nodes, ping), nodes, ping, judgement);
  if (verdict === undefined) return nodes.good ? { state: 'up' } : { state: 'notAsked' };
  const [state, said] = verdict;
  return {
    state,
    host: waiting?.host ?? nodes.host,
    message: said.message,
    reason: reasonOf(said),
    ...failingSince([nodes]),
    ...(nodes.good && { rowsFrom: nodes.good.at }),
  };
};

/** Other questions that slurmctld answers from the same tables and threads. */
export const otherQuestions = [
  'slurm.jobs',
  'slurm.sdiag',
  'slurm.partitions',
  'slurm.reservations',
  'slurm.config',
];

/** What a backup controller that waits for its turn says, while no controller of its cluster answers anything. */
const standbyOf = (nodes: Source<NodesReading>, judgement: Judgement): Source | undefined => {
  const { readings } = judgement;
  if (nodes.state !== 'failed' || findAnsweredMeanwhile(nodes, judgement).length > 0) return undefined;
  const cluster = clustersOf(readings).find(({ hosts }) => hosts.includes(nodes.host));
  return ['slurm.nodes', ...otherQuestions]
    .flatMap((probe) => readings.sources(probe))
    .find(
      ({ host, state, failure }) =>
        state === 'failed' && failure?.code === 'standby' && cluster?.hosts.includes(host),
    );
};

/** What the same slurmctld answered since it was asked for the nodes, by any host of its cluster. */
export const findAnsweredMeanwhile = (
  nodes: Source<NodesReading>,
  { readings }: Judgement,
): readonly Source[] => {
  const asked = nodes.askedAt ?? nodes.failingSince ?? Infinity;
  const cluster = clustersOf(readings).find(({ hosts }) => hosts.includes(nodes.host));
  return otherQuestions
    .flatMap((probe) => readings.sources(probe))
    .filter(
      ({ host, state, good }) =>
        cluster?.hosts.includes(host) && state === 'fresh' && good && good.at >= asked,
    );
};

/**
 * One question that fails says nothing of the daemon as long as others are answered: the nodes are kept from this account, or only
 * they take too long.
 */
const weighVerdict = (
  verdict: Verdict | undefined,
  nodes: Source<NodesReading>,
  ping: Source<PingReading> | undefined,
  judgement: Judgement,
): Verdict | undefined => {
  if (verdict?.[0] !== 'hung' && verdict?.[0] !== 'down' && verdict?.[0] !== 'refused') return verdict;
  if (nodes.state !== 'failed' || nodes.failure?.code === 'controllerDown' || isAllDown(ping)) return verdict;
  if (findAnsweredMeanwhile(nodes, judgement).length === 0) return verdict;
  const hidden: readonly string[] | undefined = sourceOf<ConfigReading>(judgement.readings, 'slurm.config')
    ?.good?.value.privateData;
  if (nodes.failure?.code !== 'noAnswer') return ['nodesOnly', verdict[1]];
  // Without the words of a refusal only the configuration can say that it is PrivateData.
  return [hidden?.includes('nodes') === true ? 'denied' : 'nodesOnly', verdict[1]];
};

/** Failures that are neither silence nor a lost connection: slurmctld, or the tool itself, says in words why it does not answer. */
const ownWords = new Set(['other', 'noPermission', 'noConfig']);

/** Sources of one outage fail within the interval in which each of them is asked. */
const oneOutageMs = 60_000;

/**
 * Other questions were refused, for their credentials or their release, when the one for the nodes failed without a word (`sinfo --json`
 * says "Unspecified error" whatever it was): it is that, and slurmctld is there. `scontrol ping` says DOWN then, too.
 */
const othersSay = (nodes: Source<NodesReading>, judgement: Judgement): Verdict | undefined => {
  const isWordless = nodes.failure?.code === 'noAnswer' || nodes.failure?.kind === 'timeout';
  if (nodes.state !== 'failed' || !isWordless || findAnsweredMeanwhile(nodes, judgement).length > 0)
    return undefined;
  const began = nodes.failingSince ?? 0;
  const failures = otherQuestions
    .flatMap((probe) => judgement.readings.source(probe, nodes.host) ?? [])
    .filter(
      ({ state, failingSince = 0 }) => state === 'failed' && Math.abs(failingSince - began) <= oneOutageMs,
    )
    .flatMap(({ failure }) => failure ?? []);
  const refused = failures.find(({ code }) => code === 'munge' || code === 'refused');
  if (refused) return [refused.code === 'munge' ? 'auth' : 'refused', refused];
  // Words of another kind come from a slurmctld that answers, as long as it is not said to be down.
  const isDown = isAllDown(judgement.readings.source<PingReading>('slurm.ping', nodes.host));
  const said = isDown ? undefined : failures.find(({ code = '' }) => ownWords.has(code));
  return said && ['unreadable', said];
};

/** In which way it fails, and what was said. */
type Verdict = [Exclude<ControllerState['state'], 'up' | 'notAsked'>, Pick<Failure, 'message' | 'said'>];

export const verdictOf = (
  nodes: Source<NodesReading>,
  ping: Source<PingReading> | undefined,
): Verdict | undefined => {
  const { failure } = nodes;
  if (failure === undefined || nodes.state !== 'failed') return pingSaysDown(nodes, ping);
  const { kind, code } = failure;
  if (kind === 'connect' || kind === 'lost') return ['unreachable', failure];
  if (kind === 'timeout') return [isQuicklyDown(ping) ? 'down' : 'hung', failure];
  if (kind !== 'command') return ['unreadable', failure];
  if (code === 'munge' || ping?.failure?.code === 'munge') {
    return ['auth', code === 'munge' ? failure : (ping?.failure ?? failure)];
  }
  if (code === 'refused') return ['refused', failure];
  if (code === 'controllerHung') return ['hung', failure];
  if (code === 'controllerDown') return ['down', failure];
  if (code === 'noAnswer')
    return [ping?.state === 'fresh' && !isQuicklyDown(ping) ? 'hung' : 'down', failure];
  return [code === 'noPermission' ? 'denied' : 'unreadable', failure];
};

export const isAllDown = (ping: Source<PingReading> | undefined): boolean => {
  const controllers = ping?.state === 'fresh' ? ping.good?.value.controllers : undefined;
  return controllers !== undefined && controllers.length > 0 && controllers.every(({ up }) => !up);
};

const isQuicklyDown = (ping: Source<PingReading> | undefined): boolean =>
  isAllDown(ping) && (ping?.good?.value.tookMs ?? 0) < hungAfterMs;

/** The ping knows seconds before the question for the nodes gives up; older than the nodes' answer it proves nothing. */
const pingSaysDown = (
  nodes: Source<NodesReading>,
  ping: Source<PingReading> | undefined,
): Verdict | undefined => {
  if (ping?.good && isAllDown(ping) && ping.good.at > (nodes.good?.at ?? 0)) {
    return [isQuicklyDown(ping) ? 'down' : 'hung', { message: 'scontrol ping says DOWN' }];
  }
  return undefined;
};
