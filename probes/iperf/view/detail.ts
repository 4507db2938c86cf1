import type { Readings } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell, FactsBlock, TableBlock } from '../../../src/model/view.ts';
import { figure, ageCell } from '../../../src/kit/rows.ts';
import { gbit } from '../read/result.ts';
import { allRuns, factsOf, type Flow, flowsOf } from '../judge/pairs.ts';
import { progressText } from './progress.ts';
import { factNames, nameFacts, type NamedFacts } from '../judge/host-facts.ts';
import { differences, type PastTest, pastTests } from '../judge/past-tests.ts';
import type { IperfRun } from '../readings.ts';
import { samplesOf } from '../judge/samples.ts';

/** Everything about a pair (both directions, ends side by side, history) or a host; empty for what iperf does not know. */
export const detail = (subject: Subject, judgement: Judgement): readonly Block[] => {
  if (subject.kind === 'pair') return pairDetail(subject.id, judgement);
  if (subject.kind !== 'host') return [];
  const facts = factsOf(judgement.readings, subject.id);
  const running = allRuns(judgement).filter(
    (run) => run.status === 'running' && [run.client, run.server].includes(subject.id),
  );
  return [
    ...running.map(runningBlock(judgement.now)),
    ...(facts ? [sideBySide([subject.id], judgement)] : []),
  ];
};

const runningBlock =
  (now: number) =>
  (run: IperfRun): Block => ({
    type: 'text',
    id: `running-${run.id}`,
    title: `${run.client} → ${run.server} is running`,
    lines: [{ text: progressText(run, now).bar }, { text: progressText(run, now).last }],
  });

const pairDetail = (id: string, judgement: Judgement): Block[] => {
  const [from = '', to = ''] = id.split(':');
  const flows = flowsOf(judgement);
  const own = [id, `${to}:${from}`].flatMap((one) => flows.find((flow) => flow.id === one) ?? []);
  const running = allRuns(judgement).filter(
    (run) =>
      run.status === 'running' && [`${run.client}:${run.server}`, `${run.server}:${run.client}`].includes(id),
  );
  return [
    ...running.map(runningBlock(judgement.now)),
    ...own.map(verdictBlock),
    ...own.flatMap((flow) => chartBlock(flow)),
    ...own.flatMap((flow) => streamsBlock(flow)),
    sideBySide([from, to], judgement),
    ...own.flatMap((flow) => historyBlock(flow, judgement)),
  ];
};

const verdictBlock = ({ id, from, to, run, verdict }: Flow): FactsBlock => ({
  type: 'facts',
  id: `verdict-${id}`,
  title: `${from} → ${to}`,
  facts: [
    { name: 'verdict', cell: { text: verdict.text, sign: verdict.sign } },
    ...verdict.evidence.map((text) => ({ name: '', cell: { text } })),
    {
      name: 'test',
      cell: {
        text: `${run.tool}, ${run.seconds} s, ${run.streams} ${run.streams === 1 ? 'stream' : 'streams'}, ${run.mode}${run.window === undefined ? '' : `, window ${run.window}`}`,
        age: run.endedAt ?? run.startedAt,
      },
      source: run.client,
    },
    ...(run.rttMs === undefined ? [] : [{ name: 'RTT before', cell: { text: `${run.rttMs} ms` } }]),
    ...(run.retransmits === undefined
      ? []
      : [{ name: 'retransmits', cell: { text: String(run.retransmits) } }]),
  ],
});

/** Every interval as it came, the first and the tail too: what was left out is to be seen. */
const chartBlock = ({ id, from, to, run, direction }: Flow): Block[] => {
  const forward = direction === 'there';
  const rows = run.intervals.filter(
    (row) =>
      !row.id.includes('SUM') &&
      (run.mode !== 'both' || (row.dir === 'rx' || row.id.startsWith('*')) === !forward),
  );
  const byStart = [...Map.groupBy(rows, (row) => row.start).entries()].sort(([a], [b]) => a - b);
  return byStart.length < 2
    ? []
    : [
        {
          type: 'chart',
          id: `chart-${id}`,
          title: `${from} → ${to}, intervals`,
          unit: 'Gbit/s',
          series: [
            {
              name: `${from} → ${to}`,
              points: byStart.map(([start, group]) => ({
                at: run.startedAt + start * 1000,
                value: Math.round(group.reduce((sum, row) => sum + row.bps, 0) / 1e6) / 1000,
              })),
            },
          ],
        },
      ];
};

