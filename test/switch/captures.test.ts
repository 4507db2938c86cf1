import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { switchFormats } from '../../probes/switch/formats.ts';
import { exactJson } from './exact-json.ts';

const root = join(import.meta.dirname, 'captures');

/** The kind in a capture's name is the command's, several kinds share a format. */
const formats: Readonly<Record<string, string>> = {
  counters: 'switch.counters',
  errors: 'switch.counters',
  perfquery: 'switch.counters',
  lag: 'switch.lags',
  lldp: 'switch.neighbors',
  optics: 'switch.optics',
  hwdrops: 'switch.hwdrops',
  rates: 'switch.rates',
  ping: 'network.ping',
};

const captures = readdirSync(root).flatMap((platform) =>
  readdirSync(join(root, platform))
    .filter((name) => !name.endsWith('.expected.json'))
    .map((name) => ({
      name: `${platform}/${name}`,
      platform,
      format: formats[name.split('__')[0] ?? ''] ?? '',
      stdout: readFileSync(join(root, platform, name), 'utf8'),
      expected: readFileSync(join(root, platform, name.replace(/\.txt$/, '.expected.json')), 'utf8'),
    })),
);

describe('hand-made captures, each with a trap of its own', () => {
  it.each(captures)('$name', ({ format, platform, stdout, expected }) => {
    expect(exactJson(switchFormats[format]?.({ stdout, platform }))).toBe(expected);
  });

  it.each(captures.filter(({ platform }) => platform !== 'ping'))(
    '$name without its platform told',
    ({ format, stdout, expected }) => {
      expect(exactJson(switchFormats[format]?.({ stdout }))).toBe(expected);
    },
  );
});
