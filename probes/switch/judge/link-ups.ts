import { memoPer } from '../../../src/kit/memo.ts';
import type { Point, Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { portIn, samplesOf, sourceOf } from '../ask/sources.ts';
import type { CountersReading } from '../readings.ts';
import { splitId } from '../read/port-states.ts';
import { flapsOf } from '../verdict/case-of.ts';
import { changeCount, changesSeries, goneSeries, readSeries, findGoing, type Stamped } from './track.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

const seenByPort = memoPer((_source: Source<CountersReading>) => new Map<string, readonly Stamped[]>());

/** A port in the samples at hand, newest first: looked for once in each answer of its device. */
const seenIn = (portId: string, { readings }: Judgement): readonly Stamped[] => {
  const { host, port } = splitId(portId);
  const source = sourceOf(readings, 'counters', host);
  if (!source) return [];
  const known = seenByPort(source).get(port);
  if (known) return known;
  const seen = samplesOf(source).flatMap((one) => {
    const found = portIn(one, port);
    return found ? [{ at: one.at, mono: one.mono, port: found }] : [];
  });
  seenByPort(source).set(port, seen);
  return seen;
};

/** Goings within the samples at hand by the device's count, over how many seconds; undefined: it counts none. */
const countedIn = (seen: readonly Stamped[]): { downs: number; seconds: number } | undefined => {
  const [newest, oldest] = [seen[0], seen.at(-1)];
  if (!newest || !oldest || newest === oldest) return undefined;
  const [last, first] = [changeCount(newest.port), changeCount(oldest.port)];
  return last && first
    ? { downs: downsBetween(first.value, last.value, last.each), seconds: (newest.mono - oldest.mono) / 1000 }
    : undefined;
};

/** Stamps in seconds, and what a device takes to print them: two consoles see one going so far apart. */
const sameMs = 3_000;

/** Goings of the last hour by the device's stamp, UTC ms: in the samples at hand, and as consoles wrote them down. */
const stampedGoings = (
  portId: string,
  seen: readonly Stamped[],
  { history, now }: Judgement,
): readonly number[] => {
  const here = seen.flatMap((one, index) => {
    const before = seen[index + 1];
    return (before && findGoing(before, one)) ?? [];
  });
  const goneCounts = history.changes(goneSeries(portId), now - hourMs).map(({ value }) => Number(value));
  const goings: number[] = [];
  for (const at of [...here, ...goneCounts].toSorted((one, other) => one - other))
    if (at > now - hourMs && at - (goings.at(-1) ?? -Infinity) > sameMs) goings.push(at);
  return goings;
};

/** Of the last minute; more goings than these show within it are told by the hour. */
const countLately = (goings: readonly number[], now: number): { downs: number; seconds: number } => {
  const recent = goings.filter((at) => at > now - minuteMs);
  return { downs: recent.length, seconds: recent[0] === undefined ? 0 : (now - recent[0]) / 1000 };
};

/** A counter that fell was cleared: nothing is known of that time. */
const downsBetween = (before: bigint, after: bigint, each: number): number =>
  after <= before ? 0 : Math.ceil(Number(after - before) / each);

/** Whether the count before this rise was read within an hour before it: else the link may have gone at any time in between. */
const isOfThatHour = (host: string, before: Point, after: Point, { history }: Judgement): boolean =>
  after.at - before.at <= hourMs ||
  history.changes(readSeries(host), after.at - hourMs).some(({ at }) => at < after.at);

/** Goings of the last hour by the device's count, as this and earlier consoles wrote it down. */
const inHistory = (portId: string, each: number, judgement: Judgement): number => {
  const { history, now } = judgement;
  const { host } = splitId(portId);
  const points = history.changes(changesSeries(portId), 0);
  if (points.length < 2) return 0;
  const from = points.findLastIndex(({ at }) => at <= now - hourMs);
  const recent = points.slice(Math.max(0, from));
  const changes = recent.reduce((sum, point, index) => {
    const before = recent[index - 1] ?? point;
    const rise = Number(point.value) - Number(before.value);
    return rise > 0 && isOfThatHour(host, before, point, judgement) ? sum + rise : sum;
  }, 0);
  return Math.ceil(changes / each);
};

/** How often a link went down: in the seconds of the samples at hand, and in the last hour; whichever of count and words tells more. */
export const goingsOf = (
  portId: string,
  judgement: Judgement,
  farId?: string,
): { downs: number; seconds: number; hour: number } => {
  const seen = seenIn(portId, judgement);
  const each = (seen[0] && changeCount(seen[0].port)?.each) ?? 2;
  const counted = countedIn(seen);
  const stamped = counted ? [] : stampedGoings(portId, seen, judgement);
  const now = counted ?? countLately(stamped, judgement.now);
  const hour = Math.max(
    flapsOf(portId, judgement, farId).flaps,
    inHistory(portId, each, judgement),
    stamped.length,
    now.downs,
  );
  return { ...now, hour };
};

/** UTC ms since when a link is up: by the words that consoles wrote down, or by its device's own stamp; the later. */
export const upSinceOf = (portId: string, judgement: Judgement): number | undefined => {
  const { host, port } = splitId(portId);
  const good = sourceOf(judgement.readings, 'counters', host)?.good;
  const found = good && portIn(good, port);
  const stamp =
    good && found?.state === 'up' && found.changedAgoS !== undefined
      ? good.at - found.changedAgoS * 1000
      : undefined;
  const { upSince } = flapsOf(portId, judgement);
  return stamp === undefined && upSince === undefined ? undefined : Math.max(stamp ?? 0, upSince ?? 0);
};
