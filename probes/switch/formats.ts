import type { Format, Formats } from '../../src/model/system.ts';
import { NotThisFormat } from '../../src/model/errors.ts';
import { captureOf, type Capture, type PlatformReaders, type Reader } from './parse-capture.ts';
import { complaintIn } from './parse-complaints.ts';
import { leftOver } from './parse-leftovers.ts';
import { endsOpen } from './parse-lines.ts';
import { CUT } from './parse-values.ts';
import { pingFormat } from './ping.ts';
import { platformReaders } from './platforms/index.ts';

type Kind = keyof PlatformReaders;

/** Readers of a kind, those of the named platform first: captures are now and then filed under another one. */
const readersOf = (kind: Kind, platform: string | undefined): readonly Reader<object>[] => {
  const own = platform === undefined ? undefined : platformReaders.get(platform);
  const others = [...platformReaders.values()].filter((one) => one !== own);
  return [
    ...new Set(
      [...(own ? [own] : []), ...others].flatMap((one): readonly Reader<object>[] => one[kind] ?? []),
    ),
  ];
};

const firstOf = (capture: Capture, readers: readonly Reader<object>[]): ReturnType<Reader<object>> => {
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
const whole = (row: object): object[] => {
  const entries = Object.entries(row);
  if (!entries.some(([, value]) => isCut(value))) return [row];
  if (entries.some(([name, value]) => identity.has(name) && isCut(value))) return [];
  return [Object.fromEntries(entries.filter(([, value]) => !isCut(value)))];
};

/** An answer that ends within a line may end before the members of its last LAG: no members are no fact then. */
const settled = (rows: readonly object[], kind: Kind, stdout: string): readonly object[] =>
  kind === 'lags' && endsOpen(stdout) && !('member' in (rows.at(-1) ?? { member: '' }))
    ? rows.slice(0, -1)
    : rows;

const switchFormat =
  (kind: Kind, key: 'ports' | 'rows'): Format =>
  (input) => {
    const capture = captureOf(input.stdout, input.stderr);
    const parsed = firstOf(capture, readersOf(kind, input.platform));
    const error = complaintIn(capture);
    const isShort = (): boolean =>
      [...capture.lines, ...capture.complaints].filter((line) => line !== '').length <= SHORT;
    if (!parsed && !(error && isShort()))
      throw new NotThisFormat(
        input.platform === undefined
          ? `no platform that is known prints ${kind} so; it must be the whole output of one command`
          : `${input.platform} does not print ${kind} so; it must be the whole output of one command`,
      );
    const notUnderstood = Math.max(parsed?.notUnderstood ?? 0, leftOver(capture.spoken, parsed?.rows ?? []));
    return {
      [key]: settled(parsed?.rows.flatMap(whole) ?? [], kind, input.stdout),
      ...(notUnderstood > 0 ? { notUnderstood } : {}),
      ...(error ? { error } : {}),
    };
  };

/** Parsers of `faultline parse` for switches and pings: pure, throw NotThisFormat for any other input. */
export const switchFormats: Formats = {
  'switch.counters': switchFormat('counters', 'ports'),
  'switch.lags': switchFormat('lags', 'rows'),
  'switch.neighbors': switchFormat('neighbors', 'rows'),
  'switch.optics': switchFormat('optics', 'rows'),
  'switch.hwdrops': switchFormat('hwdrops', 'ports'),
  'switch.rates': switchFormat('rates', 'ports'),
  'network.ping': pingFormat,
};
