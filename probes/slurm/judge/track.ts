import type { Track } from '../../../src/model/reading.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import { readTrack } from '../../../src/kit/trends.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { SdiagReading } from '../readings.ts';
import { clusterOf } from './cluster.ts';
import { dbdSeries } from './find-accounting.ts';
import { eachCluster, sourceOf } from './clusters.ts';
import { NODES_READ, outSeries, partitionShare } from './find-partitions.ts';
import { countsSeries } from './planned.ts';
import { serviceState } from './trouble.ts';

/** `slurm/node/n17/state` = `UP`, `DRAIN`, `DOWN+NOT_RESPONDING`: states that come and go with jobs are not kept. */
export const nodeSeries = (name: string): string =>
  name === '' ? 'slurm/node/' : `slurm/node/${name}/state`;
/** Why it was drained last. */
export const reasonSeries = (name: string): string => `slurm/node/${name}/reason`;
/** How long the controller took for an answer, ms. */
export const latencySeries = (host: string): string => `slurm/controller/${host}/ms`;

/** What the history keeps of Slurm; of nodes and partitions those of the first cluster, whose names are its own. Nothing while the nodes can't be read: a failed reading is no change. */
export const tracks = (judgement: Judgement): readonly Track[] =>
  clusterOf(judgement.readings)?.source.state === 'failed' ? [] : tracksOf(judgement);

const tracksOf = memoPerJudgement(
  (judgement): readonly Track[] => {
    const cluster = clusterOf(judgement.readings);
    const { good: reading, host } = cluster?.source ?? {};
    if (!cluster || !reading) return [];
    const { nodes, troubled, byPartition } = cluster.index;
    return [
      ...nodes.map((node) => ({ series: nodeSeries(node.name), value: serviceState(node) })),
      ...troubled.flatMap(({ node }) =>
        node.reason === undefined ? [] : [{ series: reasonSeries(node.name), value: node.reason }],
      ),
      ...[...byPartition.keys()].map((name) => ({
        series: outSeries(name),
        value: partitionShare(name, judgement).out.length,
      })),
      ...eachCluster(judgement).flatMap((one) => sdiagTracks(one.judgement)),
      readTrack(NODES_READ, reading.at),
      { series: latencySeries(host ?? ''), value: Math.round(reading.durationMs / 10) * 10 },
    ];
  },
  (judgement) => [
    clusterOf(judgement.readings)?.source.good,
    ...eachCluster(judgement).map(
      ({ judgement: { readings } }) => sourceOf<SdiagReading>(readings, 'slurm.sdiag')?.good,
    ),
  ],
);

const sdiagTracks = ({ readings }: Judgement): Track[] => {
  const source = sourceOf<SdiagReading>(readings, 'slurm.sdiag');
  const { dbdAgentQueueSize: waiting, dataSince } = source?.good?.value ?? {};
  return [
    ...(source && waiting !== undefined ? [{ series: dbdSeries(source.host), value: waiting }] : []),
    ...(source && dataSince !== undefined ? [{ series: countsSeries(source.host), value: dataSince }] : []),
  ];
};
