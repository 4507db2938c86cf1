import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiJson, decodeLine, encodeLine, FIRST_PREV, sha256 } from '../../src/audit/audit-line.ts';
import type { AuditHead } from '../../src/audit/audit-head.ts';
import { verifyLog } from '../../src/audit/audit-verify.ts';
import { auditLine } from '../helpers/audit-lines.ts';

/** A log of n records with its head, without a disk. */
const sample = (count: number): { text: string; head: AuditHead } => {
  let prev = FIRST_PREV;
  const lines = Array.from({ length: count }, (_, index) => {
    const line = auditLine(index + 1, prev, { detail: { text: `record ${index + 1}` } });
    prev = sha256(line);
    return line;
  });
  return { text: lines.map((line) => `${line}\n`).join(''), head: { seq: count, lineHash: prev } };
};

describe('verifyLog', () => {
  const { text, head } = sample(6);
  const lines = text.trimEnd().split('\n');
  const join_ = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');

  it('passes an untouched log', () => {
    expect(verifyLog(text, head).problems).toEqual([]);
    expect(verifyLog('', undefined).problems).toEqual([]);
  });

  it('property: one changed byte anywhere is found, in its line', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 0x20, max: 0x7e }), (at, code) => {
        const byte = String.fromCharCode(code);
        if (text[at] === byte) return;
        const { problems } = verifyLog(text.slice(0, at) + byte + text.slice(at + 1), head);
        expect(problems.length).toBeGreaterThan(0);
        const line = text.slice(0, at).split('\n').length;
        expect(problems.some((one) => one.line === line || one.line === line + 1)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('property: deleted lines are found', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.integer({ min: 1, max: 6 }), (from, count) => {
        const { problems } = verifyLog(join_(lines.toSpliced(from, count)), head);
        expect(problems.length).toBeGreaterThan(0);
      }),
    );
  });

  it('property: lines in another order, or there twice, are found', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: 6 }), (order) => {
        if (order.every((line, at) => line === lines[at])) return;
        expect(verifyLog(join_(order), head).problems.length).toBeGreaterThan(0);
      }),
    );
    expect(verifyLog(join_([...lines.slice(0, 3), ...lines.slice(2)]), head).problems[0]?.line).toBe(4);
  });

  it('names deletion, edit, reorder and truncation', () => {
    expect(verifyLog(join_(lines.toSpliced(2, 1)), head).problems[0]).toEqual({
      line: 3,
      text: 'record 3 is missing before it',
    });
    expect(verifyLog(join_(lines.toSpliced(1, 3)), head).problems[0]?.text).toBe(
      'records 2 to 4 are missing before it',
    );
    expect(verifyLog(text.replace('record 6', 'record 7'), head).problems[0]).toEqual({
      line: 6,
      text: 'was changed after it was written',
    });
    expect(verifyLog(text.slice(0, -30), head).problems[0]).toMatchObject({
      line: 6,
      text: expect.stringContaining('cut short'),
    });
  });

  it('a rewritten line with a right hash of its own breaks the chain', () => {
    const decoded = decodeLine(lines[2] ?? '');
    if (typeof decoded === 'string') throw new Error(decoded);
    const { hash: _, ...content } = decoded;
    const forged = encodeLine({ ...content, detail: { text: 'nothing happened' } });
    expect(verifyLog(join_(lines.with(2, forged)), head).problems).toEqual([
      { line: 4, text: 'does not follow from the line before it, which was changed or replaced' },
    ]);
  });
});

describe('asciiJson', () => {
  it('property: printable ASCII only, and the same value again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const text = asciiJson({ value });
        expect(text).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(text)).toEqual({ value });
      }),
    );
  });

  it('writes 64-bit counters as text', () => {
    expect(asciiJson({ frames: 18446744073709551615n })).toBe('{"frames":"18446744073709551615"}');
  });
});
