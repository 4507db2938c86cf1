import { expect, it } from 'vitest';
import { createFirstSeen } from '../../src/collect/first-seen.ts';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import type { Finding } from '../../src/model/finding.ts';
import { findingOf } from '../helpers/safe-finding.ts';

const finding = (severity: Finding['severity'], summary: string): Finding =>
  findingOf({
    id: 'switch:bad-link:x',
    system: 'switch',
    kind: 'bad-link',
    severity,
    subject: { kind: 'port', id: 'x' },
    summary,
    evidence: [],
    hurt: {},
    remedies: [],
  });

it('keeps how a finding read when it came and when it got worse, not its figures of every poll', () => {
  const history = memoryHistory();
  const seen = createFirstSeen(history, 0);
  const record = (at: number, ...findings: Finding[]) => seen.record(findings, () => true, at);
  record(1000, finding('warning', '12 bad frames/s'));
  record(2000, finding('warning', '13 bad frames/s'));
  record(3000, finding('critical', '900 bad frames/s'));
  expect(record(4000)).toEqual(['switch:bad-link:x']);
  record(5000, finding('warning', '3 bad frames/s'));
  expect(history.changes('summary/switch:bad-link:x', 0)).toEqual([
    { at: 1000, value: '12 bad frames/s' },
    { at: 3000, value: '900 bad frames/s' },
    { at: 5000, value: '3 bad frames/s' },
  ]);
  expect(history.changes('finding/switch:bad-link:x', 0).map(({ value }) => value)).toEqual([
    'warning',
    'critical',
    'gone',
    'warning',
  ]);
});
