import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEvent, encodeEvent, type SharedEvent } from '../../../src/collect/shared/events.ts';

const base = { v: 1, id: 'a1', at: 1_000, who: 'alice', from: 'adm1 12 abcd' } as const;
const note = (text: string): SharedEvent => ({
  ...base,
  kind: 'note',
  subject: { kind: 'node', id: 'node12' },
  text,
});
const ack: SharedEvent = {
  ...base,
  kind: 'ack',
  finding: 'slurm:down:x',
  severity: 'warning',
  names: 'node[1-3]',
  until: 2_000,
  text: 'seen',
};

describe('a line of the shared folder', () => {
  test('reads back as it was written', () => {
    expect(decodeEvent(encodeEvent(ack))).toEqual({ event: ack });
    expect(decodeEvent(encodeEvent(note('cleaned the far end')))).toEqual({
      event: note('cleaned the far end'),
    });
  });

  test('is plain ASCII of one write, and its text is harmless, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12_000 }), (text) => {
        const line = encodeEvent(note(text));
        expect(line).toMatch(/^[\x20-\x7e]*$/);
        expect(line.length).toBeLessThanOrEqual(4000);
        const read = decodeEvent(line);
        if (!read || !('event' in read) || !('text' in read.event)) throw new Error('not read back');
        expect(read.event.text).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u);
      }),
      { numRuns: 60 },
    );
  });

  test('cuts a note of 10,000 characters and says how many are left out', () => {
    const read = decodeEvent(encodeEvent(note('ä'.repeat(10_000))));
    const text = read && 'event' in read && 'text' in read.event ? read.event.text : '';
    const [kept = '', left = ''] = text.split('<+');
    expect(kept.length).toBeGreaterThan(300);
    expect(kept.length + Number.parseInt(left, 10)).toBe(10_000);
  });

  test('is counted when it is broken, of a newer console, or hostile', () => {
    expect(decodeEvent('')).toBeUndefined();
    expect(decodeEvent('{"v":1,"kind":"no')).toEqual({ odd: 'broken' });
    expect(decodeEvent('null')).toEqual({ odd: 'broken' });
    expect(decodeEvent('x'.repeat(1_000_000))).toEqual({ odd: 'broken' });
    expect(decodeEvent(JSON.stringify({ ...ack, v: 2 }))).toEqual({ odd: 'newer' });
    expect(decodeEvent(JSON.stringify({ ...base, kind: 'handover' }))).toEqual({ odd: 'newer' });
    expect(decodeEvent(JSON.stringify({ ...ack, until: 500 }))).toEqual({ odd: 'broken' });
    expect(decodeEvent(JSON.stringify({ ...ack, who: '\u001B[2Jroot' }))).toEqual({ odd: 'broken' });
    expect(decodeEvent(JSON.stringify({ ...note('x'), subject: { kind: 'node', id: 'n\u202E1' } }))).toEqual({
      odd: 'broken',
    });
    const read = decodeEvent(JSON.stringify({ ...ack, text: '\u001B]0;owned\u0007' }));
    expect(read).toEqual({ event: { ...ack, text: '^[]0;owned^G' } });
  });
});
