import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import { readTrack, trendOf, type Course } from '../../../src/kit/trends.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import type { ClientMount } from '../readings.ts';
import { hostSubject, serversOf, subjectOf, type Client, type Server } from './servers.ts';

const findingOf = findingsOf('nfs');
const DAY_MS = 24 * 3_600_000;

/** Operations that say how fast a server is; so many in an interval make a mean. */
const WATCHED = ['READ', 'WRITE', 'GETATTR'];
const ENOUGH_OPS = 50;
/** Slow: over this many ms, and this many times as long as the day's median; a median wants so many values. */
const SLOW_MS = 20;
const TIMES = 5;
const ENOUGH_POINTS = 6;
/** So many other clients say what an operation takes where nothing is known of before. */
const ENOUGH_OTHERS = 4;

/** The mean round trip of one operation of a client since its reading before. */
export interface Rtt {
  client: Client;
  op: string;
  ms: number;
  /** Time in the client's own queue before the request was sent. */
  queueMs: number;
  ops: number;
}

const difference = (
  now: ClientMount,
  before: ClientMount,
  op: string,
): { ops: number; rttMs: number; queueMs: number } | undefined => {
  const [last, first] = [now, before].map(({ ops }) => ops.find((one) => one.op === op));
  const ops = (last?.ops ?? 0) - (first?.ops ?? 0);
  const rttMs = Number((last?.rttMs ?? 0n) - (first?.rttMs ?? 0n));
  const queueMs = Number((last?.queueMs ?? 0n) - (first?.queueMs ?? 0n));
  // A mount that was made anew begins at zero.
  return last === undefined || ops <= 0 || rttMs < 0 || queueMs < 0 ? undefined : { ops, rttMs, queueMs };
};

const rttsOf = (client: Client): Rtt[] => {
  const before = new Map(
    (client.source.before[0]?.value.mounts ?? []).map((mount) => [`${mount.mount} ${mount.source}`, mount]),
  );
  return WATCHED.flatMap((op) => {
    const parts = client.mounts.flatMap((mount) => {
      const old = before.get(`${mount.mount} ${mount.source}`);
      return (old && difference(mount, old, op)) ?? [];
    });
    const ops = parts.reduce((sum, part) => sum + part.ops, 0);
    const mean = (key: 'rttMs' | 'queueMs'): number => parts.reduce((sum, part) => sum + part[key], 0) / ops;
    return ops < ENOUGH_OPS ? [] : [{ client, op, ops, ms: mean('rttMs'), queueMs: mean('queueMs') }];
  });
};

/** Of all clients of a server that did enough since the reading before. */
const rttsTo = ({ clients }: Server): readonly Rtt[] => clients.flatMap(rttsOf);

const seriesOf = (server: string, { client, op }: Rtt): string => `nfs/rtt/${server}/${client.host}/${op}`;

/** Two digits: history keeps what changes. */
const roundDigits = (ms: number): number => Number(ms.toPrecision(2));

/** The mean of all watched operations of all clients, ms; undefined where none did enough. */
export const meanRtt = (server: Server): number | undefined => {
  const rtts = rttsTo(server);
  const ops = rtts.reduce((sum, rtt) => sum + rtt.ops, 0);
  return ops === 0 ? undefined : rtts.reduce((sum, rtt) => sum + rtt.ops * rtt.ms, 0) / ops;
};

const meanSeries = (server: string): string => `nfs/mean/${server}`;
const measuredSeries = (server: string): string => `nfs.rtt/${server}`;

/** The mean round trip to a server: at full height it is slow. */
export const rttCourse = (server: string): Course => ({
  series: meanSeries(server),
  read: [measuredSeries(server)],
  top: SLOW_MS,
});

export const tracks = (judgement: Judgement): readonly Track[] =>
  serversOf(judgement).flatMap((server) => {
    const mean = meanRtt(server);
    return [
      ...rttsTo(server).map((rtt) => ({ series: seriesOf(server.name, rtt), value: roundDigits(rtt.ms) })),
      ...(mean === undefined
        ? []
        : [
            { series: meanSeries(server.name), value: roundDigits(mean) },
            readTrack(measuredSeries(server.name), judgement.now),
          ]),
    ];
  });

