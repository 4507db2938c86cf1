import type { Reading } from '../../../src/model/reading.ts';
import { parseClearedAgo } from '../read/link-changes.ts';
import type { CountersReading, Port } from '../readings.ts';

/**
 * How a counter went between two samples. `rose`: by so many; `cleared`: the device counts from a new beginning (its own word,
 * or every counter fell); `wrapped`: a 32-bit counter ran over; `stuck`: it stands at its maximum, at least this much;
 * `odd`: it alone fell, nobody knows why: no figure.
 */
export type Change =
  | { kind: 'rose'; by: bigint }
  | { kind: 'wrapped'; by: bigint }
  | { kind: 'cleared' }
  | { kind: 'stuck' }
  | { kind: 'odd' }
  | { kind: 'absent' };

const wrapAt = 1n << 32n;

/** The change of one counter. `restarted`: the port counts from a new beginning. */
export const changeOf = (
  before: bigint | undefined,
  after: bigint | undefined,
  { restarted, stuck }: { restarted: boolean; stuck: boolean },
): Change => {
  if (before === undefined || after === undefined) return { kind: 'absent' };
  if (stuck) return { kind: 'stuck' };
  if (restarted) return { kind: 'cleared' };
  if (after >= before) return { kind: 'rose', by: after - before };
  // Only a counter that stood in the last eighth of 32 bits can have run over within a poll.
  const near = before < wrapAt && before >= wrapAt - wrapAt / 8n && after < wrapAt / 8n;
  return near ? { kind: 'wrapped', by: after + wrapAt - before } : { kind: 'odd' };
};

/** Whether a port counts anew: the device says so, or its packets fell in both directions, one that is idle apart. */
const isCountingAnew = (before: Port, after: Port, seconds: number): boolean => {
  const ago = parseClearedAgo(after.lastClear);
  const earlier = parseClearedAgo(before.lastClear);
  if (ago !== undefined && earlier !== undefined && ago < earlier && ago <= seconds + 1) return true;
  const seen = ['rxPackets', 'txPackets', 'rxBytes', 'txBytes'].flatMap((name) => {
    const [was, is] = [before.counts[name], after.counts[name]];
    return was === undefined || is === undefined ? [] : [{ fell: is < was, idle: was === 0n && is === 0n }];
  });
  return seen.some(({ fell }) => fell) && seen.length > 1 && seen.every(({ fell, idle }) => fell || idle);
};

/** What a port did in one interval. Rates are per second; absent: not counted there or not to be known. */
export interface PortRates {
  /** UTC ms of the end, and the length in seconds. */
  at: number;
  seconds: number;
  /** Frames received damaged: CRC and what goes with it, not overruns, discards or giants. */
  rxBad?: number;
  /** Of these, damaged elsewhere and sent on by a switch that cuts through. */
  rxStomped?: number;
  txBad?: number;
  rxPackets?: number;
  txPackets?: number;
  rxBytes?: number;
  txBytes?: number;
  rxDiscards?: number;
  txDiscards?: number;
  rxOverruns?: number;
  rxGiants?: number;
  /** Longer than 1518 bytes and well formed: healthy where jumbo frames are carried. */
  rxOversize?: number;
  fecCorrected?: number;
  fecUncorrected?: number;
  symbolErrors?: number;
  /** InfiniBand: the link retrained without going down. */
  recoveries?: number;
  collisions?: number;
  linkChanges?: number;
  /** Bad frames in the interval, and their share of all frames received. */
  rxBadCount?: bigint;
  rxShare?: number;
  txShare?: number;
  /** Counted anew, stuck or odd: for the screen. */
  remarks: readonly string[];
}

/** Names that stand for one thing, by what is preferred. InfiniBand's own names are last. */
const names = {
  rxPackets: ['rxPackets', 'portRcvPkts'],
  txPackets: ['txPackets', 'portXmitPkts'],
  rxBytes: ['rxBytes'],
  txBytes: ['txBytes'],
  rxStomped: ['rxStompedCrc', 'portRcvRemotePhysicalErrors'],
  txBad: ['txErrors', 'txCrc'],
  rxDiscards: ['rxDiscards'],
  txDiscards: ['txDiscards', 'portXmitDiscards'],
  rxOverruns: ['rxOverrun', 'rxFifo'],
  rxGiants: ['rxGiants'],
  rxOversize: ['rxOversize'],
  fecCorrected: ['fecCorrected'],
  fecUncorrected: ['fecUncorrected'],
  symbolErrors: ['fecSymbolErrors', 'rxSymbol', 'symbolErrorCounter'],
  recoveries: ['linkErrorRecoveryCounter'],
  collisions: ['txLateCollisions', 'txCollisions'],
  linkChanges: ['linkTransitions', 'linkDownedCounter'],
} as const;

type Measure = keyof typeof names;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the object above
const measures = Object.entries(names) as readonly [Measure, readonly string[]][];

/** Damage on the wire by its own counters; only without any of these does the sum of input errors speak. */
const damage = ['rxCrc', 'rxFrame', 'rxAlignment', 'portRcvErrors'] as const;

