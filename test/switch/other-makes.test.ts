import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../probes/switch/platforms/index.ts';
import { switchFormats } from '../../probes/switch/read/formats.ts';
import { NotThisFormat } from '../../src/model/errors.ts';
import { sharedPath } from '../helpers/shared-folder.ts';
import { exactJson } from './exact-json.ts';

const kinds: Readonly<Record<string, string>> = {
  counters: 'counters',
  errors: 'counters',
  perfquery: 'counters',
  lag: 'lags',
  lldp: 'neighbors',
  optics: 'optics',
  hwdrops: 'hwdrops',
  rates: 'rates',
};

/** Tables that several makes print alike (docs/formats.md, Switches): read as any of them they give the same values. */
const alike: Readonly<Record<string, readonly (readonly string[])[]>> = {
  counters: [
    ['arista_eos', 'brocade_fastiron', 'cisco_ios', 'cisco_xr'],
    ['arista_eos', 'cisco_ios', 'cisco_nxos'],
    ['dell_ftos', 'dell_os10'],
    ['cumulus', 'linux'],
  ],
  lags: [
    ['arista_eos', 'cisco_ios', 'cisco_nxos', 'dell_os10', 'mellanox_onyx'],
    ['cumulus', 'linux'],
  ],
  neighbors: [
    ['cisco_ios', 'cisco_nxos', 'cisco_xr'],
    ['dell_ftos', 'dell_os10'],
    ['cumulus', 'linux', 'sonic'],
  ],
  optics: [
    ['arista_eos', 'cisco_ios'],
    ['cumulus', 'linux'],
  ],
};

const areAlike = (kind: string, one: string, other: string): boolean =>
  (alike[kind] ?? []).some((group) => group.includes(one) && group.includes(other));

interface Capture {
  name: string;
  kind: string;
  platform: string;
  text: string;
}

const capturesIn = (root: string): Capture[] =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'ping')
    .flatMap(({ name: platform }) =>
      readdirSync(join(root, platform))
        .filter((file) => !file.endsWith('.expected.json'))
        .filter((file) => existsSync(join(root, platform, file.replace(/\.\w+$/, '.expected.json'))))
        .flatMap((file) => {
          const kind = kinds[file.split('__')[0] ?? ''];
          const text = readFileSync(join(root, platform, file), 'utf8');
          return kind ? [{ name: `${platform}/${file}`, kind, platform, text }] : [];
        }),
    );

const shared = sharedPath('fixtures/switch');
const captures = [
  ...capturesIn(join(import.meta.dirname, 'captures')),
  ...(shared === undefined ? [] : capturesIn(shared)),
];

const documents = new Map<Capture, Map<string, object | string>>();

/** The document, or why there is none; each capture is read once as each make. */
const read = (capture: Capture, platform: string): object | string => {
  const known = documents.get(capture) ?? new Map<string, object | string>();
  documents.set(capture, known);
  const document = known.get(platform) ?? readAnew(capture, platform);
  known.set(platform, document);
  return document;
};

const readAnew = ({ kind, text }: Capture, platform: string): object | string => {
  try {
    return switchFormats[`switch.${kind}`]?.({ stdout: text, platform }) ?? {};
  } catch (error) {
    if (error instanceof NotThisFormat) return error.message;
    throw error;
  }
};

const isEmpty = (document: object): boolean =>
  Object.values(document).every((value) => !Array.isArray(value) || value.length === 0);

describe.each(platforms.map(({ id }) => id))('an answer of another make is not of %s', (platform) => {
  const others = captures.filter((capture) => capture.platform !== platform);

  it.each(others)('$name', (capture) => {
    const own = read(capture, capture.platform);
    const document = read(capture, platform);
    if (typeof document === 'string') {
      if (typeof own === 'string' || isEmpty(own)) return;
      expect(document).toContain(`this is not ${platform}: it looks like `);
      expect(document.split('it looks like ')[1]?.split(' or ')).toContain(capture.platform);
    } else if (areAlike(capture.kind, capture.platform, platform)) {
      expect(exactJson(document)).toBe(exactJson(own));
    } else {
      // A refusal, which many makes word alike: what was said, and no figures.
      expect(isEmpty(document)).toBe(true);
      expect(Object.keys(document)).toContain('error');
      expect(typeof own === 'string' || isEmpty(own)).toBe(true);
    }
  });
});

it('every table on the list of those that are alike is printed by a capture', () => {
  const seen = captures.flatMap((capture) =>
    platforms.flatMap(({ id }) => {
      const document = id === capture.platform ? '' : read(capture, id);
      return typeof document === 'string' || isEmpty(document)
        ? []
        : [`${capture.kind} ${id}`, `${capture.kind} ${capture.platform}`];
    }),
  );
  const listed = Object.entries(alike).flatMap(([kind, groups]) =>
    groups.flatMap((group) => group.map((id) => `${kind} ${id}`)),
  );
  expect(new Set(seen)).toEqual(new Set(listed));
});
