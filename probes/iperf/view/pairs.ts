import type { Judgement } from '../../../src/model/system.ts';
import type { Row, TableBlock } from '../../../src/model/view.ts';
import { figure, ageCell } from '../../../src/kit/rows.ts';
import { compareByName } from '../../../src/text/nodeset.ts';
import { gbit } from '../read/result.ts';
import { type Flow, flowsOf } from '../judge/pairs.ts';

/** Every direction that was tested, with its verdict; what is not fine first. */
export const pairsTable = (judgement: Judgement, empty: string): TableBlock => ({
  type: 'table',
  id: 'pairs',
  title: 'Pairs',
  columns: [
    { id: 'pair', title: 'FROM → TO', min: 18, grow: 1 },
    { id: 'rate', title: 'GBIT/S', align: 'right', min: 7 },
    { id: 'verdict', title: 'VERDICT', min: 24, grow: 3 },
    { id: 'samples', title: 'SAMPLES', align: 'right', min: 7, drop: 2 },
    { id: 'test', title: 'TEST', min: 12, drop: 1 },
    { id: 'age', title: 'AGE', align: 'right', min: 8 },
  ],
  rows: flowsOf(judgement)
    .toSorted((a, b) => rank(a) - rank(b) || compareByName(a.id, b.id))
    .map((flow): Row => {
      const { id, from, to, run, verdict } = flow;
      const at = run.endedAt ?? run.startedAt;
      const stale = judgement.readings.source('iperf.results', run.client)?.state !== 'fresh';
      return {
        key: id,
        subject: { kind: 'pair', id },
        sign: verdict.sign,
        ...(stale && { stale: true }),
        cells: {
          pair: { text: `${from} → ${to}`, sign: verdict.sign },
          rate: figure(verdict.bps, verdict.bps === 0 ? '' : gbit(verdict.bps)),
          verdict: { text: verdict.text },
          samples: figure(verdict.samples),
          test: { text: `${run.tool}${run.streams > 1 ? ` -P ${run.streams}` : ''}` },
          age: ageCell(at),
        },
        sources: [{ probe: 'iperf.results', host: run.client }],
      };
    }),
  empty,
});

const rank = ({ verdict }: Flow): number =>
  verdict.sign === 'warning' ? 0 : verdict.sign === 'unknown' ? 1 : 2;
