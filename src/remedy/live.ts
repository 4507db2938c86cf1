import type { Reread } from '../model/action.ts';
import type { Clock, Reader } from '../model/ports.ts';
import type { Source } from '../model/reading.ts';
import type { Judgement } from '../model/system.ts';
import { thrownText } from '../text/thrown.ts';

/** A question that began this much before the moment counts as begun after it: durations are rounded. */
const SLACK_MS = 2;

const TRIES = 3;

export const uniqueReads = (reads: Iterable<Reread>): readonly Reread[] => [
  ...new Map([...reads].map((read) => [`${read.probe} ${read.host}`, read])).values(),
];

/** Whether a source holds a good reading whose question began at or after this monotonic moment. */
const isSince = (source: Source | undefined, mono: number): boolean =>
  source?.good !== undefined &&
  source.state === 'fresh' &&
  source.good.mono - source.good.durationMs >= mono - SLACK_MS;

/** The first of these reads that has no answer begun since then, with what is known of why. */
export const firstMissing = (
  judgement: Judgement,
  reads: readonly Reread[],
  mono: number,
): string | undefined => {
  for (const { probe, host } of reads) {
    const source = judgement.readings.source(probe, host);
    if (isSince(source, mono)) continue;
    return source?.failure?.message ?? lateText(host, probe, source, judgement.mono - mono);
  }
  return undefined;
};

/** An answer that did not come in time is told with how long the last one took, and where. */
const lateText = (host: string, probe: string, source: Source | undefined, waitedMs: number): string => {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const { durationMs = 0, hostMs } = source?.good ?? {};
  const way = hostMs === undefined ? 0 : durationMs - hostMs;
  const link = way < 1000 ? '' : `, ${seconds(way)} of it there and back: the link to ${host} is slow`;
  const last = durationMs < 1000 ? '' : `; its last answer took ${seconds(durationMs)}${link}`;
  return `${host} gave no fresh answer to ${probe} within ${seconds(Math.max(0, waitedMs))}${last}`;
};

/** `notAsked`: why nothing was asked at all. */
export type Live =
  | { ok: true; judgement: Judgement }
  | { ok: false; judgement: Judgement; missing: string; notAsked?: string };

/**
 * Asks again and gives a judgement that rests on answers begun after this call: a question already under way before it, which
 * the collector may have joined, does not count and is asked once more (guard 3). A hanging reader is left after `limitMs`.
 */
export const readLive = async (
  parts: { reader: Reader; clock: Clock },
  reads: readonly Reread[],
  options: { since?: number; limitMs?: number } = {},
): Promise<Live> => {
  const { reader, clock } = parts;
  const since = options.since ?? clock.mono();
  const wanted = uniqueReads(reads);
  const until = options.limitMs === undefined ? undefined : clock.mono() + options.limitMs;
  for (let tries = 1; ; tries++) {
    const problem = await readWithin(parts, wanted, until);
    const judgement = withoutSamples(reader.judgement());
    const missing = problem ?? firstMissing(judgement, wanted, since);
    if (missing === undefined) return { ok: true, judgement };
    const joined = wanted.every(({ probe, host }) => {
      const source = judgement.readings.source(probe, host);
      return source?.state === 'fresh' && source.good !== undefined;
    });
    if (!joined || tries === TRIES || (until !== undefined && clock.mono() >= until))
      return { ok: false, judgement, missing, ...(problem !== undefined && { notAsked: problem }) };
  }
};

const onlyDirect = new WeakMap<Judgement, Judgement>();

/**
 * What a guard, a verification and the plan that is sent may look at: what was asked of the machines themselves. A sample that somebody
 * else took some time ago is no look at a machine, however young it is.
 */
export const withoutSamples = (judgement: Judgement): Judgement => {
  const readings = judgement.readings.direct?.();
  if (!readings) return judgement;
  const known = onlyDirect.get(judgement) ?? { ...judgement, readings };
  onlyDirect.set(judgement, known);
  return known;
};

/** How long a reading counts as of now while a plan is only read, ms, and how much longer than it took to get. */
const RESTING = { ms: 3_000, durations: 5 };

/**
 * For a plan that somebody reads: what its guards look at is asked again every few seconds, a slow source less often. What touches
 * more than its own answer (signals, files, traffic) is asked as often as the console asks it anyway, and on demand never.
 */
export const readGently = async (
  parts: { reader: Reader; clock: Clock },
  reads: readonly Reread[],
  limitMs: number,
): Promise<void> => {
  const { readings, mono } = parts.reader.judgement();
  const due = uniqueReads(reads).filter(({ probe, host }) => {
    const source = readings.source(probe, host);
    if (source?.good === undefined || source.failure) return true;
    const { everyMs, good } = source;
    const rest = Math.max(RESTING.ms, RESTING.durations * good.durationMs);
    const touching = everyMs > 0 ? everyMs : Infinity;
    return mono - good.mono > (parts.reader.touches(probe) === 'nothing' ? rest : Math.max(rest, touching));
  });
  if (due.length > 0) await readWithin(parts, due, parts.clock.mono() + limitMs);
};

/** Gives why the reader could not even ask (a probe that this host does not have); undefined when it asked. */
const readWithin = async (
  { reader, clock }: { reader: Reader; clock: Clock },
  reads: readonly Reread[],
  until: number | undefined,
): Promise<string | undefined> => {
  if (reads.length === 0) return undefined;
  const done = new AbortController();
  const late = new AbortController();
  const reading = reader.readNow(reads, late.signal).then(() => undefined, thrownText);
  if (until === undefined) return reading;
  // A reader that ignores its signal must not hold up the verdict; whatever it does later changes nothing here.
  const timer = clock.sleep(Math.max(0, until - clock.mono()), done.signal).then(() => late.abort());
  const problem = await Promise.race([reading, timer.then(() => undefined)]);
  done.abort();
  return problem;
};