const streamsBlock = ({ id, from, to, run, direction }: Flow): Block[] => {
  const streams = samplesOf(run, direction)?.streams ?? [];
  if (streams.length < 2) return [];
  const table: TableBlock = {
    type: 'table',
    id: `streams-${id}`,
    title: `${from} → ${to}, streams`,
    columns: [
      { id: 'stream', title: 'STREAM', min: 8 },
      { id: 'port', title: 'SOURCE PORT', align: 'right', min: 12 },
      { id: 'rate', title: 'GBIT/S', align: 'right', min: 8 },
    ],
    rows: streams.map((stream) => ({
      key: stream.id,
      cells: {
        stream: { text: stream.id },
        port: { text: stream.port === undefined ? '' : String(stream.port) },
        rate: figure(stream.bps, gbit(stream.bps)),
      },
    })),
    empty: 'no streams',
  };
  return [table];
};

const knownOfHost = (host: string, readings: Readings): NamedFacts | undefined => {
  const facts = factsOf(readings, host);
  return facts && nameFacts(facts);
};

/** Facts of both ends, one line each; a sign where they differ. */
const sideBySide = (hosts: readonly string[], { readings }: Judgement): TableBlock => {
  const all = hosts.map((name) => knownOfHost(name, readings));
  return {
    type: 'table',
    id: 'ends',
    title: hosts.length === 1 ? 'Facts' : 'Both ends',
    columns: [
      { id: 'fact', title: 'FACT', min: 12 },
      ...hosts.map((name) => ({ id: name, title: name, min: 14, grow: 1 })),
    ],
    rows: factNames.map((name) => {
      const values = all.map((facts) => facts?.[name]);
      const differ = !['load', 'interrupts', 'NIC'].includes(name) && new Set(values).size > 1;
      const cells: Record<string, Cell> = {
        fact: { text: name, ...(differ && { sign: 'notice' as const }) },
      };
      for (const [at, host] of hosts.entries())
        cells[host] = all[at] ? { text: values[at] ?? 'unknown' } : { text: 'not read', sign: 'unknown' };
      return { key: name, cells };
    }),
    empty: 'no facts were read',
  };
};

/** Earlier tests, the newest first, each with what was otherwise at its ends then. */
const historyBlock = ({ id, from, to, run }: Flow, judgement: Judgement): Block[] => {
  const { now, readings } = judgement;
  const tests = pastTests(id, now - 30 * 86_400_000, judgement).filter((test) => test.run !== run.id);
  if (tests.length === 0) return [];
  const [sender, receiver] = [knownOfHost(from, readings), knownOfHost(to, readings)];
  const table: TableBlock = {
    type: 'table',
    id: `history-${id}`,
    title: `${from} → ${to}, earlier tests`,
    columns: [
      { id: 'age', title: 'AGE', align: 'right', min: 8 },
      { id: 'rate', title: 'GBIT/S', align: 'right', min: 8 },
      { id: 'test', title: 'TEST', min: 12, drop: 1 },
      { id: 'facts', title: 'OTHERWISE THEN', min: 24, grow: 1 },
    ],
    rows: tests
      .slice(-20)
      .toReversed()
      .map((test) => ({
        key: test.run,
        cells: {
          age: ageCell(test.at),
          rate: figure(test.bps, gbit(test.bps)),
          test: { text: `${test.tool}${test.streams > 1 ? ` -P ${test.streams}` : ''}` },
          facts: factsThen(test, from, to, sender, receiver),
        },
      })),
    empty: 'no earlier tests',
  };
  return [table];
};

const factsThen = (
  test: PastTest,
  from: string,
  to: string,
  sender: NamedFacts | undefined,
  receiver: NamedFacts | undefined,
): Cell => {
  if (test.from === undefined && test.to === undefined)
    return { text: 'facts of that time not read', sign: 'unknown' };
  const words = [...differences(from, test.from, sender), ...differences(to, test.to, receiver)];
  return words.length === 0 ? { text: 'nothing that was read' } : { text: words.join('; '), sign: 'notice' };
};
