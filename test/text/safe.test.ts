import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../src/text/bytes.ts';
import { isPlain, makeAscii, makeSafeDeep, makeSafe, makeSafeLines } from '../../src/text/safe.ts';

/** What moves, hides, reorders or speaks to the terminal; written anew here, not taken from the code under test. */
const dangerous: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0x10ffff],
];

const dangersIn = (text: string): string[] =>
  [...text].filter((char) => {
    const code = char.codePointAt(0) ?? 0;
    return dangerous.some(([from, to]) => code >= from && code <= to);
  });

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array({ maxLength: 60 }).map(decode),
  fc
    .array(
      fc.constantFrom(
        '\u001b',
        ']0;x\u0007',
        '[31m',
        '\u009b',
        '\u202e',
        '\u200b',
        '\u{e0041}',
        '\ud83d',
        '\udc80',
        'a',
        '\n',
        '\r',
        '\t',
        '\u0301',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);

it('a name in ASCII keeps what is ASCII, and shows the rest as numbers', () => {
  expect(makeAscii('core3:te3/46 a')).toBe('core3:te3/46 a');
  expect(makeAscii('n\u043Ede\uFF13 \u{20000}')).toBe('n<U+043E>de<U+FF13> <U+20000>');
});

describe('makeSafe', () => {
  it.each([
    ['plain text', 'plain text'],
    ['\u001b]0;x\u0007', '^[]0;x^G'],
    ['\u001b[31mred', '^[[31mred'],
    ['a\nb', 'a⏎b'],
    ['a\rb', 'a\\rb'],
    ['a\tb', 'a b'],
    ['\u0000', '^@'],
    ['\u007f', '^?'],
    ['\u009b2J', '\\x9b2J'],
    ['\u202eabc', '<U+202E>abc'],
    ['node\u200b1', 'node<U+200B>1'],
    ['\u{e0041}', '<U+E0041>'],
    ['\udcff', '\\xff'],
    ['\ud800', '<U+D800>'],
    ['e\u0301', 'e\u0301'],
    [`a${'\u0301'.repeat(40)}`, 'a\u0301\u0301<+38 marks>'],
    ['température ✗ 節点', 'température ✗ 節点'],
    ['\u{1f600}', '<U+1F600>'],
    ['\u{20000}\uac00', '\u{20000}\uac00'],
    ['1\u0301 \u0301', '1<U+0301> <U+0301>'],
    ['\u05d0b', '<U+05D0>b'],
  ])('shows %j as %j', (text, shown) => {
    expect(makeSafe(text)).toBe(shown);
  });

  it('lets nothing through that a terminal acts upon or a reader cannot see', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(dangersIn(makeSafe(text))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('changes nothing the second time, cut or not', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
        expect(makeSafe(makeSafe(text))).toBe(makeSafe(text));
        expect(makeSafe(makeSafe(text, limit), limit)).toBe(makeSafe(text, limit));
      }),
    );
  });

  it('says how much it left out, and keeps pairs whole', () => {
    expect(makeSafe('x'.repeat(4000), 100)).toBe(`${'x'.repeat(100)}<+3900 more>`);
    expect(makeSafe('x\u{20000}y', 2)).toBe('x<+3 more>');
    expect(makeSafe('y'.repeat(20_000))).toMatch(/^y{10000}<\+10000 more>$/);
  });

  it('is bounded whatever the text ends with', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, limit) => {
        expect(makeSafe(`${text}<+999999999999 more>`, limit).length).toBeLessThanOrEqual(limit + 20);
      }),
    );
  });
});

describe('isPlain', () => {
  it.each(['node1', 'bad DIMM, RMA 1234', 'température'])('takes %s', (text) => {
    expect(isPlain(text)).toBe(true);
  });

  it.each(['node\u200b1', 'a\nb', '\u001b[31m', '\udc80', 'a\tb'])('does not take %j', (text) => {
    expect(isPlain(text)).toBe(false);
  });
});

describe('makeSafeLines', () => {
  it('keeps line breaks and nothing else', () => {
    expect(makeSafeLines('a\u001b\r\nb\n')).toEqual(['a^[', 'b', '']);
  });
});

describe('makeSafeDeep', () => {
  it('reaches every text, also keys, maps and sets, and leaves the rest', () => {
    const value = {
      'k\n': ['\u001b', 1, 2n, true, null, { deep: '\u202e' }],
      map: new Map([['\r', new Set(['\u0000'])]]),
    };
    expect(makeSafeDeep<unknown>(value)).toEqual({
      'k⏎': ['^[', 1, 2n, true, null, { deep: '<U+202E>' }],
      map: new Map([['\\r', new Set(['^@'])]]),
    });
  });

  it('gives back as it is whatever holds nothing to change', () => {
    const row = {
      key: 'n1',
      cells: { node: { text: 'n1' } },
      sources: [{ probe: 'slurm.nodes', host: 'c1' }],
    };
    expect(makeSafeDeep(row)).toBe(row);
    const odd = makeSafeDeep([row, { text: '\u001b' }]);
    expect(odd[0]).toBe(row);
    expect(odd[1]).toEqual({ text: '^[' });
  });

  it('takes a field of any name for a field', () => {
    const value: unknown = JSON.parse('{"__proto__": {"admin": "\\u001b"}, "constructor": "x"}');
    for (const safe of [makeSafeDeep(value), makeSafeDeep(value, (text) => text)]) {
      expect(JSON.stringify(safe)).toBe('{"__proto__":{"admin":"^["},"constructor":"x"}');
      expect(Object.getPrototypeOf(safe)).toBe(Object.prototype);
    }
  });

  it('looks at each part once, however deep the text lies that is changed', () => {
    let looks = 0;
    const leaf = {
      get text() {
        looks++;
        return '\u001b';
      },
    };
    let value: object = leaf;
    for (let depth = 0; depth < 40; depth++) value = { inner: value, beside: depth };
    expect(JSON.stringify(makeSafeDeep(value))).toContain('"text":"^["');
    expect(looks).toBe(1);
  });

  it('keeps a field of any name that stands before the one that is changed', () => {
    const value: unknown = JSON.parse('{"__proto__": 1, "b": {"c": 2}, "a": "\\u001b"}');
    expect(JSON.stringify(makeSafeDeep(value))).toBe('{"__proto__":1,"b":{"c":2},"a":"^["}');
  });

  it('makes all anew where texts are kept', () => {
    const row = { key: 'n1', sources: [{ probe: 'slurm.nodes' }] };
    const kept = makeSafeDeep(row, (text) => text);
    expect(kept).toEqual(row);
    expect(kept).not.toBe(row);
    expect(kept.sources).not.toBe(row.sources);
  });

  it('leaves no dangerous text anywhere', () => {
    fc.assert(
      fc.property(fc.object({ key: anyText, values: [anyText, fc.integer(), fc.boolean()] }), (value) => {
        const texts: string[] = [];
        JSON.stringify(makeSafeDeep(value), (key, one: unknown) => {
          texts.push(key);
          if (typeof one === 'string') texts.push(one);
          return one;
        });
        for (const text of texts) expect(dangersIn(text)).toEqual([]);
      }),
    );
  });
});
