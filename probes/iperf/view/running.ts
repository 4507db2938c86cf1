import type { Judgement } from '../../../src/model/system.ts';
import type { Row, TableBlock } from '../../../src/model/view.ts';
import { count } from '../../../src/text/units.ts';
import { allRuns } from '../judge/pairs.ts';
import { progressText } from './progress.ts';
import { sweepBar, sweepProgress, type SweepState } from '../sweep/state.ts';

const source = (host: string) => [{ probe: 'iperf.results', host }];

/** Tests under way: the row is about the server's host, so that what can be done to it is to end its tests, from either end. */
export const runningTable = (judgement: Judgement, sweep: SweepState | undefined): TableBlock => ({
  type: 'table',
  id: 'running',
  title: 'Running',
  columns: [
    { id: 'pair', title: 'TEST', min: 16, grow: 1 },
    { id: 'bar', title: 'PROGRESS', min: 18 },
    { id: 'now', title: 'GBIT/S', align: 'right', min: 7 },
    { id: 'last', title: 'INTERVALS', min: 20, grow: 1, drop: 1 },
  ],
  rows: [
    ...(sweep?.state === 'running' ? [sweepRow(sweep, judgement)] : []),
    ...allRuns(judgement)
      .filter(({ status }) => status === 'running')
      .map((run): Row => {
        const { bar, now, last } = progressText(run, judgement.now);
        return {
          key: run.id,
          subject: { kind: 'host', id: run.server },
          cells: {
            pair: { text: `${run.client} → ${run.server}${run.mode === 'forward' ? '' : ` ${run.mode}`}` },
            bar: { text: bar },
            now: { text: now },
            last: { text: last },
          },
          sources: source(run.client),
        };
      }),
  ],
  empty: 'no test is running',
});

/** The task as a whole; its row is about one of its hosts, where it can be ended for all. */
const sweepRow = (sweep: SweepState, { now }: Judgement): Row => ({
  key: sweep.id,
  subject: { kind: 'host', id: sweep.hosts[0] ?? '' },
  cells: {
    pair: { text: `${sweep.id}: ${count(sweep.hosts.length, 'host')}` },
    bar: { text: sweepBar(sweep, now) },
    last: { text: sweepProgress(sweep) },
  },
  sources: sweep.hosts.slice(0, 1).flatMap(source),
});
