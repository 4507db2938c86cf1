import type { Judgement } from '../../src/model/system.ts';
import type { Cell, GridBlock, PaneView, Row, TableBlock, TextBlock } from '../../src/model/view.ts';
import { count } from '../../src/text/units.ts';
import { clockAnswers, clockTimes } from './clock-sweep.ts';
import { figure } from './figure.ts';
import { crowded, spreadOf } from './interrupts.ts';
import { allRuns, factsOf, type Flow, flowsOf, runsReading, toolsOf } from './pairs.ts';
import { progressText } from './progress.ts';
import { sweepBar, sweepConclusion, sweepOf, sweepProgress, type SweepState } from './sweep-state.ts';

/** At most this many hosts get a row and column: those tested last. */
const gridHosts = 24;
/** A cell tested longer ago says so, and is not shown as fine any more, ms. */
const oldMs = 86_400_000;

/** The pane: tests under way, the matrix, every direction with its verdict. */
export const view = (judgement: Judgement): PaneView => {
  const hosts = judgement.site.withRole('iperf');
  const unread = hosts.filter(({ name }) => runsReading(judgement.readings, name) === undefined);
  const flows = flowsOf(judgement);
  const fine = flows.filter(({ verdict }) => verdict.sign === 'fine').length;
  const running = allRuns(judgement).filter(({ status }) => status === 'running');
  const unknown = hosts.length > 0 && unread.length === hosts.length;
  const sweep = sweepOf(judgement);
  const empty = unknown
    ? 'not known: no host was read yet'
    : 'no test was run yet: a on a row of "Pairs" runs one';
  return {
    summary: unknown
      ? 'results not known'
      : [
          count(flows.length, 'pair'),
          ...(fine < flows.length ? [`${flows.length - fine} not fine`] : []),
          ...(running.length > 0 ? [`${count(running.length, 'test')} running`] : []),
          ...(sweep?.state === 'running' ? [`sweep of ${sweep.hosts.length} hosts`] : []),
          ...(unread.length > 0 ? [`${count(unread.length, 'host')} not read`] : []),
        ].join(', '),
    sign: unknown
      ? 'unknown'
      : flows.some(({ verdict }) => verdict.sign === 'warning')
        ? 'warning'
        : unread.length > 0
          ? 'unknown'
          : 'fine',
    wall: unknown ? 'not known' : flows.length === 0 ? 'no tests' : `${fine}/${flows.length}`,
    blocks: [
      ...(running.length > 0 || sweep?.state === 'running' ? [runningTable(judgement, sweep)] : []),
      grid(flows, empty, judgement.now),
      pairsTable(judgement, empty),
      hostsTable(judgement),
      ...(sweep && sweep.state !== 'running' ? [sweepText(sweep)] : []),
      ...clockText(judgement),
    ],
  };
};

const sweepText = (sweep: SweepState): TextBlock => ({
  type: 'text',
  id: 'sweep',
  title: `Last sweep, ${count(sweep.hosts.length, 'host')}`,
  lines: [{ text: sweepConclusion(sweep), age: sweep.startedAt }],
});

/** When the site file lets sweeps run, and what the hosts said the last time. */
const clockText = (judgement: Judgement): TextBlock[] => {
  const times = clockTimes(judgement.site);
  const answers = clockAnswers(judgement).map(({ text, at }) => ({ text, age: at }));
  return times.length === 0
    ? []
    : [
        {
          type: 'text',
          id: 'clock',
          title: `Sweeps by the clock, on idle hosts: ${times.join(', ')}`,
          lines: answers.length > 0 ? answers : [{ text: 'not run yet by this console' }],
        },
      ];
};

/** `9.4/2.3!` in a cell: there and back. Only the half above the diagonal: the pair stands once. */
const grid = (flows: readonly Flow[], empty: string, now: number): GridBlock => {
  const latest = flows.toSorted((a, b) => b.run.startedAt - a.run.startedAt);
  const names = [...new Set(latest.flatMap(({ from, to }) => [from, to]))].slice(0, gridHosts).sort(byName);
  const byId = new Map(flows.map((flow) => [flow.id, flow]));
  const half = (flow: Flow | undefined): string =>
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
          text: `${half(there)}/${half(back)}`,
          sign: bad ? 'warning' : old ? 'unknown' : 'fine',
          ...(old && { age: oldest }),
        };
      }),
    })),
    empty,
  };
};

