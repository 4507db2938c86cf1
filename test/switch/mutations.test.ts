import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { switchFormats } from '../../probes/switch/read/formats.ts';
import { sharedPath } from '../helpers/shared-folder.ts';

/** Captures of real devices, kept beside the repository. */
const fixtures = sharedPath('fixtures/switch');
const own = join(import.meta.dirname, 'captures');

interface Capture {
  name: string;
  format: string;
  platform: string;
  text: string;
}

const kinds: Readonly<Record<string, string>> = {
  counters: 'switch.counters',
  errors: 'switch.counters',
  perfquery: 'switch.counters',
  lag: 'switch.lags',
  lldp: 'switch.neighbors',
  optics: 'switch.optics',
  hwdrops: 'switch.hwdrops',
  rates: 'switch.rates',
};

const capturesIn = (root: string): Capture[] =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: platform }) =>
      readdirSync(join(root, platform))
        .filter((file) => !file.endsWith('.expected.json'))
        .filter((file) => existsSync(join(root, platform, file.replace(/\.\w+$/, '.expected.json'))))
        .flatMap((file) => {
          const format = kinds[file.split('__')[0] ?? ''];
          const text = readFileSync(join(root, platform, file), 'utf8');
          return format ? [{ name: `${platform}/${file}`, format, platform, text }] : [];
        }),
    );

const captures = [...capturesIn(own), ...(fixtures === undefined ? [] : capturesIn(fixtures))];

/** Every number and text of a document by its place. */
const places = (value: unknown, path = '', found = new Map<string, string>()): Map<string, string> => {
  if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) places(one, `${path}/${key}`, found);
  else found.set(path, String(value));
  return found;
};

const read = ({ format, platform }: Capture, stdout: string): Map<string, string> =>
  places(switchFormats[format]?.({ stdout, platform }));

/** Numbers that stand alone in a text, at most so many of them, spread over it. */
const numbersIn = (text: string, most: number): readonly RegExpExecArray[] => {
  const all = [...text.matchAll(/(?<![\w.:/,-])\d[\d,]*(?:\.\d+)?(?![\w.:/,-])/g)];
  return all.filter((_, at) => at % Math.ceil(all.length / most) === 0);
};

/** Another number of the same width: what stands beside it keeps its place. */
const other = (number: string): string =>
  number.replace(/\d/g, (digit, at: number) => String((Number(digit) + (at === 0 ? 1 : 3)) % 10 || 7));

/** Whether the rows are about the same things: a changed port, lane or unit of a name makes other rows. */
const sameRows = (before: Map<string, string>, after: Map<string, string>): boolean => {
  const of = (all: Map<string, string>): string[] =>
    [...all].filter(([place]) => /\/(?:port|lane|lag|member|localPort)$/.test(place)).map(([, name]) => name);
  return of(before).join('\n') === of(after).join('\n');
};

describe('a number that changes in a capture', () => {
  it.each(captures)('changes in the document too, and nothing else does: $name', (capture) => {
    const before = read(capture, capture.text);
    for (const match of numbersIn(capture.text, 25)) {
      const [number] = match;
      const changed = other(number);
      const text =
        capture.text.slice(0, match.index) + changed + capture.text.slice(match.index + number.length);
      const after = read(capture, text);
      // A single digit of a module may be its lane.
      if (!sameRows(before, after) || (capture.format === 'switch.optics' && number.length === 1)) continue;
      const plain = changed.replaceAll(',', '');
      for (const [place, value] of after) {
        // A counter that leaves or reaches its maximum changes that list.
        if (before.get(place) === value || place.includes('/saturated/')) continue;
        const same = value.includes(plain) || value.includes(changed) || Number(value) === Number(plain);
        expect(same, `${place} is ${value} after ${number} became ${changed}`).toBe(true);
      }
      // A link of another port than the one above it says nothing about that port's peer.
      const lost = [...before.keys()].filter(
        (place) => !after.has(place) && !/\/(?:saturated\/|peer[A-Z])/.test(place),
      );
      expect(lost, `after ${number} became ${changed}`).toEqual([]);
    }
  });
});

