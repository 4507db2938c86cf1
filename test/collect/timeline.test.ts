import { describe, expect, it } from 'vitest';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { timeline, timelineBlocks } from '../../src/collect/timeline.ts';
import type { AuditRecord } from '../../src/model/run.ts';

const now = Date.UTC(2026, 10, 20, 2, 0);
const minute = 60_000;
const none = { now, since: now - 60 * minute, findings: [], events: [], records: [] };

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
    const record: AuditRecord = {
      seq: 1,
      at: new Date(now - 15 * minute).toISOString(),
      monoMs: 0,
      prev: '',
      kind: 'result',
      operator: 'bob',
      uid: 1,
      console: { host: 'h', pid: 1, version: '1' },
      site: 's',
      action: 'slurm.resume',
      target: 'n1',
      outcome: 'done',
      detail: { text: 'verified' },
      hash: '',
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
      records: [record],
    });
    expect(happened.map(({ what, who, sign }) => [what, who, sign])).toEqual([
      ['finding', undefined, 'fine'],
      ['audit', 'bob', undefined],
      ['note', 'alice', undefined],
      ['ack', 'alice', undefined],
      ['finding', undefined, 'critical'],
    ]);
    expect(happened[0]?.text).toBe('gone: x is down');
    expect(happened[1]?.text).toBe('result slurm.resume n1: done: verified');
    expect(timelineBlocks(happened, none.since, now)[1]).toMatchObject({
      type: 'table',
      rows: { length: 5 },
    });
  });
});
