import { describe, expect, it } from 'vitest';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { timeline, timelineBlocks } from '../../src/collect/timeline.ts';
import type { LogEntry } from '../../src/model/run.ts';

const now = Date.UTC(2026, 10, 20, 2, 0);
const minute = 60_000;
const none = { now, since: now - 60 * minute, findings: [], events: [], entries: [] };

describe('what changed', () => {
  it('states of many nodes at once are one line; the first value of a series is no change', () => {
    const history = memoryHistory();
    const all = (value: string, at: number): void =>
      history.record(
        ['n1', 'n2', 'n3'].map((name) => ({ series: `slurm/node/${name}/state`, value })),
        at,
      );
    all('IDLE', now - 120 * minute);
    all('DOWN', now - 10 * minute);
    history.record([{ series: 'slurm/node/n9/state', value: 'IDLE' }], now - 5 * minute);
    history.record([{ series: 'slurm/latency/ctl1', value: 12 }], now - 5 * minute);
    history.record([{ series: 'slurm/node/n2/state', value: 'IDLE' }], now - 2 * minute);
    expect(timeline({ ...none, history })).toEqual([
      { at: now - 2 * minute, what: 'slurm', text: 'node n2: DOWN → IDLE' },
      { at: now - 10 * minute, what: 'slurm', text: 'node n[1-3]: IDLE → DOWN (3)' },
    ]);
  });

  it('findings, notes, acknowledgements and actions stand among them, newest first', () => {
    const history = memoryHistory();
    history.record([{ series: 'finding/slurm:down:x', value: 'critical' }], now - 30 * minute);
    history.record([{ series: 'summary/slurm:down:x', value: 'x is down' }], now - 30 * minute);
    history.record([{ series: 'finding/slurm:down:x', value: 'gone' }], now - minute);
    const base = { v: 1, id: 'a', who: 'alice', from: 'h 1 x' } as const;
    const entry: LogEntry = {
      run: 'r-1',
      at: now - 15 * minute,
      endedAt: now - 14 * minute,
      operator: 'bob',
      console: 'h',
      what: 'slurm.resume',
      title: 'Resume n1',
      on: 'n1',
      outcome: 'done',
      text: 'verified',
      undoable: [],
      targets: [{ subject: { kind: 'node', id: 'n1' }, outcome: 'done', text: 'verified' }],
      commands: [],
      records: [],
    };
    const happened = timeline({
      ...none,
      history,
      events: [
        { ...base, kind: 'note', at: now - 20 * minute, subject: { kind: 'node', id: 'n1' }, text: 'look' },
        {
          ...base,
          kind: 'ack',
          at: now - 25 * minute,
          finding: 'slurm:down:x',
          severity: 'critical',
          names: 'n1',
          until: now,
          text: 'known',
        },
        { ...base, kind: 'console', at: now, left: false },
        { ...base, kind: 'note', at: now - 90 * minute, subject: { kind: 'node', id: 'n1' }, text: 'old' },
      ],
      entries: [entry, { ...entry, run: 'r-0', at: now - 90 * minute, endedAt: now - 80 * minute }],
    });
    expect(happened.map(({ what, who, sign }) => [what, who, sign])).toEqual([
      ['finding', undefined, 'fine'],
      ['run', 'bob', undefined],
      ['note', 'alice', undefined],
      ['ack', 'alice', undefined],
      ['finding', undefined, 'critical'],
    ]);
    expect(happened[0]?.text).toBe('gone: x is down');
    expect(happened[1]?.text).toBe('Resume n1: done: verified (r-1)');
    expect(timelineBlocks(happened, none.since, now)[1]).toMatchObject({
      type: 'table',
      rows: { length: 5 },
    });
  });
});