describe('a number that is not there', () => {
  it.each(captures)('leaves its place empty, and no other number moves in: $name', (capture) => {
    const before = read(capture, capture.text);
    for (const match of numbersIn(capture.text, 40)) {
      const [number] = match;
      const none = number.length < 3 ? '-'.padStart(number.length) : 'N/A'.padStart(number.length);
      const text =
        capture.text.slice(0, match.index) + none + capture.text.slice(match.index + number.length);
      const after = documentOf(capture, text);
      if (!sameRows(before, after) || (capture.format === 'switch.optics' && number.length === 1)) continue;
      for (const [place, value] of after) {
        if (!/^-?[\d.]+$/.test(value) || /\/(?:notUnderstood|lane)$/.test(place)) continue;
        expect(value, `${place} without ${number} at ${match.index}`).toBe(before.get(place));
      }
    }
  });
});

/** Tables whose cells stand under their titles; a column taken out of all their lines is a column that this release does not print. */
const tables = captures.filter(
  ({ name, text, format }) =>
    !/lags|neighbors/.test(format) &&
    /^[-=]{3,}(?: +[-=]{3,}){3,} *$/m.test(text) &&
    !/misaligned/.test(name),
);

describe('a figure wider than its column', () => {
  it.each(tables)('pushes the rest of its line, and no other number changes: $name', (capture) => {
    const before = read(capture, capture.text);
    for (const match of numbersIn(capture.text, 25)) {
      const wide = '9'.repeat(match[0].length + 9);
      const behind = capture.text.slice(match.index + match[0].length);
      const after = documentOf(capture, capture.text.slice(0, match.index) + wide + behind);
      if (!sameRows(before, after)) continue;
      for (const [place, value] of after) {
        if (!/^-?[\d.]+$/.test(value) || value === wide || place.endsWith('/notUnderstood')) continue;
        expect(value, `${place} with ${wide} at ${match.index}`).toBe(before.get(place));
      }
    }
  });
});

describe('a column that is not there', () => {
  it.each(tables)('leaves its values absent and moves none: $name', (capture) => {
    const lines = capture.text.split('\n');
    const rulers = lines.flatMap((line, at) => (/^ *[-=]{3,}(?: +[-=]{3,}){3,} *$/.test(line) ? [at] : []));
    const [first = 0] = rulers;
    if (new Set(rulers.map((at) => lines[at]?.trimEnd())).size > 1) return;
    const before = read(capture, capture.text);
    const spans = [...(lines[first] ?? '').matchAll(/[-=]+ */g)];
    let compared = 0;
    for (const span of spans.slice(1, -1)) {
      const text = lines
        .map((line, at) =>
          at < first - 3 ? line : line.slice(0, span.index) + line.slice(span.index + span[0].length),
        )
        .join('\n');
      const after = documentOf(capture, text);
      if (!sameRows(before, after)) continue;
      for (const [place, value] of after) {
        if (place.endsWith('/notUnderstood')) continue;
        expect(value, `${place} without the column at ${span.index}`).toBe(before.get(place));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });
});

/** A column can't be taken out where its cells run over its edge. */
const named = captures.filter(
  ({ name, text, format }) =>
    /lags|neighbors/.test(format) &&
    !/touching/.test(name) &&
    /^ *[-=]{3,}(?:[ +|]+[-=]{3,}){2,} *$/m.test(text),
);

describe('a column of names that is not there', () => {
  it.each(named)('lends its name to no other: $name', (capture) => {
    const lines = capture.text.split('\n');
    const ruler = lines.findIndex((line) => /^ *[-=]{3,}(?:[ +|]+[-=]{3,}){2,} *$/.test(line));
    const said = new Set([...read(capture, capture.text)].map(([place, value]) => keyed(place, value)));
    for (const span of (lines[ruler] ?? '').matchAll(/[-=]+[ +|]*/g)) {
      const text = lines
        .map((line, at) =>
          at < ruler - 3 ? line : line.slice(0, span.index) + line.slice(span.index + span[0].length),
        )
        .join('\n');
      for (const [place, value] of documentOf(capture, text))
        if (!place.endsWith('/notUnderstood'))
          expect(said, `${place} without the column at ${span.index}`).toContain(keyed(place, value));
    }
  });
});

/** A value by its key, whichever row it stands in. */
const keyed = (place: string, value: string): string => `${place.split('/').at(-1)} ${value}`;

/** Empty where the rest is no such output any more. */
const documentOf = (capture: Capture, text: string): Map<string, string> => {
  try {
    return read(capture, text);
  } catch {
    return new Map();
  }
};
