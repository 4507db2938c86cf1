import { dropUndefined } from '../../../src/kit/known.ts';
import { memoPer } from '../../../src/kit/memo.ts';
import type { Reading } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { sourceOf } from '../ask/sources.ts';
import { upSeries } from '../links/links.ts';
import type { PortSettings } from '../read/port-settings.ts';
import type { Port, SettingsReading } from '../readings.ts';
import { changesSeries } from './track.ts';
import type { EndState } from './states.ts';

type AnEnd = Pick<EndState, 'end' | 'port' | 'at'>;

/** The settings among what is known of a port. */
const settingsIn = ({
  speedMbps,
  duplex,
  autoneg,
  fec,
  mtu,
}: SettingsReading['ports'][number] | Port): PortSettings =>
  dropUndefined({ speedMbps, duplex, autoneg, fec, mtu });

const byPort = memoPer(
  ({ value }: Reading<SettingsReading>): ReadonlyMap<string, PortSettings> =>
    new Map(value.ports.map((one) => [one.port, settingsIn(one)])),
);

/** What was asked for apart of this port, and when, UTC ms. */
const askedApart = (
  { end: { host, port } }: AnEnd,
  { readings }: Pick<Judgement, 'readings'>,
): { settings: PortSettings; at: number } | undefined => {
  const good = host === undefined ? undefined : sourceOf(readings, 'settings', host)?.good;
  const settings = good && port !== undefined ? byPort(good).get(port) : undefined;
  return good && settings && { settings, at: good.at };
};

/** Once for each answer: every link is looked at in each judgement. */
const settingsOfPort = memoPer((port: Port): PortSettings => settingsIn(port));

/** What a port says of itself in the answer with its counters. */
const besideCounters = ({ port }: AnEnd): PortSettings => (port === undefined ? {} : settingsOfPort(port));

/** How an end is set, as far as its device says so: beside its counters, else where that is asked for apart, some minutes ago. */
export const settingsAt = (end: AnEnd, judgement: Pick<Judgement, 'readings'>): PortSettings => ({
  ...askedApart(end, judgement)?.settings,
  ...besideCounters(end),
});

/** When that was asked for apart; undefined: it stands beside the counters, or nowhere. UTC ms. */
export const settingsReadAt = (end: AnEnd, judgement: Pick<Judgement, 'readings'>): number | undefined =>
  askedApart(end, judgement)?.at;

/** When the link of a port last came or went: by its device's stamp, by its count, or by the words that were written down. UTC ms. */
const changedAt = ({ end: { id }, port, at = 0 }: AnEnd, { history }: Judgement): number => {
  const stamp = port?.changedAgoS === undefined ? 0 : at - port.changedAgoS * 1000;
  // The first point is no change: it says when the port was first read.
  const seen = [upSeries(id), changesSeries(id)].map(
    (name) => history.changes(name, 0).slice(1).at(-1)?.at ?? 0,
  );
  return Math.max(stamp, ...seen);
};

/** The same without what was asked for before the link was as it is: then it came up with other settings, or was set anew. */
export const settingsKnownAt = (end: AnEnd, judgement: Judgement): PortSettings => {
  const apart = askedApart(end, judgement);
  return apart && apart.at < changedAt(end, judgement) ? besideCounters(end) : settingsAt(end, judgement);
};
