import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { cut } from '../../../src/text/width.ts';
import { clusterOf } from './cluster.ts';
import { sourceOf } from './clusters.ts';
import { controllerState } from './controller-state.ts';
import type { SdiagReading } from '../readings.ts';
import { finding, setOf } from './sentence.ts';
import { hasFlag, whyOff } from './trouble.ts';

/** Slow when the median of 5 answers is over 2 s. */
const slowMs = 2_000;
const answers = 5;

const probes = [
  'slurm.nodes',
  'slurm.ping',
  'slurm.jobs',
  'slurm.sdiag',
  'slurm.partitions',
  'slurm.reservations',
];

/**
 * The last five durations: of the question for the nodes when there are that many, else the newest of all questions to
 * this controller, newest first. Fewer than five give none.
 */
export const lastDurations = (host: string, { readings }: Judgement): readonly number[] => {
  const lists = probes.map((probe) => readings.source(probe, host)?.durations ?? []);
  const [nodes = []] = lists;
  if (nodes.length >= answers) return nodes.slice(0, answers);
  const newest = [0, 1].flatMap((rank) => lists.flatMap((list) => list[rank] ?? []));
  return newest.length >= answers ? newest.slice(0, answers) : [];
};

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** `slurmctld slow (median 3.9 s)`, what users complain of; undefined while it answers in time. */
export const slowText = (judgement: Judgement): string | undefined => {
  const middle = slowness(judgement);
  return middle === undefined ? undefined : `slurmctld slow (median ${seconds(middle)})`;
};

/** The median of the last answers in ms, where it is too long. */
const slowness = (judgement: Judgement): number | undefined => {
  const cluster = clusterOf(judgement.readings);
  if (!cluster || controllerState(judgement).state !== 'up') return undefined;
  const middle = median(lastDurations(cluster.source.host, judgement));
  return middle > slowMs ? middle : undefined;
};

/** The controller takes seconds, with what it is busy with and whom it waits for. */
export const slowFindings = (judgement: Judgement): FindingDraft[] => {
  const cluster = clusterOf(judgement.readings);
  const middle = slowness(judgement);
  if (!cluster || middle === undefined) return [];
  const { host } = cluster.source;
  const durations = lastDurations(host, judgement);
  // Nodes that power saving has switched off are not called.
  const silent = cluster.index.nodes.filter(
    (node) => hasFlag(node, 'NOT_RESPONDING') && whyOff(node) !== 'power saving',
  );
  const waits = silent.length === 0 ? '' : `: waits for ${count(silent.length, 'silent node')}`;
  const slowest = waits === '' ? slowestText(judgement) : '';
  return [
    finding({
      kind: 'controller-slow',
      key: host,
      severity: 'warning',
      subject: { kind: 'host', id: host },
      summary: cut(`slurmctld on ${host} slow (median ${seconds(middle)})${waits}${slowest}`, 100),
      advice:
        silent.length > 0
          ? 'slurmctld waits seconds for each silent node in turn: set these nodes down or bring them back; then see the slow requests below.'
          : 'Find the slow requests below and who sends them; scripts that poll squeue are the usual cause.',
      suspects:
        silent.length > 0
          ? [
              {
                subject: { kind: 'node', id: setOf(silent) },
                cause: 'not-responding',
                confidence: 'medium',
              },
            ]
          : undefined,
      evidence: [
        { text: `last answers: ${durations.map(seconds).join(', ')}`, probe: 'slurm.nodes', host },
        ...(silent.length > 0
          ? [{ text: `not responding: ${setOf(silent)}`, probe: 'slurm.nodes', host }]
          : []),
        ...sdiagEvidence(judgement),
      ],
    }),
  ];
};

/** `, REQUEST_JOB_INFO takes 3.9 s`, when there is nobody it waits for. */
const slowestText = (judgement: Judgement): string => {
  const [first] = slowRpcs(judgement);
  return first === undefined ? '' : `: ${first.name} takes ${seconds(first.aveTimeUs / 1000)}`;
};

/** Request types whose average is over a tenth of a second, slowest first. */
const slowRpcs = ({ readings }: Judgement): SdiagReading['rpcs'] =>
  (sourceOf<SdiagReading>(readings, 'slurm.sdiag')?.good?.value.rpcs ?? [])
    .filter((rpc) => rpc.aveTimeUs >= 100_000)
    .sort((a, b) => b.aveTimeUs - a.aveTimeUs);

const sdiagEvidence = (judgement: Judgement): EvidenceDraft[] => {
  const source = sourceOf<SdiagReading>(judgement.readings, 'slurm.sdiag');
  if (!source?.good) return [];
  const { value, at } = source.good;
  const queue =
    value.agentQueueSize === undefined
      ? ''
      : `, ${groupThousands(value.agentQueueSize)} messages wait to be sent`;
  const busiest = value.users.toSorted((a, b) => b.totalTimeUs - a.totalTimeUs)[0];
  return [
    ...(value.serverThreadCount === undefined ? [] : [`${value.serverThreadCount} server threads${queue}`]),
    ...slowRpcs(judgement)
      .slice(0, 4)
      .map(
        (rpc) =>
          `${rpc.name}: ${seconds(rpc.aveTimeUs / 1000)} on average, ${groupThousands(rpc.count)} times`,
      ),
    ...(busiest ? [`most time for ${busiest.name}: ${groupThousands(busiest.count)} requests`] : []),
    ...value.pending
      .slice(0, 3)
      .map(
        (one) =>
          `${one.name}: ${groupThousands(one.count)} pending${one.hosts === undefined ? '' : ` for ${one.hosts}`}`,
      ),
  ].map((text) => ({ text, probe: 'slurm.sdiag', host: source.host, at }));
};
