import type { Reading, Readings, Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import { crowdedText } from './host-facts.ts';
import type { FactsReading, IperfRun, RunsReading, ToolsReading } from '../readings.ts';
import { type Direction, median, type Samples, samplesOf } from './samples.ts';
import { settingsOf } from '../settings.ts';
import { bpsSeries } from './past-tests.ts';
import { cpuOf, findSingleStream, pathOf, segmentOf, steadySingles, windowOf } from './around-test.ts';
import { othersAt } from './rule-shared.ts';
import type { Others, Verdict } from './verdict.ts';
import { verdictOf } from './verdict-rules.ts';

/** One direction of two hosts: data from `from` to `to`, whoever was the client. */
export interface Flow {
  /** `wn-d-01:wn-d-02`. */
  id: string;
  from: string;
  to: string;
  run: IperfRun;
  direction: Direction;
  samples: Samples | undefined;
  verdict: Verdict;
}

export const factsOf = (readings: Readings, host: string): FactsReading | undefined =>
  readings.source<FactsReading>('iperf.facts', host)?.good?.value;

export const toolsOf = (readings: Readings, host: string): Source<ToolsReading> | undefined =>
  readings.source<ToolsReading>('iperf.tools', host);

/** The newer of what is read regularly and what is read while a test is watched. */
export const runsReading = (readings: Readings, host: string): Reading<RunsReading> | undefined => {
  const [regular, watched] = ['iperf.results', 'iperf.watch'].map(
    (probe) => readings.source<RunsReading>(probe, host)?.good,
  );
  return watched && watched.mono > (regular?.mono ?? -Infinity) ? watched : regular;
};

/** All runs of all hosts, newest first. */
export const allRuns = ({ readings, site }: Judgement): IperfRun[] =>
  site
    .hostsWithRole('iperf')
    .flatMap(({ name }) => runsReading(readings, name)?.value.runs ?? [])
    .sort((a, b) => b.startedAt - a.startedAt);

/** The last verdict on every direction that was ever tested and ended; made once for each judgement. */
export const flowsOf: (judgement: Judgement) => readonly Flow[] = memoPerJudgement((judgement) => {
  const ended = allRuns(judgement).filter((run) => run.status !== 'running');
  const seen = ended.flatMap((run) =>
    directionsOf(run).map((direction) => ({ run, direction, id: idOf(run, direction) })),
  );
  const latest = new Map<string, (typeof seen)[number]>();
  for (const one of seen) {
    const before = latest.get(one.id);
    // A cancelled test says nothing: what was known before stays.
    if (before === undefined && !isVoid(one.run)) latest.set(one.id, one);
  }
  return [...latest.values()].map(({ run, direction, id }) => {
    const [from = '', to = ''] = id.split(':');
    const others = seen.filter((other) => other.id === id && other.run !== run && !isVoid(other.run));
    const samples = samplesOf(run, direction);
    return {
      id,
      from,
      to,
      run,
      direction,
      samples,
      verdict: judge(run, samples, { id, from, to }, others, latest, judgement),
    };
  });
});

const isVoid = (run: IperfRun): boolean => run.why === 'cancelled' || run.why === 'unwatched' || run.vanished;

const directionsOf = (run: IperfRun): Direction[] =>
  run.mode === 'both' ? ['there', 'back'] : [run.mode === 'reverse' ? 'back' : 'there'];

const idOf = (run: IperfRun, direction: Direction): string =>
  direction === 'there' ? `${run.client}:${run.server}` : `${run.server}:${run.client}`;

/** What iperf says, and what it means here. */
const errorTexts: readonly (readonly [form: RegExp, text: (run: IperfRun) => string])[] = [
  [
    /refused/i,
    ({ server }) =>
      `${server} refused the connection, though the server listened: a firewall, or a wrong address`,
  ],
  [
    /name resolution|Name or service|lookup|not known|Resource temporarily/i,
    ({ client, server }) =>
      `${client} can't resolve the name it was given for ${server}: set iperf.addresses in the site file`,
  ],
  [/busy/i, ({ server }) => `the server on ${server} is busy with another test`],
];

/** What iperf 2 and 3 say when no connection came up, or the server took no test. */
const unconnected =
  /unable to connect|connect failed|refused|busy|name resolution|Name or service|lookup|gethostbyname/i;

const isNeverConnected = ({ why, error = '' }: IperfRun): boolean =>
  why === 'noConnection' || unconnected.test(error);

/** Words for what iperf left unsaid. */
const errorOf = (run: IperfRun): string | undefined => {
  const { why, error, client, server, status } = run;
  if (why === 'silent') return 'no byte for 4 s: the link is gone';
  if (why === 'noConnection')
    return `no connection from ${client} to ${server} within 5 s, though the server listened: a firewall, or a wrong address`;
  if (error === undefined) return status === 'error' ? 'the test ended without data' : undefined;
  return errorTexts.find(([form]) => form.test(error))?.[1](run) ?? error;
};

/** What else the two NICs carried the same way meanwhile. */
const othersOf = (
  { run, from, to, data }: Pick<Flow, 'run' | 'from' | 'to'> & { data: Samples },
  { readings, site }: Judgement,
): readonly Others[] => {
  const back = run.mode === 'both' ? samplesOf(run, from === run.client ? 'back' : 'there') : undefined;
  const segmentBytes = segmentOf(factsOf(readings, from), factsOf(readings, to));
  const ends = [
    { host: from, does: 'sent' },
    { host: to, does: 'received' },
  ] as const;
  return ends.flatMap(({ host, does }) => {
    const facts = factsOf(readings, host);
    // Of a link that is said to give less than its NIC others may use the rest.
    const speed = facts?.speedMbps === undefined ? undefined : facts.speedMbps * 1e6;
    const speeds = [settingsOf(site).lineBps, speed].filter((one) => one !== undefined);
    const reading = runsReading(readings, host)?.value;
    const lineBps = speeds.length === 0 ? undefined : Math.max(...speeds);
    return othersAt(run, { host, does, reading, nic: facts?.nic, lineBps, data, back, segmentBytes }) ?? [];
  });
};

const judge = (
  run: IperfRun,
  samples: Samples | undefined,
  { id, from, to }: { id: string; from: string; to: string },
  others: readonly { run: IperfRun; direction: Direction }[],
  latest: ReadonlyMap<string, { run: IperfRun; direction: Direction }>,
  judgement: Judgement,
): Verdict => {
  const { readings, site, history, now } = judgement;
  const [sender, receiver] = [factsOf(readings, from), factsOf(readings, to)];
  const speeds = [sender?.speedMbps, receiver?.speedMbps].flatMap((speed) =>
    speed === undefined ? [] : [speed * 1e6],
  );
  const lineBps = settingsOf(site).lineBps ?? (speeds.length === 2 ? Math.min(...speeds) : undefined);
  const reverse = latest.get(`${to}:${from}`);
  const back = reverse && samplesOf(reverse.run, reverse.direction)?.total;
  const several = others.find((other) => other.run.streams > 1 && other.run.status === 'ok');
  const single = run.streams > 1 ? findSingleStream(run, others) : undefined;
  const severalBps = several && samplesOf(several.run, several.direction)?.total;
  const singles = [
    { run, samples },
    ...others.map((other) => ({ run: other.run, samples: samplesOf(other.run, other.direction) })),
  ];
  const earlier = history
    .changes(bpsSeries(id), now - 30 * 86_400_000)
    .filter((point) => point.at < run.startedAt)
    .map((point) => Number(point.value));
  const interrupts = [
    { host: from, text: crowdedText(from, sender) },
    { host: to, text: crowdedText(to, receiver) },
  ].flatMap(({ host, text }) => (text === undefined ? [] : [{ host, text }]));
  return verdictOf({
    samples,
    streams: run.streams,
    byPort: steadySingles(singles),
    interrupts,
    neverConnected: isNeverConnected(run),
    ...dropUndefined({
      error: errorOf(run),
      lineBps,
      back: back !== undefined && back > 0 ? { bps: back } : undefined,
      several: several && severalBps ? { bps: severalBps, streams: several.run.streams } : undefined,
      ...windowOf(run, { from, to }, sender, receiver),
      single,
      segmentBytes: segmentOf(sender, receiver),
      path: pathOf(run),
      cpu: cpuOf(run, from, readings),
      others: samples && othersOf({ run, from, to, data: samples }, judgement),
      rttMs: run.rttMs,
      baseline: earlier.length > 0 ? { bps: median(earlier), count: earlier.length } : undefined,
    }),
  });
};
