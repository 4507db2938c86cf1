import { describe, expect, test, vi } from 'vitest';
import { applyUpdate, createMirror, emptyData, tableKey } from '../../components/mirror.ts';
import type { ToWorker } from '../../src/model/wire.ts';
import { firstUpdate, nodeRow, otherHead, slurmHead, updateOf } from './fixture.ts';
import { makeSafeDeep, makeSafe } from '../../src/text/safe.ts';

const table = (data: ReturnType<typeof emptyData>) => data.tables.get(tableKey('slurm', 'nodes'));

describe('an update', () => {
  const first = applyUpdate(emptyData('starting'), firstUpdate());

  test('brings rows in the order given and leaves the old data as it was', () => {
    const before = emptyData('starting');
    expect(table(applyUpdate(before, firstUpdate()))?.order).toHaveLength(30);
    expect(before.tables.size).toBe(0);
    expect(first.collector).toEqual({ state: 'running' });
  });

  test('changes one row and shares the others', () => {
    const changed = nodeRow(3, { sign: 'critical' });
    const next = applyUpdate(
      first,
      updateOf({ seq: 2, now: 0, rows: [{ pane: 'slurm', block: 'nodes', upsert: [changed], remove: [] }] }),
    );
    expect(table(next)?.rows.get('node3')).toBe(changed);
    expect(table(next)?.rows.get('node4')).toBe(table(first)?.rows.get('node4'));
    expect(table(next)?.order).toBe(table(first)?.order);
    expect(next.heads).toBe(first.heads);
  });

  test('removes rows, and puts rows that the order forgot last', () => {
    const next = applyUpdate(
      first,
      updateOf({
        seq: 2,
        now: 0,
        rows: [
          {
            pane: 'slurm',
            block: 'nodes',
            upsert: [nodeRow(99)],
            remove: ['node1'],
            order: ['node2', 'gone'],
          },
        ],
      }),
    );
    expect(table(next)?.order.slice(0, 2)).toEqual(['node2', 'node3']);
    expect(table(next)?.order).toContain('node99');
    expect(table(next)?.order).not.toContain('node1');
    expect(table(next)?.order).not.toContain('gone');
  });

  test('merges heads by id and keeps their order', () => {
    const two = applyUpdate(first, firstUpdate({ heads: [otherHead('switch', 'Switches')] }));
    const three = applyUpdate(two, firstUpdate({ heads: [{ ...slurmHead, summary: 'new' }] }));
    expect(three.heads.map((head) => head.id)).toEqual(['slurm', 'switch']);
    expect(three.heads[0]?.summary).toBe('new');
  });

  test('without findings leaves them unknown: not the same as none', () => {
    const { findings: _, ...update } = firstUpdate();
    expect(applyUpdate(emptyData('x'), update).findings).toBeUndefined();
  });
});

describe('the mirror', () => {
  const make = () => {
    const sent: ToWorker[] = [];
    return {
      sent,
      mirror: createMirror({ send: (message) => sent.push(message), now: () => 5, ackAfterMs: 0 }),
    };
  };

  test('acknowledges each update by its number', async () => {
    const { sent, mirror } = make();
    mirror.receive(firstUpdate({ seq: 7 }));
    await vi.waitFor(() => expect(sent).toEqual([{ type: 'ack', seq: 7 }]));
  });

  test('gives each reply to its own request', async () => {
    const { sent, mirror } = make();
    const one = mirror.request('read', {});
    const two = mirror.request('read', { pane: 'slurm' });
    const ids = sent.map((message) => (message.type === 'request' ? message.id : 0));
    mirror.receive({ type: 'reply', id: ids[1] ?? 0, ok: true, value: makeSafeDeep<unknown>({ asked: 2 }) });
    mirror.receive({ type: 'reply', id: ids[0] ?? 0, ok: false, error: makeSafe('no') });
    await expect(two).resolves.toEqual({ asked: 2 });
    await expect(one).rejects.toThrow('no');
  });

  test('fails open and later requests when the collector died, and keeps what was shown', async () => {
    const { mirror } = make();
    mirror.receive(firstUpdate());
    const open = mirror.request('read', {});
    mirror.noteStopped('out of memory');
    await expect(open).rejects.toThrow('the collector stopped');
    await expect(mirror.request('read', {})).rejects.toThrow('stopped');
    expect(mirror.snapshot().collector).toEqual({ state: 'stopped', text: 'out of memory', at: 5 });
    expect(mirror.snapshot().heads).toHaveLength(1);
    mirror.noteStarting('again');
    mirror.receive(firstUpdate());
    expect(mirror.snapshot().collector).toEqual({ state: 'running' });
  });

  test('forgets rows that went away while the collector was dead', () => {
    const { mirror } = make();
    mirror.receive(firstUpdate());
    mirror.noteStopped('killed');
    expect(mirror.snapshot().tables.size).toBe(1);
    mirror.receive(
      firstUpdate({
        rows: [{ pane: 'slurm', block: 'nodes', upsert: [nodeRow(1)], remove: [], order: ['node1'] }],
      }),
    );
    expect(mirror.snapshot().tables.get(tableKey('slurm', 'nodes'))?.order).toEqual(['node1']);
  });

  test('panes that are expected have their places before their first answer', () => {
    const { mirror } = make();
    mirror.expect([slurmHead, otherHead('switch', 'Switches')]);
    mirror.receive(firstUpdate({ heads: [otherHead('switch', 'Switches')] }));
    expect(mirror.snapshot().heads.map((head) => [head.id, head.summary])).toEqual([
      ['slurm', ''],
      ['switch', '3 peers'],
    ]);
  });

  test('tells its listeners, until they leave', () => {
    const { mirror } = make();
    const heard = vi.fn();
    const leave = mirror.subscribe(heard);
    mirror.receive(firstUpdate());
    leave();
    mirror.receive(firstUpdate());
    expect(heard).toHaveBeenCalledTimes(1);
  });
});
