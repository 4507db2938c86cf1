import { describe, expect, it, vi } from 'vitest';
import * as lines from '../../src/audit/audit-line.ts';
import { countProblems, problemText } from '../../src/audit/audit-problems.ts';
import { isWhole, verifyLog } from '../../src/audit/audit-verify.ts';
import { auditLine } from '../helpers/audit-lines.ts';

vi.mock('../../src/audit/audit-line.ts', { spy: true });

/** What the reading of a log costs, counted. */
const workOn = (text: string) => {
  vi.mocked(lines.decodeLine).mockClear();
  vi.mocked(lines.sha256).mockClear();
  const parse = vi.spyOn(JSON, 'parse');
  const log = verifyLog(text, undefined);
  const work = { parsed: parse.mock.calls.length, decoded: vi.mocked(lines.decodeLine).mock.calls.length };
  parse.mockRestore();
  return { log, work };
};

const kinds: readonly [string, (at: number) => string][] = [
  ['no JSON', (at) => `broken ${at}`],
  ['no record', (at) => JSON.stringify({ seq: at })],
  ['changed', (at) => auditLine(at + 1, '0'.repeat(64)).replace('alice', 'mallory')],
];

describe.each(kinds)('a log of broken lines, %s', (_, broken) => {
  const textOf = (count: number): string =>
    Array.from({ length: count }, (_one, at) => `${broken(at)}\n`).join('');

  it('costs no more per line the more there are, and is told in a hundred lines and one', () => {
    for (const count of [1000, 4000]) {
      const { log, work } = workOn(textOf(count));
      // One look at each, and one behind the last; only those that are told one by one are taken apart.
      expect(work.decoded).toBe(count + 1);
      expect(work.parsed).toBeLessThanOrEqual(102);
      expect(log.problems).toHaveLength(102);
      expect(countProblems(log.problems)).toBe(count + 1);
      expect(log.problems.slice(100).map(problemText)).toEqual([
        `line 101 is the first of ${count - 100} more that are wrong; the last is line ${count}`,
        'the head file beside the log is missing: lines may have been cut off',
      ]);
    }
  });

  it('tells each of a hundred, and the one that is one too many, in its own words', () => {
    const { log } = workOn(textOf(101));
    expect(log.problems.map(({ line }) => line)).toEqual([
      ...Array.from({ length: 101 }, (_one, at) => at + 1),
      0,
    ]);
    for (const at of [0, 99, 100])
      expect(log.problems[at]?.text).toMatch(/^is not a whole record$|^is not a record|^was changed/);
  });
});

describe('behind many broken lines', () => {
  const many = Array.from({ length: 200 }, (_, at) => `broken ${at}\n`).join('');

  it('a whole record is read, and a broken one of a crash that the next tells of is none of them', () => {
    const torn = auditLine(202, 'a'.repeat(64)).slice(0, 90);
    const next = auditLine(203, lines.sha256(torn), { detail: { tornLine: 202 } });
    const first = auditLine(201, lines.sha256('broken 199'));
    const { log } = workOn(`${many}${first}\n${torn}\n${next}\n`);
    expect(log.records.map(({ seq }) => seq)).toEqual([201, 203]);
    expect(log.notes).toEqual([{ line: 202, text: 'was cut short by a crash, as the next record says' }]);
    expect(log.problems[100]).toMatchObject({ line: 101, others: 99 });
  });

  it('one that does not follow from the line before it is counted with them', () => {
    const { log } = workOn(`${many}${auditLine(201, 'b'.repeat(64))}\n`);
    expect(log.problems[100]?.text).toBe('is the first of 101 more that are wrong; the last is line 201');
    expect(isWhole(log)).toBe(false);
  });

  it('a last line cut short is told by itself', () => {
    const { log } = workOn(`${many}{"seq"`);
    expect(log.torn).toBe(false);
    expect(log.problems.at(-2)).toEqual({
      line: 201,
      text: 'is cut short: it was never written to its end',
    });
  });
});
