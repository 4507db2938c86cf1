import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../src/model/run.ts';
import { auditReport, type ReportParts } from '../../src/remedy/audit-report.ts';

let seq = 0;
const recordOf = (over: Partial<AuditRecord>): AuditRecord => {
  seq += 1;
  return {
    seq,
    at: '2026-11-22T02:00:00.000Z',
    monoMs: 1,
    prev: '0'.repeat(64),
    hash: String(seq).padStart(64, '0'),
    kind: 'note',
    operator: 'alice',
    uid: 1000,
    console: { host: 'vm', pid: 1, version: '0.1.0' },
    site: 'demo',
    detail: {},
    ...over,
  };
};

const intent = (run: string, id: string, detail: Record<string, unknown> = {}): AuditRecord =>
  recordOf({
    kind: 'intent',
    run,
    action: 'slurm.drain',
    target: id,
    detail: {
      title: 'Drain 2 nodes',
      verb: 'drain',
      danger: 'reversible',
      subject: { kind: 'node', id },
      parameters: {},
      exceeded: [],
      commands: [{ host: 'ctl1', script: 'scontrol', deadlineMs: 1 }],
      boundMs: 1,
      verify: { text: 'reads back', reads: [], deadlineMs: 1 },
      undo: null,
      undoText: '',
      lockGroups: [],
      ...detail,
    },
  });

const result = (
  run: string,
  id: string,
  outcome: NonNullable<AuditRecord['outcome']>,
  text?: string,
): AuditRecord =>
  recordOf({
    kind: 'result',
    run,
    target: id,
    outcome,
    detail: { sent: 'accepted', ...(text !== undefined && { text }) },
  });

const reportOf = (records: readonly AuditRecord[], over: Partial<ReportParts> = {}): string =>
  auditReport({
    site: 'demo',
    records,
    all: records,
    problems: [],
    now: Date.parse('2026-11-22T07:00:00.000Z'),
    time: (at) => new Date(at).toISOString().slice(11, 16),
    ...over,
  });

