import { describe, expect, it } from 'vitest';
import { differences, parseExact, type Json } from './compare.ts';

const differ = (actual: Json, expected: Json): number => differences(actual, expected).length;

describe('the comparison itself', () => {
  it('holds whole numbers exactly, also beyond 2^53, and bytes and bps to one', () => {
    const [a, b] = ['{"rxBytes": 18446744073709551615}', '{"rxBytes": 18446744073709551614}'];
    expect(differ(parseExact(a), parseExact(a))).toBe(0);
    expect(differ(parseExact(a), parseExact(b))).toBe(1);
    expect(differ({ bytes: 5 }, { bytes: 6 })).toBe(0);
    expect(differ({ bytes: 5 }, { bytes: 7 })).toBe(1);
    expect(differ({ rxBytes: 5 }, { rxBytes: 6 })).toBe(1);
    expect(differ({ rxBytes: '5' }, { rxBytes: 5 })).toBe(1);
  });

  it('takes other numbers to a millionth and times to a millisecond', () => {
    expect(differ({ tempC: 35.1 }, { tempC: 35.1000005 })).toBe(0);
    expect(differ({ tempC: 35.1 }, { tempC: 35.2 })).toBe(1);
    expect(differ({ at: '2026-11-20T21:54:23Z' }, { at: '2026-11-20T21:54:23.001Z' })).toBe(0);
    expect(differ({ at: '2026-11-20T21:54:23Z' }, { at: '2026-11-20T21:54:24Z' })).toBe(1);
  });

  it('allows more keys, not more rows, and nothing missing', () => {
    expect(differ({ a: 1, b: 2 }, { a: 1 })).toBe(0);
    expect(differ({ a: 1 }, { a: 1, b: 2 })).toBe(1);
    expect(differ({ rows: [1, 2] }, { rows: [1] })).toBe(1);
    expect(differ({ rows: [1] }, { rows: [1, 2] })).toBe(1);
    expect(differ({ rows: [1] }, { rows: [] })).toBe(1);
    expect(differ({}, { rows: [] })).toBe(0);
    expect(differ({ a: null }, { a: [] })).toBe(0);
    expect(differ({ a: 1 }, { a: 1, _capture: { command: 'x' } })).toBe(0);
  });

  it('matches rows by what they are, else by where they stand', () => {
    const [one, two] = [
      { port: 'te1', rx: 1 },
      { port: 'te2', rx: 2 },
    ];
    expect(differ({ ports: [two, one] }, { ports: [one, two] })).toBe(0);
    expect(differ({ ports: [one, { port: 'te3', rx: 2 }] }, { ports: [one, two] })).toBe(1);
    expect(
      differ(
        {
          ports: [
            { ...one, lane: 1 },
            { ...one, lane: 2 },
          ],
        },
        {
          ports: [
            { ...one, lane: 2 },
            { ...one, lane: 1 },
          ],
        },
      ),
    ).toBe(0);
    expect(
      differ({ intervals: [{ start: 0 }, { start: 1 }] }, { intervals: [{ start: 1 }, { start: 0 }] }),
    ).toBe(2);
  });

  it('takes a text that contains the other only where texts are free', () => {
    expect(differ({ message: 'No such file or directory' }, { message: 'No such file' })).toBe(0);
    expect(differ({ reason: 'No such file or directory' }, { reason: 'No such file' })).toBe(1);
    expect(differ({ reason: ' x ' }, { reason: 'x' })).toBe(0);
  });
});
