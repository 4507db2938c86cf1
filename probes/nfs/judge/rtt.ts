import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import { readTrack, trendOf, type Course } from '../../../src/kit/trends.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import type { ClientMount } from '../readings.ts';
import { hostSubject, serversOf, subjectOf, type Client, type Server } from './servers.ts';

const findingOf = findingsOf('nfs');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Operations that say how fast a server is; so many in an interval make a mean. */
const WATCHED = ['READ', 'WRITE', 'GETATTR'];
const ENOUGH_OPS = 50;
/** Slow: over this many ms, and this many times as long as the day's median; a median wants so many values. */
const SLOW_MS = 20;
const TIMES = 5;
const ENOUGH_POINTS = 6;
/** So many clients say what an operation takes where too little is known of before. */
const ENOUGH_CLIENTS = 5;

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

const medianOf = (values: readonly number[], enough: number): number | undefined =>
  values.length < enough ? undefined : values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** What an operation takes on all clients of a server just now; without those that too few do. */
const mediansNow = (rtts: readonly Rtt[]): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(rtts, ({ op }) => op)].flatMap(([op, own]) => {
      const median = medianOf(
        own.map(({ ms }) => ms),
        ENOUGH_CLIENTS,
      );
      return median === undefined ? [] : [[op, median]];
    }),
  );

interface SlowRtt extends Rtt {
  /** What it is slow against, ms. */
  usual: number;
  against: 'history' | 'others';
}

/**
 * Against its own history; where that is too short, against all clients of the server: but one that was as slow an hour ago and more has a
 * long way, and is not told.
 */
const slowIn = (server: Server, rtts: readonly Rtt[], { history, now }: Judgement): SlowRtt[] => {
  const medians = mediansNow(rtts);
  return rtts.flatMap((rtt) => {
    if (rtt.ms <= SLOW_MS) return [];
    const day = history.changes(seriesOf(server.name, rtt), now - DAY_MS);
    const before = medianOf(
      day.map(({ value }) => Number(value)),
      ENOUGH_POINTS,
    );
    const wasSo = day.some(({ at, value }) => at <= now - HOUR_MS && rtt.ms <= TIMES * Number(value));
    const usual = before ?? (wasSo ? undefined : medians.get(rtt.op));
    return usual !== undefined && rtt.ms > TIMES * usual
      ? [{ ...rtt, usual, against: before === undefined ? 'others' : 'history' }]
      : [];
  });
};

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
          `${op}: ${ms.toFixed(1)} ms a round trip over ${ops} operations (${against === 'history' ? 'median of a day' : 'median of all its clients just now'} ${usual.toFixed(1)} ms), ${queueMs.toFixed(1)} ms in the client's own queue`,
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
