import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode } from '../../src/text/bytes.ts';

/** The way back: a lone U+DCNN is the byte 0xNN. */
const encode = (text: string): Buffer =>
  Buffer.concat(
    [...text].map((char) => {
      const code = char.codePointAt(0) ?? 0;
      return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(char);
    }),
  );

describe('decode', () => {
  it('is what Node makes of valid UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(text);
        expect(decode(bytes)).toBe(bytes.toString('utf8'));
      }),
    );
  });

  it('loses no byte of anything', () => {
    const pieces = fc.oneof(
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'grapheme', maxLength: 3 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const bytes = Buffer.concat(parts);
        expect(encode(decode(bytes)).equals(bytes)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([0, 1, 2, 3])('keeps characters whole wherever a long text is taken apart (%i)', (shift) => {
    const text = `${'x'.repeat(shift)}${'€😀é'.repeat(120_000)}`;
    const bytes = Buffer.from(text);
    expect(bytes.length).toBeGreaterThan(1024 * 1024);
    expect(decode(bytes) === text).toBe(true);
  });

  it('loses no byte of what is long and no text', () => {
    const bytes = Buffer.alloc(700_000, 0x80);
    expect(encode(decode(bytes)).equals(bytes)).toBe(true);
  });

  it.each([
    ['overlong', [0xc0, 0x80], '\udcc0\udc80'],
    ['overlong of three', [0xe0, 0x80, 0x80], '\udce0\udc80\udc80'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\udced\udca0\udc80'],
    ['above the last code point', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80'],
    ['cut short', [0x61, 0xe2, 0x82], 'a\udce2\udc82'],
    ['a byte order mark, kept', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
  ])('shows %s byte by byte', (_, bytes, text) => {
    expect(decode(Uint8Array.from(bytes))).toBe(text);
  });

  it('finds the same invalid places as the platform decoder', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5 }), (bytes) => {
        const valid = !/[\udc80-\udcff]/u.test(decode(bytes));
        let strict = true;
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        } catch {
          strict = false;
        }
        expect(valid).toBe(strict);
      }),
      { numRuns: 5000 },
    );
  });
});