const short = (bps: number): string => (bps >= 1e9 ? (bps / 1e9).toFixed(1) : (bps / 1e9).toPrecision(1));
const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

const source = (host: string) => [{ probe: 'iperf.results', host }];

/** Tests under way: the row is about the server's host, so that what can be done to it is to end its tests, from either end. */
const runningTable = (judgement: Judgement, sweep: SweepState | undefined): TableBlock => ({
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

const pairsTable = (judgement: Judgement, empty: string): TableBlock => ({
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
    .toSorted((a, b) => rank(a) - rank(b) || byName(a.id, b.id))
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
          rate: { text: verdict.bps === 0 ? '' : figure(verdict.bps), sort: verdict.bps },
          verdict: { text: verdict.text },
          samples: { text: String(verdict.samples), sort: verdict.samples },
          test: { text: `${run.tool}${run.streams > 1 ? ` -P ${run.streams}` : ''}` },
          age: { text: '', age: at, sort: at },
        },
        sources: source(run.client),
      };
    }),
  empty,
});

const rank = ({ verdict }: Flow): number =>
  verdict.sign === 'warning' ? 0 : verdict.sign === 'unknown' ? 1 : 2;

/** Every host that can be tested: by it a first test, a sweep or a cure is reached. */
const hostsTable = (judgement: Judgement): TableBlock => ({
  type: 'table',
  id: 'hosts',
  title: 'Hosts',
  columns: [
    { id: 'host', title: 'HOST', min: 10 },
    { id: 'tools', title: 'TOOLS', min: 16, grow: 2 },
    { id: 'nic', title: 'NIC', min: 14 },
    { id: 'kernel', title: 'KERNEL', min: 12, grow: 1, drop: 2 },
    { id: 'queues', title: 'INTERRUPTS', min: 18, grow: 1, drop: 1 },
    { id: 'load', title: 'LOAD', align: 'right', min: 6, drop: 3 },
  ],
  rows: [
    ...allRow(judgement),
    ...judgement.site.withRole('iperf').map(({ name }) => hostRow(name, judgement)),
  ],
  empty: 'the site file has no host with the role iperf',
});

/** What is done to all of them together: a sweep. */
const allRow = ({ site }: Judgement): Row[] => {
  const count = site.withRole('iperf').length;
  return count < 3
    ? []
    : [
        {
          key: 'all hosts',
          subject: { kind: 'site', id: site.name },
          cells: { host: { text: `all ${count}`, sort: '' }, tools: { text: 'a: sweep for the slow one' } },
        },
      ];
};

const hostRow = (name: string, judgement: Judgement): Row => {
  const facts = factsOf(judgement.readings, name);
  const tools = toolsOf(judgement.readings, name)?.good?.value.tools;
  const crowd = crowded(name, facts);
  return {
    key: name,
    subject: { kind: 'host', id: name },
    ...(crowd !== undefined && { sign: 'notice' as const }),
    cells: {
      host: { text: name },
      tools: tools
        ? {
            text: tools.map(({ tool, version }) => `${tool} ${version}`).join(', ') || 'none',
            ...(tools.length === 0 && { sign: 'warning' as const }),
          }
        : { text: 'not read', sign: 'unknown' },
      nic: {
        text: facts
          ? `${facts.nic}${facts.speedMbps === undefined ? '' : ` ${facts.speedMbps / 1000} G`}`
          : '',
      },
      kernel: { text: facts?.kernel ?? '' },
      queues: { text: facts ? spreadOf(facts) : '' },
      load: { text: facts?.load === undefined ? '' : String(facts.load) },
    },
    sources: [
      { probe: 'iperf.facts', host: name },
      { probe: 'iperf.tools', host: name },
    ],
  };
};
