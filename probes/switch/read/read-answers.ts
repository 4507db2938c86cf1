import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, NotThisFormat, ParseError } from '../../../src/model/errors.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { HostView } from '../../../src/model/site.ts';
import { rowsIn, type Found } from './formats.ts';
import { captureOf, type Capture } from './parse-capture.ts';
import type { Limits, OpticRow, PortRow } from './rows.ts';
import { linkStateOf, platformOf } from '../platforms/index.ts';
import { isPhysical, portOf } from './port-states.ts';
import type { CountersReading, Lane, Port } from '../readings.ts';
import { changesOf, type LinkChanges } from './link-changes.ts';
import { descriptionsOf, linesByPort } from './port-lines.ts';
import { settingsOf, type PortSettings } from './port-settings.ts';
import { takenDownOf } from './taken-down.ts';

const exitText = (
  what: string,
  { exitCode, stderr }: { exitCode?: number | undefined; stderr: string },
): string => {
  // Not what sudo says besides: a host that its own name does not resolve.
  const lines = stderr.trim().split('\n');
  const said =
    lines.find((line) => !/^sudo: (?:unable to resolve host |setrlimit)/.test(line)) ?? lines[0] ?? '';
  return `${what}: exit ${exitCode}${said === '' ? '' : `, ${said}`}`;
};

const isCount = (value: unknown): boolean => typeof value === 'bigint';

/** The rows of an answer; a refusal of the device is thrown, so that the last good reading stays. */
export const rowsOf = <Row extends object>(
  kind: 'counters' | 'lags' | 'neighbors' | 'optics',
  what: string,
  { stdout, stderr, exitCode }: Answer,
  platform: string,
): { rows: readonly Row[]; notUnderstood: number; capture: Capture } => {
  if (exitCode === 127) throw new CommandFailed('noCommand', `${what}: no such command on this host`);
  const capture = captureOf(stdout, stderr);
  let found: Found;
  try {
    found = rowsIn(kind, capture, platform);
  } catch (cause) {
    if (!(cause instanceof NotThisFormat)) throw cause;
    if ((exitCode ?? 0) !== 0)
      throw new CommandFailed('other', exitText(what, { exitCode, stderr }), { cause });
    throw new ParseError(`${what}: ${cause.message}`, 'line 1', stdout, { cause });
  }
  const { rows, notUnderstood, error } = found;
  if (rows.length === 0 && error) throw new CommandFailed('refused', `${what}: ${error.message}`);
  // What stands behind the place where a document breaks off is not known, though what stands before was read.
  const broken = capture.json() !== undefined && capture.wholeJson() === undefined ? 1 : 0;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reader's own rows, by their kind
  return { rows: rows as readonly Row[], notUnderstood: Math.max(notUnderstood, broken), capture };
};

const words = new Set(['port', 'link', 'admin', 'memberOf', 'lastClear', 'protocol']);

/** Ports with their counters. Of a name that stands twice with other figures neither is believed: both are counted as not understood. */
export const readCounters = (
  answer: Answer,
  host: HostView,
  site: SiteView,
): { value: CountersReading; notUnderstood: number } => {
  const platform = platformOf(host.platform);
  const what = `${platform?.fabric ? 'fabric' : 'counters'} of ${host.name}`;
  const { rows, notUnderstood, capture } = rowsOf<PortRow>('counters', what, answer, host.platform);
  if (platform?.fabric) {
    const found = platform.fabric.ports(rows, host, site);
    return { ...found, notUnderstood: notUnderstood + found.notUnderstood };
  }
  // What stands beside the counters was printed, they were not.
  if ((answer.exitCode ?? 0) !== 0 && rows.every((row) => !Object.values(row).some(isCount)))
    throw new CommandFailed('other', exitText(what, answer));
  const own = [...(platform?.portLinesIn?.(capture) ?? linesByPort(capture))];
  const tables: Told = {
    settings: platform?.settingsIn?.(capture) ?? settingsOf(own),
    changes: changesOf(own),
    takenDown: takenDownOf(own),
    descriptions: descriptionsOf(own),
    admins: platform?.adminIn?.(capture) ?? new Map<string, string>(),
    loads: platform?.loadsIn?.(capture) ?? new Map<string, number>(),
    bundles: platform?.bundlesIn?.(capture) ?? new Map<string, string>(),
    indexes: platform?.indexesIn?.(capture) ?? new Map<string, readonly string[]>(),
  };
  const ports = new Map<string, Port>();
  const doubtful = new Set<string>();
  let twice = 0;
  for (const row of rows) {
    const port = portOf(site, host.name, row.port);
    if (port === undefined || !isPhysical(port)) continue;
    const read = portFrom(port, row, tables, site, host);
    const first = ports.get(port);
    if (!first) ports.set(port, read);
    else {
      twice += 1;
      if (isOther(first.counts, read.counts)) doubtful.add(port);
    }
  }
  for (const port of doubtful) ports.delete(port);
  return { value: { ports: [...ports.values()] }, notUnderstood: notUnderstood + twice + doubtful.size };
};

