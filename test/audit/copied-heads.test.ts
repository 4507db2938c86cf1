import { describe, expect, it } from 'vitest';
import { compareCopies, decodeCopies, encodeCopy, logName } from '../../src/audit/copied-heads.ts';
import { FIRST_PREV, sha256, decodeLine } from '../../src/audit/audit-line.ts';
import { markOfRecord, type Mark } from '../../src/audit/audit-verify.ts';
import type { AuditRecord } from '../../src/model/run.ts';
import { auditLine } from '../helpers/audit-lines.ts';

const START = Date.parse('2026-11-24T02:00:00.000Z');

/** A chain of so many records, one a minute; `salt` makes another one of the same length. */
const chain = (length: number, salt = '', first: AuditRecord['kind'] = 'note'): readonly AuditRecord[] => {
  const records: AuditRecord[] = [];
  let prev = FIRST_PREV;
  for (let seq = 1; seq <= length; seq++) {
    const line = auditLine(seq, prev, {
      at: new Date(START + seq * 60_000).toISOString(),
      kind: seq === 1 ? first : 'note',
      detail: { text: `${salt} ${seq}` },
    });
    const record = decodeLine(line);
    if (typeof record === 'string') throw new Error(record);
    records.push(record);
    prev = sha256(line);
  }
  return records;
};

const copies = (records: readonly AuditRecord[]): readonly Mark[] => records.map(markOfRecord);

describe('a log and its copies', () => {
  const log = chain(7);

  it('fit: nothing is wrong', () => {
    expect(compareCopies({ records: log }, [], copies(log))).toEqual({
      problems: [],
      said: ['7 copied heads are in it, the last of record 7'],
    });
  });

  it('a copy that is behind by one is no fault, and neither is one of many', () => {
    expect(compareCopies({ records: log }, [], copies(log.slice(0, 6)))).toEqual({
      problems: [],
      said: ['6 copied heads are in it, the last of record 6; 1 record after that has no copy yet'],
    });
    expect(compareCopies({ records: log }, [], copies(log.slice(4, 5))).problems).toEqual([]);
  });

  it('a tail that was cut shows with what is missing and since when', () => {
    expect(compareCopies({ records: log.slice(0, 4) }, [], copies(log)).problems).toEqual([
      'records 5 to 7, written from 2026-11-24T02:05:00.000Z to 2026-11-24T02:07:00.000Z, were copied and not in it: it was cut, it ends with record 4 of 2026-11-24T02:04:00.000Z',
    ]);
  });

  it('a log that is gone shows', () => {
    expect(compareCopies({ records: [] }, [], copies(log)).problems).toEqual([
      expect.stringMatching(
        /^records 1 to 7, .* were copied, and there is no log or it is empty: it was removed$/,
      ),
    ]);
  });

  it('a chain that was computed anew shows from where on, though its lines fit one another', () => {
    const other = chain(7, 'forged');
    const forged = [...log.slice(0, 2), ...other.slice(2)];
    expect(compareCopies({ records: forged }, [], copies(log)).problems).toEqual([
      'records 3 to 7, written from 2026-11-24T02:03:00.000Z to 2026-11-24T02:07:00.000Z, were copied as another than it now holds: it was replaced or recomputed; up to record 2 of 2026-11-24T02:02:00.000Z it is as it was copied',
    ]);
    expect(compareCopies({ records: other }, [], copies(log)).problems.join()).toContain(
      'no copied head before that is in it',
    );
  });

  it('what was put away by a seal is held against the sealed log; what that lost is said and no fault', () => {
    const sealing = chain(20, 'new', 'sealed')
      .slice(0, 1)
      .map((one) => ({ ...one, at: new Date(START + 3_600_000).toISOString() }));
    expect(compareCopies({ records: sealing }, log, copies(log)).problems).toEqual([]);
    const cut = compareCopies({ records: sealing }, log.slice(0, 3), copies(log));
    expect(cut.problems).toEqual([]);
    expect(cut.said.join()).toMatch(/4 copied heads of before .*, when the log was sealed, are in no log/);
    // What was copied after the seal is not excused by it.
    const later = copies(chain(100, 'later')).filter(({ at }) => at > START + 3_600_000);
    expect(compareCopies({ records: sealing }, log, later).problems).toHaveLength(1);
  });

  it('lines of others are counted and not believed', () => {
    const name = logName({ host: 'adm1', uid: 1, site: 's', folder: '/f' });
    const mark = { seq: 3, hash: 'a'.repeat(64), at: START };
    const good = encodeCopy(name, mark);
    expect(decodeCopies([good, good, ''], name)).toEqual({ heads: [mark], odd: 0 });
    const strange = [
      '{',
      '[]',
      good.replace('"seq":3', '"seq":1e300'),
      good.replace('"seq":3', '"seq":-1'),
      good.replace(name, 'another'),
      good.replace('auditHead', 'note'),
      good.replace(/"at":\d+/, '"at":9e15'),
      `${good.slice(0, -1)},"x":"${'y'.repeat(2_000)}"}`,
      '['.repeat(900),
    ];
    expect(decodeCopies(strange, name)).toEqual({ heads: [], odd: strange.length });
  });
});
