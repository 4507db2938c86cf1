import type { Format, Formats } from '../../../src/model/system.ts';
import { NotThisFormat } from '../../../src/model/errors.ts';
import { captureOf, type Capture, type PlatformReaders, type Reader } from './parse-capture.ts';
import { complaintIn, type Complaint } from './parse-complaints.ts';
import { isEmptyList } from './empty-answers.ts';
import { countLeftover } from './parse-leftovers.ts';
import { CUT } from './parse-values.ts';
import { pingFormat } from '../matrix/ping.ts';
import type { Platform } from '../platforms/contracts.ts';
import { prometheusFormat } from '../prometheus/format.ts';
import { platformOf, platforms } from '../platforms/index.ts';

type Kind = keyof PlatformReaders;

const firstOf = (kind: Kind, capture: Capture, of: readonly Platform[]): ReturnType<Reader<object>> => {
  const readers = new Set(of.flatMap(({ readers: own }): readonly Reader<object>[] => own[kind] ?? []));
  for (const reader of readers) {
    const parsed = reader(capture);
    if (parsed) return parsed;
  }
  return undefined;
};

/** A refusal is an echo, a marker and a message: a longer text with a complaint in it is something else. */
const SHORT = 15;

/** What tells a row from others: a row that lost one of these to the end of a cut answer is no row. */
const identity = new Set(['port', 'lag', 'member', 'localPort']);

const isCut = (value: unknown): boolean => typeof value === 'string' && value.includes(CUT);

/** A row without the texts that the end of a cut answer stands in. */
const dropCutText = (row: object): object[] => {
  const entries = Object.entries(row);
  if (!entries.some(([, value]) => isCut(value))) return [row];
  if (entries.some(([name, value]) => identity.has(name) && isCut(value))) return [];
  return [Object.fromEntries(entries.filter(([, value]) => !isCut(value)))];
};

/** An answer that ends within a line may end before the members of its last LAG: no members are no fact then. */
const dropUnsettled = (rows: readonly object[], kind: Kind, { endsOpen }: Capture): readonly object[] =>
  kind === 'lags' && endsOpen && !('member' in (rows.at(-1) ?? { member: '' })) ? rows.slice(0, -1) : rows;

/** What an answer says, and what it says in place of that. */
export interface Found {
  readonly rows: readonly object[];
  readonly notUnderstood: number;
  readonly error?: Complaint;
}

/** Why an answer is none of a platform, with the platforms that print so. */
const notOf = (kind: Kind, capture: Capture, platform: string | undefined): NotThisFormat => {
  const like = platforms.filter((one) => firstOf(kind, capture, [one])).map(({ id }) => id);
  return new NotThisFormat(
    platform !== undefined && like.length > 0
      ? `this is not ${platform}: it looks like ${like.join(' or ')}`
      : `${platform ?? 'no platform that is known'} ${platform === undefined ? 'prints' : 'does not print'} ${kind} so; it must be the whole output of one command`,
  );
};

/**
 * The rows of an answer by the readers of its platform, by all where that is not known; throws where it is no such answer. What another
 * make prints is never read as this one's.
 */
export const rowsIn = (kind: Kind, capture: Capture, platform: string | undefined): Found => {
  const own = platformOf(platform);
  const found = firstOf(kind, capture, platform === undefined ? platforms : own ? [own] : []);
  const parsed = found ?? (isEmptyList(kind, capture, own) ? { rows: [] } : undefined);
  const error = complaintIn(capture);
  const isShort = (): boolean =>
    [...capture.lines, ...capture.complaints].filter((line) => line !== '').length <= SHORT;
  if (!parsed && !(error && isShort())) throw notOf(kind, capture, platform);
  return {
    rows: dropUnsettled(parsed?.rows.flatMap(dropCutText) ?? [], kind, capture),
    notUnderstood: Math.max(parsed?.notUnderstood ?? 0, countLeftover(capture.spoken, parsed?.rows ?? [])),
    ...(error && { error }),
  };
};

const switchFormat =
  (kind: Kind, key: 'ports' | 'rows'): Format =>
  (input) => {
    const { rows, notUnderstood, error } = rowsIn(
      kind,
      captureOf(input.stdout, input.stderr),
      input.platform,
    );
    return { [key]: rows, ...(notUnderstood > 0 && { notUnderstood }), ...(error && { error }) };
  };

/** Parsers of `faultline parse` for switches and pings: pure, throw NotThisFormat for any other input. */
export const switchFormats: Formats = {
  'switch.counters': switchFormat('counters', 'ports'),
  'switch.lags': switchFormat('lags', 'rows'),
  'switch.neighbors': switchFormat('neighbors', 'rows'),
  'switch.optics': switchFormat('optics', 'rows'),
  'switch.hwdrops': switchFormat('hwdrops', 'ports'),
  'switch.rates': switchFormat('rates', 'ports'),
  'switch.prometheus': prometheusFormat,
  'network.ping': pingFormat,
};
