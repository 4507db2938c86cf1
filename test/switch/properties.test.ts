import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { switchFormats } from '../../probes/switch/read/formats.ts';
import { platforms as known } from '../../probes/switch/platforms/index.ts';
import { NotThisFormat, ParseError } from '../../src/model/errors.ts';

const root = join(import.meta.dirname, 'captures');

const captures = readdirSync(root).flatMap((platform) =>
  readdirSync(join(root, platform))
    .filter((name) => name.endsWith('.txt'))
    .map((name) => ({ platform, text: readFileSync(join(root, platform, name), 'utf8') })),
);

const platforms = known.map(({ id }) => id);
const formats = Object.entries(switchFormats);

/** The document, or undefined for what is no such output; any other end is a defect. */
const read = (parse: (typeof formats)[number][1], stdout: string, platform?: string): object | undefined => {
  try {
    return parse({ stdout, ...(platform === undefined ? {} : { platform }) });
  } catch (error) {
    if (error instanceof NotThisFormat || error instanceof ParseError) return undefined;
    throw error;
  }
};

/** Lines of our captures, cut, doubled, swapped and with strange pieces put in. */
const mutated = fc
  .tuple(
    fc.constantFrom(...captures),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('drop', 'double', 'cut', 'insert', 'shift'), fc.string()), {
      maxLength: 8,
    }),
  )
  .map(([capture, changes]) => {
    const lines = capture.text.split('\n');
    for (const [place, change, piece] of changes) {
      const at = place % lines.length;
      const line = lines[at] ?? '';
      if (change === 'drop') lines.splice(at, 1);
      else if (change === 'double') lines.splice(at, 0, line);
      else if (change === 'cut') lines[at] = line.slice(0, place % (line.length + 1));
      else if (change === 'shift') lines[at] = ' '.repeat(place % 20) + line;
      else
        lines[at] = line.slice(0, place % (line.length + 1)) + piece + line.slice(place % (line.length + 1));
    }
    return { platform: capture.platform, text: lines.join('\n') };
  });

describe('whatever comes, a parser gives a document or says that it is none', () => {
  it('for random text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.constantFrom(...platforms),
        (text, platform) => {
          for (const [, parse] of formats) read(parse, text, platform);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('for captures that were mangled', () => {
    fc.assert(
      fc.property(mutated, ({ text, platform }) => {
        for (const [, parse] of formats) read(parse, text, platform);
      }),
      { numRuns: 300 },
    );
  });
});

/** All numbers of a document by the place they stand at, rows by their own names. */
const numbers = (value: unknown, path: string, found: Map<string, Set<string>>): Map<string, Set<string>> => {
  if (typeof value === 'number' || typeof value === 'bigint')
    found.set(path, (found.get(path) ?? new Set()).add(String(value)));
  else if (Array.isArray(value)) for (const one of value) numbers(one, `${path}/${rowName(one)}`, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) numbers(one, `${path}.${key}`, found);
  return found;
};

const rowName = (row: unknown): string =>
  typeof row === 'object' && row !== null && 'port' in row ? String(row.port) : '';

describe('an answer that was cut off', () => {
  it('never gives a number that the whole answer does not give at that place', () => {
    const places = fc.tuple(fc.constantFrom(...captures), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(places, ([{ platform, text }, share]) => {
        for (const [name, parse] of formats) {
          const whole = read(parse, text, platform);
          const part = whole && read(parse, text.slice(0, Math.floor(text.length * share)), platform);
          if (!whole || !part || name === 'network.ping') continue;
          const known = numbers(whole, '', new Map());
          for (const [path, values] of numbers(part, '', new Map())) {
            if (path.endsWith('.lane') || path.endsWith('.notUnderstood')) continue;
            for (const value of values) expect([...(known.get(path) ?? [])], path).toContain(value);
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('every line comes to its end', () => {
  const pieces = [
    ' ',
    '-',
    '=',
    'a',
    '1',
    '1 ',
    'a ',
    '1,',
    ': ',
    '(',
    ')',
    '[',
    '"',
    '\t',
    '0x',
    '<a>',
    '{"a":',
    '- ',
    ' is ',
  ];
  const starts = [
    '',
    'Port ',
    'Ethernet1 is ',
    'PING ',
    'Physical interface: ',
    '1.1.1.1 : ',
    'Input: ',
    'Po1(',
    'Chassis id: ',
  ];

  // The guard is the deadline of the test itself: an expression that tries everything would not end within it.
  it('however it repeats itself', () => {
    let ended = 0;
    for (const start of starts)
      for (const piece of pieces) {
        const line = start + piece.repeat(40_000 / piece.length);
        for (const [, parse] of formats) read(parse, `Port Name\n${line}\n${line}`);
        ended += 1;
      }
    expect(ended).toBe(starts.length * pieces.length);
  });
});
