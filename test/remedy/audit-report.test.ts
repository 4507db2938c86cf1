import { expect, it } from 'vitest';
import type { AuditRecord } from '../../src/model/run.ts';
import { auditReport } from '../../src/remedy/audit-report.ts';

it('the hand-over says why something was refused, in full', () => {
  const refused: AuditRecord = {
    seq: 1,
    at: '2026-11-22T02:00:00.000Z',
    monoMs: 1,
    prev: '0'.repeat(64),
    hash: '1'.repeat(64),
    kind: 'refused',
    operator: 'alice',
    uid: 1000,
    console: { host: 'vm', pid: 1, version: '0.1.0' },
    site: 'demo',
    action: 'switch.shut',
    target: 'core3:te3/99',
    detail: { guard: '3 preconditions', reason: 'te3/99 is not in the last reading of core3' },
  };
  const report = auditReport({
    site: 'demo',
    records: [refused],
    all: [refused],
    problems: [],
    now: Date.parse(refused.at),
    time: () => '02:00',
  });
  expect(report).toContain(
    '- 02:00 `alice`: refused `switch.shut`: `core3:te3/99`: `3 preconditions`: `te3/99 is not in the last reading of core3`',
  );
});
