import type { Format, Formats } from '../../src/model/system.ts';
import { NotThisFormat } from '../../src/model/errors.ts';
import { captureOf, type Capture, type PlatformReaders, type Reader } from './parse-capture.ts';
import { complaintIn } from './parse-complaints.ts';
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

const switchFormat =
  (kind: Kind, key: 'ports' | 'rows'): Format =>
  (input) => {
    const capture = captureOf(input.stdout, input.stderr);
    const parsed = firstOf(capture, readersOf(kind, input.platform));
    const error = complaintIn(capture);
    if (!parsed && !error) throw new NotThisFormat(`this is no output of the format switch.${kind}`);
    return {
      [key]: parsed?.rows ?? [],
      ...(parsed?.notUnderstood ? { notUnderstood: parsed.notUnderstood } : {}),
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