const isOther = (one: Port['counts'], other: Port['counts']): boolean =>
  Object.entries(one).some(([name, value]) => other[name] !== undefined && other[name] !== value);

/** What an answer tells of ports beside their counters, by printed names. */
interface Told {
  settings: ReadonlyMap<string, PortSettings>;
  changes: ReadonlyMap<string, LinkChanges>;
  takenDown: ReadonlyMap<string, string>;
  descriptions: ReadonlyMap<string, string>;
  admins: ReadonlyMap<string, string>;
  loads: ReadonlyMap<string, number>;
  bundles: ReadonlyMap<string, string>;
  indexes: ReadonlyMap<string, readonly string[]>;
}

const portFrom = (port: string, row: PortRow, tables: Told, site: SiteView, host: HostView): Port => {
  const text = (key: string): string | undefined => {
    const value = row[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const counts = Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      typeof value === 'bigint' && !words.has(key) ? [[key, value] as const] : [],
    ),
  );
  // Some makes count a loss of the carrier among what was sent (Junos).
  const changes = tables.changes.get(row.port);
  const transitions = counts['linkTransitions'] ?? changes?.count ?? counts['txCarrierTransitions'];
  const saturated = row['saturated'];
  const memberOf = portOf(site, host.name, text('memberOf') ?? tables.bundles.get(row.port));
  const [link, lastClear] = [text('link'), text('lastClear')];
  const admin = text('admin') ?? tables.admins.get(row.port);
  const own = tables.settings.get(row.port) ?? {};
  const load = tables.loads.get(row.port);
  const ifIndex = tables.indexes.get(row.port) ?? [];
  const state = linkStateOf(host.platform, { link, admin });
  const takenDown = state === 'up' || state === 'shut' ? undefined : tables.takenDown.get(row.port);
  const description = state === 'shut' ? tables.descriptions.get(row.port) : undefined;
  const speedMbps = own.speedMbps ?? namedSpeed(port);
  return {
    port,
    name: row.port,
    ...(ifIndex.length > 0 && { ifIndex: [...ifIndex] }),
    ...(link !== undefined && { link }),
    ...(admin !== undefined && { admin }),
    ...(state !== undefined && { state }),
    ...(takenDown !== undefined && { takenDown }),
    ...(description !== undefined && { description }),
    ...(memberOf !== undefined && { memberOf }),
    ...(lastClear !== undefined && { lastClear }),
    ...own,
    ...(speedMbps !== undefined && { speedMbps }),
    ...(load !== undefined && { load }),
    ...(changes?.agoS !== undefined && { changedAgoS: changes.agoS }),
    counts: { ...counts, ...(transitions !== undefined && { linkTransitions: transitions }) },
    ...(Array.isArray(saturated) && { saturated: saturated.map(String) }),
  };
};

/** What a port's kind says about its speed, Mbit/s. Nothing for kinds that come in several. */
const namedSpeed = (port: string): number | undefined => {
  const kind = /^[a-z]+/.exec(port)?.[0] ?? '';
  return { fa: 100, gi: 1000, te: 10_000, twe: 25_000, fo: 40_000, hu: 100_000, ge: 1000, xe: 10_000 }[kind];
};

/** 0 mW is no light: there is no such number of dBm, -40 is what modules say then. */
const dbm = (mw: number | undefined): number | undefined =>
  mw === undefined ? undefined : mw <= 0 ? -40 : 10 * Math.log10(mw);

const limitsDbm = (mw: Limits | undefined): Limits | undefined =>
  mw &&
  Object.fromEntries(
    Object.entries(mw).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, dbm(value)] as const] : [],
    ),
  );

/** Rows of a module as lanes in dBm. `port` when the answer itself names none, or only the socket. */
export const lanesOf = (
  rows: readonly OpticRow[],
  name: (printed: string | undefined) => string | undefined,
): Lane[] =>
  rows.flatMap((row) => {
    const port = name(row.port);
    if (port === undefined) return [];
    const tx = row.txDbm ?? dbm(row.txMw);
    const rx = row.rxDbm ?? dbm(row.rxMw);
    const txLimits = row.thresholds?.txDbm ?? limitsDbm(row.thresholds?.txMw);
    const rxLimits = row.thresholds?.rxDbm ?? limitsDbm(row.thresholds?.rxMw);
    return [
      {
        port,
        ...(row.lane !== undefined && { lane: row.lane }),
        ...(tx !== undefined && { txDbm: tx }),
        ...(rx !== undefined && { rxDbm: rx }),
        ...(row.tempC !== undefined && { tempC: row.tempC }),
        ...(row.biasMa !== undefined && { biasMa: row.biasMa }),
        ...(row.thresholds?.tempC && { tempLimits: row.thresholds.tempC }),
        ...(txLimits && { txLimits }),
        ...(rxLimits && { rxLimits }),
      },
    ];
  });
