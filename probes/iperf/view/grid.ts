import type { Cell, GridBlock, Heat } from '../../../src/model/view.ts';
import { compareByName } from '../../../src/text/nodeset.ts';
import type { Flow } from '../judge/pairs.ts';

/** At most this many hosts get a row and column: those tested last. */
const gridHosts = 24;
/** A cell tested longer ago says so, and is not shown as fine any more, ms. */
const oldMs = 86_400_000;

/** `9.4/2.3!` in a cell: there and back. Only the half above the diagonal: the pair stands once. */
export const grid = (flows: readonly Flow[], empty: string, now: number): GridBlock => {
  const latest = flows.toSorted((a, b) => b.run.startedAt - a.run.startedAt);
  const names = [...new Set(latest.flatMap(({ from, to }) => [from, to]))]
    .slice(0, gridHosts)
    .sort(compareByName);
  const most = Math.max(0, ...flows.map(rateOf));
  const byId = new Map(flows.map((flow) => [flow.id, flow]));
  const halfCell = (flow: Flow | undefined): string =>
    flow === undefined
      ? '-'
      : flow.verdict.bps === 0
        ? 'x'
        : short(flow.verdict.lowBps ?? flow.verdict.bps) + (flow.verdict.sign === 'warning' ? '!' : '');
  return {
    type: 'grid',
    id: 'matrix',
    title: 'Gbit/s, forward/back; last run of each pair',
    columns: names.slice(1).map((name) => `to ${name}`),
    rows: names.slice(0, -1).map((from, at) => ({
      key: from,
      title: `from ${from}`,
      cells: names.slice(1).map((to, column): Cell => {
        if (column < at) return { text: '' };
        const [there, back] = [byId.get(`${from}:${to}`), byId.get(`${to}:${from}`)];
        if (!there && !back) return { text: '·' };
        const bad = [there, back].some((flow) => flow?.verdict.sign === 'warning');
        const tested = [there, back].flatMap((flow) =>
          flow ? [flow.run.endedAt ?? flow.run.startedAt] : [],
        );
        const oldest = Math.min(...tested);
        const old = now - oldest > oldMs;
        return {
          text: `${halfCell(there)}/${halfCell(back)}`,
          heat: heatOf(flowsOf(there, back), most),
          sign: bad ? 'warning' : old ? 'unknown' : 'fine',
          ...(bad && { showsSign: true }),
          ...(old && { age: oldest }),
        };
      }),
    })),
    empty,
    scale: ['90 % of the fastest and more', '75 %', '50 %', '25 %', 'less'],
  };
};

const flowsOf = (...flows: readonly (Flow | undefined)[]): readonly Flow[] =>
  flows.flatMap((flow) => flow ?? []);

const rateOf = ({ verdict }: Flow): number => verdict.lowBps ?? verdict.bps;

/** Beside the fastest of the grid, in the slower direction. */
const heatOf = (flows: readonly Flow[], most: number): Heat => {
  const part = most === 0 ? 0 : Math.min(...flows.map(rateOf)) / most;
  return part >= 0.9 ? 0 : part >= 0.75 ? 1 : part >= 0.5 ? 2 : part >= 0.25 ? 3 : 4;
};

const short = (bps: number): string => (bps >= 1e9 ? (bps / 1e9).toFixed(1) : (bps / 1e9).toPrecision(1));
