import type { Point } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { portIn, samplesOf, sourceOf } from '../ask/sources.ts';
import { splitId } from '../read/port-states.ts';
import { upAndDown } from '../verdict/case-of.ts';
import { changeCount, changesSeries, readSeries } from './track.ts';

const hourMs = 3_600_000;
/** Goings within the samples at hand, by the device's count, else by its stamp that moved; over how many seconds. */
const inSamples = (portId: string, judgement: Judgement): { downs: number; seconds: number } => {
  const { host, port } = splitId(portId);
  const source = sourceOf(judgement.readings, 'counters', host);
  const seen = (source ? samplesOf(source) : []).flatMap((one) => {
    const found = portIn(one, port);
    return found ? [{ mono: one.mono / 1000, port: found }] : [];
  });
  const [newest, oldest] = [seen[0], seen.at(-1)];
  if (!newest || !oldest || newest === oldest) return { downs: 0, seconds: 0 };
  const seconds = newest.mono - oldest.mono;
  const [last, first] = [changeCount(newest.port), changeCount(oldest.port)];
  if (last && first) return { downs: downsBetween(first.value, last.value, last.each), seconds };
  // A coarse stamp (`1w3d`) stands still: only one that is younger than the last sample tells of a change since.
  const moved = seen.filter(({ mono, port: { changedAgoS } }, index) => {
    const before = seen[index + 1];
    return before !== undefined && changedAgoS !== undefined && changedAgoS < mono - before.mono;
  }).length;
  return { downs: moved, seconds };
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
  const { host, port } = splitId(portId);
  const good = sourceOf(judgement.readings, 'counters', host)?.good;
  const found = good && portIn(good, port);
  const each = (found && changeCount(found)?.each) ?? 2;
  const now = inSamples(portId, judgement);
  const hour = Math.max(
    upAndDown(portId, judgement, farId).flaps,
    inHistory(portId, each, judgement),
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
  const { upSince } = upAndDown(portId, judgement);
  return stamp === undefined && upSince === undefined ? undefined : Math.max(stamp ?? 0, upSince ?? 0);
};
