import { evidenceFrom } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { reasonOf } from '../../../src/text/said.ts';
import type { NodesReading, PingReading } from '../readings.ts';
import { clustersOf } from './clusters.ts';
import { isAllDown, verdictOf, otherQuestions } from './controller-state.ts';

/** A slurmctld of another cluster than the one that is judged. */
export interface OtherController {
  state: 'down' | 'hung';
  host: string;
  message: string;
  /** The same without the host. */
  reason: string;
  since?: number;
  /** Why it is another cluster's. */
  evidence: FindingDraft['evidence'];
}

/**
 * Hosts whose slurmctld is down or hangs and that were never read: neither name nor nodes tell their cluster, so they count as one with
 * those that answer. It is another cluster where `scontrol ping` of those lists none of its controllers.
 */
export const otherControllers = (
  judgement: Judgement,
  judged: string | undefined,
): readonly OtherController[] =>
  judgement.readings
    .sources<NodesReading>('slurm.nodes')
    .filter(({ host, good, state }) => host !== judged && good === undefined && state === 'failed')
    .flatMap((nodes) => otherController(nodes, judgement));

const otherController = (nodes: Source<NodesReading>, { readings }: Judgement): OtherController[] => {
  const { host, failure, failingSince } = nodes;
  const own = readings.source<PingReading>('slurm.ping', host);
  const [state, said = { message: '' }] = verdictOf(nodes, own) ?? [];
  if (state !== 'down' && state !== 'hung') return [];
  if (failure?.code !== 'controllerDown' && failure?.code !== 'controllerHung' && !isAllDown(own)) return [];
  // What else it is asked for was answered: slurmctld is there.
  if (readings.listOnHost(host).some((one) => otherQuestions.includes(one.probe) && one.state === 'fresh'))
    return [];
  const cluster = clustersOf(readings).find(({ hosts }) => hosts.includes(host));
  const witnesses = (cluster?.hosts ?? [])
    .filter((other) => other !== host)
    .flatMap((other) => readings.source<PingReading>('slurm.ping', other) ?? [])
    .filter((ping) => controllersIn(ping).length > 0 && !isAllDown(ping));
  const theirs = new Set(witnesses.flatMap(controllersIn));
  const mine = controllersIn(own);
  const isTheirs = (mine.length > 0 ? mine : [shortName(host)]).some((name) => theirs.has(name));
  const [witness] = witnesses;
  if (!witness || isTheirs) return [];
  return [
    {
      state,
      host,
      message: said.message,
      reason: reasonOf(said),
      ...(failingSince !== undefined && { since: failingSince }),
      evidence: [
        evidenceFrom(
          witness,
          `another cluster: scontrol ping on ${witness.host} lists ${[...theirs].join(', ')}`,
        ),
      ],
    },
  ];
};

/** The controllers that a ping lists now, by their names without a domain. */
const controllersIn = (ping: Source<PingReading> | undefined): readonly string[] =>
  ping?.state === 'fresh' ? (ping.good?.value.controllers ?? []).map(({ host }) => shortName(host)) : [];

const shortName = (host: string): string => host.toLowerCase().split('.')[0] ?? '';