const medianBefore = (server: string, rtt: Rtt, { history, now }: Judgement): number | undefined => {
  const values = history
    .changes(seriesOf(server, rtt), now - DAY_MS)
    .map(({ value }) => Number(value))
    .toSorted((a, b) => a - b);
  return values.length < ENOUGH_POINTS ? undefined : values[Math.floor(values.length / 2)];
};

/** What other clients of the server need for the same operation just now; undefined where too few do it. */
const medianOfOthers = (rtt: Rtt, rtts: readonly Rtt[]): number | undefined => {
  const others = rtts
    .filter(({ op, client }) => op === rtt.op && client.host !== rtt.client.host)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);
  return others.length < ENOUGH_OTHERS ? undefined : others[Math.floor(others.length / 2)];
};

interface SlowRtt extends Rtt {
  /** What it is slow against, ms. */
  usual: number;
  against: 'history' | 'others';
}

/** Against its own history; where that is not known yet against the others: a client that was always slow has a long way, and is not told. */
const slowIn = (server: Server, rtts: readonly Rtt[], judgement: Judgement): SlowRtt[] =>
  rtts.flatMap((rtt) => {
    const before = medianBefore(server.name, rtt, judgement);
    const usual = before ?? medianOfOthers(rtt, rtts);
    const against = before === undefined ? 'others' : 'history';
    return usual !== undefined && rtt.ms > SLOW_MS && rtt.ms > TIMES * usual
      ? [{ ...rtt, usual, against }]
      : [];
  });

const trendIn = (server: Server, judgement: Judgement): Pick<FindingDraft, 'trend'> => {
  const trend = trendOf(judgement, rttCourse(server.name));
  return trend ? { trend } : {};
};

/** A server whose answers take many times as long as they did: on most clients it is the server, on few of many their way. */
const slowFinding = (server: Server, judgement: Judgement): FindingDraft[] => {
  const rtts = rttsTo(server);
  const slow = slowIn(server, rtts, judgement);
  const [worst] = slow.toSorted((a, b) => b.ms - a.ms);
  if (!worst) return [];
  const hosts = [...new Set(slow.map(({ client }) => client.host))];
  const measured = new Set(rtts.map(({ client }) => client.host)).size;
  const everywhere = hosts.length === measured && measured > 1;
  const onlyOne = measured === 1;
  const few = hosts.length * 2 <= measured;
  const where = everywhere ? `on all ${measured} clients that use it` : `on ${fold(hosts)}`;
  return [
    findingOf({
      kind: 'slow',
      key: server.name,
      severity: 'warning',
      subject: few ? hostSubject(hosts[0] ?? server.name) : subjectOf(server),
      members: hosts.map(hostSubject),
      summary: `${server.name} slow ${where}: ${worst.op} takes ${worst.ms.toFixed(0)} ms, ${worst.against === 'history' ? 'usually' : 'on others'} ${worst.usual.toFixed(1)} ms`,
      advice: few
        ? 'Others of its clients are not slow: look at these nodes, their links and the path to the server.'
        : onlyOne
          ? 'Only one client uses it enough to tell: the server, the client or the way between them.'
          : 'Look at the disks and the load of the server.',
      suspects: few
        ? hosts
            .slice(0, 5)
            .map((host) => ({ subject: hostSubject(host), cause: 'link', confidence: 'medium' as const }))
        : [
            {
              subject: subjectOf(server),
              cause: 'server-slow',
              confidence: onlyOne ? ('low' as const) : ('high' as const),
            },
          ],
      evidence: slow.slice(0, 8).map(({ client, op, ms, queueMs, ops, usual, against }) => ({
        ...evidenceFrom(
          client.source,
          `${op}: ${ms.toFixed(1)} ms a round trip over ${ops} operations (${against === 'history' ? 'median of a day' : 'median of its other clients just now'} ${usual.toFixed(1)} ms), ${queueMs.toFixed(1)} ms in the client's own queue`,
        ),
        about: [hostSubject(client.host)],
        values: { op, rttMs: ms, usualMs: usual },
      })),
      hurt: { clients: hosts.length },
      lacks: [{ what: 'data', of: hosts.map(hostSubject), from: [subjectOf(server)] }],
      ...trendIn(server, judgement),
    }),
  ];
};

export const slowFindings = (judgement: Judgement): FindingDraft[] =>
  serversOf(judgement).flatMap((server) => slowFinding(server, judgement));
