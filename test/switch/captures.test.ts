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

/** What a session does to an answer; none of it is content. */
const dressed: Readonly<Record<string, (text: string) => string>> = {
  'with carriage returns': (text) => text.replaceAll('\n', '\r\n'),
  'with echo and prompts': (text) => `sw-1# show the thing\n${text}\n{master:0}\nsw-1# `,
  indented: (text) => text.replaceAll(/^/gm, '    '),
  'with colours': (text) => `\u001b[2J${text.replaceAll('\n', '\u001b[K\n')}`,
  'with a pager left on': (text) =>
    text.replaceAll(/^/gm, ` --More-- ${'\b'.repeat(10)}${' '.repeat(10)}${'\b'.repeat(10)}`),
};

const finished = captures.filter(({ name, stdout }) => !/^ping|pager/.test(name) && stdout.endsWith('\n'));

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

  describe.each(Object.entries(dressed))('%s', (_, dress) => {
    it.each(finished)('$name', ({ format, platform, stdout, expected }) => {
      expect(exactJson(switchFormats[format]?.({ stdout: dress(stdout), platform }))).toBe(expected);
    });
  });
});
