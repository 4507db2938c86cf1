import { describe, expect, it } from 'vitest';
import { concluded, judged } from './judge-printed.ts';
import type { Printed } from './printed-cluster.ts';

/** 24 of 40 nodes reserved for 2 h already, for an hour to come, and idle; the rest works. */
const busy = Array.from(
  { length: 16 },
  (_, at) => `${100 + at}|bob|RUNNING|batch|2026-11-20T09:00:00|n${25 + at}`,
);
const held: Printed = {
  nodes: { 'n1-n24': { state: 'IDLE+RESERVED' }, 'n25-n40': { state: 'ALLOCATED' } },
  reservations: ['course 7200 -3600 n[1-24] SPEC_NODES'],
  jobs: busy,
  sdiag: { 'main Last queue length': 212 },
};
const told = (cluster: Printed): string[] =>
  concluded(judged([cluster]))
    .filter(({ kind }) => kind === 'reserved-idle')
    .map(({ severity, summary }) => `${severity} ${String(summary)}`);

describe('nodes that a reservation holds idle while jobs wait', () => {
  it('are told with the reservation, never above a notice', () => {
    expect(told(held)).toEqual([
      'notice reservation course holds 24 of 40 nodes of batch idle until 03:21: 212 jobs in the queue',
    ]);
    const found = concluded(judged([held])).find(({ kind }) => kind === 'reserved-idle');
    expect(found?.advice).toContain('scontrol delete reservation=course');
    expect(found?.advice).toContain('(for root)');
  });

  it.each<[string, Partial<Printed>]>([
    ['a maintenance', { reservations: ['fw 7200 -3600 n[1-24] MAINT,SPEC_NODES'] }],
    ['one that lets others in', { reservations: ['course 7200 -3600 n[1-24] FLEX'] }],
    ['one that has just begun', { reservations: ['course 600 -3600 n[1-24] SPEC_NODES'] }],
    ['one that is over', { reservations: ['course 7200 60 n[1-24] SPEC_NODES'] }],
    ['nobody waits', { sdiag: { 'main Last queue length': 0 } }],
    [
      'another node is idle, too: they wait for something else',
      { jobs: busy.slice(1), nodes: { 'n1-n25': { state: 'IDLE' }, 'n26-n40': { state: 'ALLOCATED' } } },
    ],
    [
      'it is used',
      {
        jobs: [...busy, '3|eve|RUNNING|batch|2026-11-20T09:00:00|n[1-24]'],
        nodes: { 'n1-n40': { state: 'ALLOCATED' } },
      },
    ],
    [
      'it holds a few',
      {
        reservations: ['course 7200 -3600 n[1-4] SPEC_NODES'],
        nodes: { 'n1-n4': { state: 'IDLE' }, 'n5-n40': { state: 'ALLOCATED' } },
      },
    ],
  ])('nothing is said of %s', (_, more) => {
    expect(told({ ...held, ...more })).toEqual([]);
  });
});