/** Rates of one port between two samples. `before` is the older one. */
export const ratesOf = (before: Port, after: Port, seconds: number, at: number): PortRates => {
  const anew = isCountingAnew(before, after, seconds);
  const remarks = new Set<string>(anew ? ['counters were cleared or the device restarted'] : []);
  const riseOf = (name: string): bigint | undefined => {
    const stuck = after.saturated?.includes(name) ?? false;
    const change = changeOf(before.counts[name], after.counts[name], { restarted: anew, stuck });
    if (change.kind === 'stuck') remarks.add(`${name} stands at its maximum: at least ${after.counts[name]}`);
    if (change.kind === 'odd') remarks.add(`${name} went backwards alone: no rate`);
    return change.kind === 'rose' || change.kind === 'wrapped' ? change.by : undefined;
  };
  const first = (list: readonly string[]): bigint | undefined => {
    for (const name of list) {
      const rise = riseOf(name);
      if (rise !== undefined) return rise;
    }
    return undefined;
  };
  const rises: Partial<Record<Measure, bigint>> = {};
  const rates: Partial<Record<Measure, number>> = {};
  for (const [key, list] of measures) {
    const rise = first(list);
    if (rise === undefined) continue;
    rises[key] = rise;
    rates[key] = Number(rise) / seconds;
  }
  const damaged = damage.flatMap((name) => riseOf(name) ?? []);
  const rxBadCount = damaged.length > 0 ? maximum(damaged) : withoutCongestion(riseOf('rxErrors'), rises);
  return {
    at,
    seconds,
    ...rates,
    ...(rxBadCount !== undefined && {
      rxBadCount,
      rxBad: Number(rxBadCount) / seconds,
      ...shareOf('rxShare', rxBadCount, rises.rxPackets),
    }),
    ...(rises.txBad !== undefined && shareOf('txShare', rises.txBad, rises.txPackets)),
    remarks: remarks.size === 0 ? none : [...remarks],
  };
};

const none: readonly string[] = [];

const maximum = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b), 0n);

/** Input errors hold overruns and giants on many devices: those are no damage. */
const withoutCongestion = (
  errors: bigint | undefined,
  { rxOverruns = 0n, rxGiants = 0n }: Partial<Record<Measure, bigint>>,
): bigint | undefined => {
  if (errors === undefined) return undefined;
  const rest = errors - rxOverruns - rxGiants;
  return rest > 0n ? rest : 0n;
};

/** Bad of all: some devices count bad frames among the packets, some do not; the smaller share is shown. */
const shareOf = (key: string, bad: bigint, packets: bigint | undefined): Record<string, number> =>
  packets === undefined
    ? {}
    : { [key]: bad === 0n ? 0 : Number(bad) / Number(packets > bad ? packets : packets + bad) };

type Sample = Reading<CountersReading>;
type Interval = ReadonlyMap<string, PortRates>;

/** One interval is part of three readings' history: it is computed once, by the reading that ended it. */
const intervals = new WeakMap<Sample, { since: number; rates: Interval }>();

const intervalOf = (before: Sample, after: Sample): Interval => {
  const known = intervals.get(after);
  if (known?.since === before.mono) return known.rates;
  const seconds = (after.mono - before.mono) / 1000;
  const old = new Map(before.value.ports.map((port) => [port.port, port]));
  const rates = new Map(
    after.value.ports.flatMap((port): [string, PortRates][] => {
      const earlier = old.get(port.port);
      return earlier && seconds > 0 ? [[port.port, ratesOf(earlier, port, seconds, after.at)]] : [];
    }),
  );
  intervals.set(after, { since: before.mono, rates });
  return rates;
};

/** Counted anew in the newest interval: the one before speaks for the port until the next, and says so. */
const withoutGap = (list: readonly PortRates[]): PortRates[] => {
  const [now, before, ...earlier] = list;
  if (!now || !before || now.rxBad !== undefined || before.rxBad === undefined || now.remarks.length === 0)
    return [...list];
  const remarks = [...now.remarks, 'the rates are those of the interval before'];
  return [{ ...before, remarks }, ...earlier];
};

/** Intervals of every port of one host, newest first: as many as there are samples less one. */
export const ratesByPort = (samples: readonly Sample[]): ReadonlyMap<string, readonly PortRates[]> => {
  const [newest, ...older] = samples.slice(0, -1).flatMap((after, index) => {
    const before = samples[index + 1];
    return before ? [intervalOf(before, after)] : [];
  });
  return new Map(
    [...(newest ?? [])].map(([port, now]) => [
      port,
      withoutGap([now, ...older.flatMap((interval) => interval.get(port) ?? [])]),
    ]),
  );
};

const cache = new WeakMap<Sample, { samples: number; rates: ReadonlyMap<string, readonly PortRates[]> }>();

/** The same, computed once for each new reading. */
export const cachedRates = (samples: readonly Sample[]): ReadonlyMap<string, readonly PortRates[]> => {
  const [newest, ...older] = samples;
  if (!newest) return new Map();
  const known = cache.get(newest);
  if (known?.samples === samples.length) return known.rates;
  const rates = ratesByPort(samples);
  cache.set(newest, { samples: samples.length, rates });
  for (const one of older) cache.delete(one);
  // What came before the oldest one is not kept: its interval is over.
  const oldest = older.at(-1);
  if (oldest) intervals.delete(oldest);
  return rates;
};