/** What stands below a heading. */
const section = (report: string, title: string): string =>
  report
    .split(/^## /m)
    .find((one) => one.startsWith(`${title}\n`))
    ?.slice(title.length)
    .trim() ?? '';

describe('the hand-over', () => {
  it('of a quiet night is whole, and says so of each part', () => {
    const report = reportOf([]);
    expect(report).toMatch(
      /^# Hand-over: `demo`\n\nFrom the beginning to 07:00\.\nThe audit log is whole\.\n\n## Outcome unknown\n\nnothing\n\n## Done\n/,
    );
    expect(section(report, 'Done')).toBe('nothing was changed');
    expect(section(report, 'Refused')).toBe('nothing');
    expect(section(report, 'Other records')).toBe('nothing');
  });

  it('begins when it was asked to, and says what is wrong with the log', () => {
    const since = Date.parse('2026-11-22T01:30:00.000Z');
    const problems = [
      { line: 3, text: 'was changed' },
      { line: 0, text: 'the head is gone' },
    ];
    const report = reportOf([], { since, problems });
    expect(report).toContain('From 01:30 to 07:00.');
    expect(report).toContain('**The audit log is damaged:** line 3 was changed; the head is gone.');
  });

  it('has what is open first, be it of before that time, and no run that began before it', () => {
    const [before, silent] = [intent('run-1', 'n1'), intent('run-2', 'n2')];
    const records = [intent('run-3', 'n3'), result('run-3', 'n3', 'done', 'n3 is drained')];
    const unknown = result('run-2', 'n2', 'unknown', 'the *link* was lost');
    const report = reportOf(records, { all: [before, silent, unknown, ...records] });
    expect(section(report, 'Outcome unknown')).toBe(
      [
        '- **node** `n1`: `slurm.drain` by `alice` at 02:00: no result was written',
        '- **node** `n2`: `slurm.drain` by `alice` at 02:00: `the *link* was lost`',
      ].join('\n'),
    );
    expect(section(report, 'Done')).toBe(
      '- 02:00 `alice`: `Drain 2 nodes` (`slurm.drain`) on `n3`: **done**\n  - `n3 is drained`',
    );
  });

  it('tells a run by its worst outcome, and of each target that is not simply done', () => {
    const detail = {
      parameters: { reason: 'fan tray' },
      exceeded: [{ guard: '6 blast radius', reason: 'agreed with bob' }],
    };
    const records = [
      ...['n1', 'n2', 'n3', 'n4'].map((id) => intent('run-1', id, detail)),
      result('run-1', 'n1', 'done', 'is drained'),
      result('run-1', 'n2', 'failed', 'said no'),
      result('run-1', 'n4', 'refused'),
    ];
    // A run of which a part was begun in this time is told of whole.
    expect(section(reportOf(records.slice(1), { all: records }), 'Done')).toBe(
      [
        '- 02:00 `alice`: `Drain 2 nodes` (`slurm.drain`) on `n[1-4]`: **unknown**',
        '  - reason: `fan tray`',
        '  - guard `6 blast radius` exceeded: `agreed with bob`',
        '  - `n2`: failed: `said no`',
        '  - `n3`: no result was written',
        '  - `n4`: refused',
      ].join('\n'),
    );
  });

  it('says that a run was undone when all of it was, and has no line for a reason that is none', () => {
    const run = (undone: readonly string[]): readonly AuditRecord[] => [
      ...['n1', 'n2'].flatMap((id) => [
        intent('run-1', id, { parameters: { reason: id === 'n1' ? '' : 5 } }),
        result('run-1', id, 'done'),
      ]),
      ...undone.flatMap((id) => [
        intent('run-2', id, { undoes: 'run-1', title: 'Undo' }),
        result('run-2', id, 'done'),
      ]),
    ];
    const done = (undone: readonly string[]): string[] => section(reportOf(run(undone)), 'Done').split('\n');
    expect(done(['n1', 'n2'])[0]).toMatch(/\*\*done\*\*, undone later$/);
    const part = done(['n1']);
    expect(part[0]).toMatch(/\*\*done\*\*$/);
    expect(part).toHaveLength(2);
    expect(part[1]).toMatch(/`Undo`.*\*\*done\*\*$/);
    const odd = reportOf([intent('run-1', 'n1', { parameters: { reason: 5 } })]);
    expect(section(odd, 'Done')).not.toContain('reason');
  });

  it('has no empty line for a result of an older version, which says nothing', () => {
    const report = reportOf([intent('run-1', 'n1'), result('run-1', 'n1', 'done')]);
    expect(report).toContain('on `n1`: **done**\n\n## Refused');
  });

  it('says why something was refused, in full', () => {
    const refused = recordOf({
      kind: 'refused',
      action: 'switch.shut',
      target: 'core3:te3/99',
      detail: { guard: '3 preconditions', reason: 'te3/99 is not in the last reading of core3' },
    });
    const report = reportOf([refused]);
    expect(section(report, 'Refused')).toBe(
      '- 02:00 `alice`: refused `switch.shut`: `core3:te3/99`: `3 preconditions`: `te3/99 is not in the last reading of core3`',
    );
    expect(section(report, 'Other records')).toBe('nothing');
  });

  it('has what else was written, each in its own words, and nothing of runs twice', () => {
    const records = [
      recordOf({ kind: 'sealed', detail: { reason: 'twice', text: 'sealed: twice', carried: [] } }),
      recordOf({ kind: 'lockBroken', detail: { group: 'lag', owner: 'bob', reason: 'gone', text: '' } }),
      recordOf({ kind: 'shell', target: 'adm1' }),
      recordOf({ kind: 'note', action: '', detail: { text: 7 } }),
      recordOf({ kind: 'recovered', run: 'run-1', target: 'n1', detail: { text: 'it was done' } }),
      recordOf({ kind: 'hold', run: 'run-1', target: 'n1' }),
    ];
    expect(section(reportOf(records), 'Other records').split('\n')).toEqual([
      '- 02:00 `alice`: sealed `sealed: twice`',
      '- 02:00 `alice`: lockBroken `lag`: `bob`: `gone`',
      '- 02:00 `alice`: shell `adm1`',
      '- 02:00 `alice`: note ',
      '- 02:00 `alice`: recovered `n1`: `it was done`',
    ]);
    expect(section(reportOf(records), 'Refused')).toBe('nothing');
  });
});
