import { blank, figure } from '../../../src/kit/rows.ts';
import { trendCell } from '../../../src/kit/trends.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Row, TableBlock } from '../../../src/model/view.ts';
import { percent } from '../../../src/text/units.ts';
import { clusterOf } from '../judge/cluster.ts';
import { sourceOf } from '../judge/clusters.ts';
import { outCourse, partitionShare } from '../judge/find-partitions.ts';
import type { PartitionsReading } from '../readings.ts';
import { settingsOf } from '../settings.ts';

/** Partitions with the share that is out of service. */
export const partitionsTable = (judgement: Judgement, empty: string): TableBlock => {
  const { readings, site } = judgement;
  const cluster = clusterOf(readings);
  const source = sourceOf<PartitionsReading>(readings, 'slurm.partitions');
  const states = new Map<string, string>(
    source?.good?.value.partitions.map((one) => [one.partitionName, one.state ?? '']),
  );
  const limit = settingsOf(site).partitionOut;
  const names = [...new Set([...states.keys(), ...(cluster?.index.byPartition.keys() ?? [])])];
  const rows = names.map((name): Row => {
    const { total, out } = partitionShare(name, judgement);
    const share = total === 0 ? 0 : out.length / total;
    const state = states.get(name) ?? '';
    // No state: the partitions were not read, or it is not among them.
    const bad = share > limit || (state !== '' && state !== 'UP');
    return {
      key: name,
      subject: { kind: 'partition', id: name },
      sign: bad ? 'warning' : state === '' ? 'unknown' : 'fine',
      ...(cluster?.source.state !== 'fresh' && { stale: true }),
      cells: {
        partition: { text: name },
        state: { text: state.toLowerCase() },
        nodes: figure(total),
        out: figure(out.length),
        share: figure(share, percent(share)),
        bar: total === 0 ? blank : { text: '', share },
        course: trendCell(judgement, outCourse(name, total)),
      },
      ...(source && { sources: [{ probe: 'slurm.partitions', host: source.host }] }),
    };
  });
  return {
    type: 'table',
    id: 'partitions',
    title: 'Partitions',
    columns: [
      { id: 'partition', title: 'PARTITION', min: 10, grow: 1 },
      { id: 'state', title: 'STATE', min: 6 },
      { id: 'nodes', title: 'NODES', align: 'right', min: 6 },
      { id: 'out', title: 'OUT', align: 'right', min: 5 },
      { id: 'share', title: 'SHARE', align: 'right', min: 6 },
      { id: 'bar', title: 'OUT OF IT', min: 9, drop: 1 },
      { id: 'course', title: 'LAST HOUR', min: 12, drop: 2 },
    ],
    rows,
    empty,
  };
};
