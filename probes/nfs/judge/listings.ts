import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import type { ListingReading, MeasuredListing } from '../readings.ts';
import { freshValue } from './servers.ts';

/** Prices are given for so many entries: a directory of results in which users complain. */
export const ENTRIES = 15_000;
/** With fewer entries neither the clock (10 ms) nor what a killed `ls` had not printed yet (4 kB) is small. */
const FEWEST = 500;
/** A cure makes it so many times faster, and saves so much time over ENTRIES. */
const FACTOR = 3;
const SAVED_MS = 1000;
/** Without the colours it is so many times slower, and costs so much over ENTRIES. */
const SLOWER = 1.3;
const LOST_MS = 300;
/** How long a measurement speaks of a host: what is mounted there, its load and its profiles change. */
const GOOD_MS = 7 * 86_400_000;

type Form = MeasuredListing['runs'][number]['form'];

/** ms per entry of each run of a form that went over enough entries. */
const prices = ({ runs }: MeasuredListing, form: Form): number[] =>
  runs
    .filter((run) => run.form === form && run.end !== 'failed' && run.entries >= FEWEST)
    .map(({ ms, entries }) => Math.max(ms, 10) / entries);

/** What a form takes for ENTRIES, in ms: the quicker of its runs. */
export const priceOf = (listing: MeasuredListing, form: Form): number | undefined => {
  const all = prices(listing, form);
  return all.length === 0 ? undefined : Math.min(...all) * ENTRIES;
};

/** Whether `ls --color` of a login shell there looks at each file. */
const asksFiles = ({ colours }: MeasuredListing): boolean =>
  colours !== undefined && (colours.statPerFile || colours.capabilityPerFile === 'yes');

/** What taking the colours off comes to in one directory. Times in ms for ENTRIES. */
export interface Cure {
  /** `none`: its colours are off already; `unknown`: too few entries, or not measured. */
  verdict: 'helps' | 'same' | 'slower' | 'none' | 'unknown';
  hostMs?: number;
  offMs?: number;
}

/**
 * The quickest run with colours against the slowest without for a gain, the other way round for a loss: a cache that one run filled for the
 * next never makes a verdict.
 */
export const cureOf = (listing: MeasuredListing): Cure => {
  const [host, off] = [prices(listing, 'host'), prices(listing, 'off')];
  if (listing.colours === undefined || host.length === 0 || off.length === 0) return { verdict: 'unknown' };
  const pickScaled = (values: number[], pick: (...all: number[]) => number): number =>
    pick(...values) * ENTRIES;
  const [hostMs, offMs] = [pickScaled(host, Math.min), pickScaled(off, Math.max)];
  if (!asksFiles(listing)) return { verdict: 'none', hostMs, offMs };
  if (hostMs / offMs >= FACTOR && hostMs - offMs >= SAVED_MS) return { verdict: 'helps', hostMs, offMs };
  const [slowHost, quickOff] = [pickScaled(host, Math.max), pickScaled(off, Math.min)];
  if (quickOff / slowHost >= SLOWER && quickOff - slowHost >= LOST_MS)
    return { verdict: 'slower', hostMs: slowHost, offMs: quickOff };
  return { verdict: 'same', hostMs, offMs };
};

/** A directory as it was measured last. */
export interface Measured {
  listing: MeasuredListing;
  cure: Cure;
  /** In ms; absent where the host's clock was not read or is behind the measurement. */
  ageMs?: number;
  /** Not older than GOOD_MS: what is older, or of no known age, is no ground for a warning or a cure. */
  isRecent: boolean;
}

/** The last measurement that told something, else the last: two accounts keep figures of their own. */
const lastOf = (listings: readonly MeasuredListing[]): MeasuredListing[] => {
  const newestFirst = listings.toSorted((a, b) => b.stamp - a.stamp);
  const last = newestFirst.find((one) => cureOf(one).verdict !== 'unknown') ?? newestFirst[0];
  return last ? [last] : [];
};

/** What a login host measured, once for each directory, with what the cure comes to. */
export const curesOf = (host: string, { readings, now }: Pick<Judgement, 'readings' | 'now'>): Measured[] => {
  const listings = freshValue(listingSource(host, { readings }))?.listings ?? [];
  return [...Map.groupBy(listings, ({ directory }) => directory).values()].flatMap(lastOf).map((listing) => {
    const ageMs = listing.at === undefined ? undefined : now - listing.at;
    return {
      listing,
      cure: cureOf(listing),
      ...(ageMs !== undefined && { ageMs }),
      isRecent: ageMs !== undefined && ageMs <= GOOD_MS,
    };
  });
};

export const listingSource = (
  host: string,
  { readings }: Pick<Judgement, 'readings'>,
): Source<ListingReading> | undefined => readings.source<ListingReading>('nfs.listing', host);

/** `13.1 s`, `0.25 s`. */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`;

/** `/scratch (lustre): 13.1 s with colours, 0.33 s without`. */
export const cureText = ({ directory, fsType }: MeasuredListing, { hostMs, offMs }: Cure): string => {
  const where = `${directory}${fsType === undefined ? '' : ` (${fsType})`}`;
  return hostMs === undefined || offMs === undefined
    ? `${where}: not measured: fewer than ${FEWEST} entries`
    : `${where}: ${secondsText(hostMs)} with colours, ${secondsText(offMs)} without`;
};

/** `measured 3 d ago`. */
export const agoText = ({ ageMs }: Pick<Measured, 'ageMs'>): string =>
  ageMs === undefined ? 'when it was measured is not known' : `measured ${age(ageMs)} ago`;

/** The recent measurements in which the cure helps, those that cost most first. */
export const gainsIn = (cures: readonly Measured[]): Measured[] =>
  cures
    .filter(({ cure, isRecent }) => isRecent && cure.verdict === 'helps')
    .toSorted((a, b) => (b.cure.hostMs ?? 0) - (a.cure.hostMs ?? 0));

/**
 * Why the snippet is not for this host although it helps somewhere: it costs as much elsewhere; undefined: it is. An old measurement does
 * not speak for it, and still speaks against it.
 */
export const whyNotCure = (cures: readonly Measured[]): string | undefined => {
  const savedMs = ({ hostMs = 0, offMs = 0 }: Cure): number => hostMs - offMs;
  const gains = gainsIn(cures);
  if (gains.length === 0) {
    const old = cures.find(({ cure }) => cure.verdict === 'helps');
    return old
      ? `${old.listing.directory}: ${agoText(old)}: measure ls once more`
      : 'it helps in no directory that was measured here';
  }
  const [worst] = cures
    .filter(({ cure }) => cure.verdict === 'slower')
    .toSorted((a, b) => savedMs(a.cure) - savedMs(b.cure));
  return worst && -savedMs(worst.cure) >= Math.max(...gains.map(({ cure }) => savedMs(cure)))
    ? `it costs more than it saves: ${cureText(worst.listing, worst.cure)}`
    : undefined;
};
