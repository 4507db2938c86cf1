import { describe, expect, it } from 'vitest';
import { slurm } from '../../../probes/slurm/index.ts';
import { concluded, judged } from './judge-printed.ts';
import { type Printed, type PrintedNode } from './printed-cluster.ts';

const hour = 3600;
const iso = (ago: number): string =>
  new Date(Date.UTC(2026, 10, 20, 2, 21) - ago * 1000).toISOString().slice(0, 19);
const silent = (more = '', ago = 1200): PrintedNode => ({
  state: `DOWN+NOT_RESPONDING${more}`,
  why: ['Not responding', 'slurm', ago],
});
const started = { config: { BOOT_TIME: iso(20) }, sdiag: { since: 20 } };
const issued: PrintedNode = {
  state: 'DOWN+DRAIN+REBOOT_ISSUED+NOT_RESPONDING',
  why: ['kernel : reboot issued', 'root', 90],
};

/** Nothing is wrong, or all that is out was meant so. `quiet`: not even a notice. */
const variants: readonly (readonly [string, Printed, 'quiet'?])[] = [
  ['busy and idle', {}, 'quiet'],
  [
    'all busy, 50,000 wait',
    {
      nodes: { 'n1-n40': { state: 'ALLOCATED' } },
      sdiag: { 'Jobs pending': 50_000, 'main Last queue length': 9000 },
    },
    'quiet',
  ],
  [
    '30 nodes switched off to save power',
    { nodes: { 'n1-n30': { state: 'IDLE+CLOUD+POWERED_DOWN' } } },
    'quiet',
  ],
  [
    'nodes that are being switched on and off',
    {
      nodes: {
        'n1-n9': { state: 'MIXED+CLOUD+NOT_RESPONDING+POWERING_UP' },
        'n10-n19': { state: 'IDLE+CLOUD+NOT_RESPONDING+POWERING_DOWN' },
        'n20-n22': { state: 'IDLE+CLOUD+POWER_UP' },
      },
    },
    'quiet',
  ],
  [
    "a cloud's scaler set 20 nodes down and had them powered off",
    {
      nodes: {
        'n1-n18': { state: 'DOWN+CLOUD+POWERED_DOWN', why: ['scaled in by autoscaler', 'slurm', 3600] },
        'n19-n20': { state: 'DOWN+CLOUD+POWERING_DOWN', why: ['scaled in by autoscaler', 'slurm', 30] },
      },
    },
  ],
  [
    'another scaler writes as root, and one writes no reason',
    {
      nodes: {
        'n1-n18': { state: 'DOWN+CLOUD+POWERED_DOWN', why: ['returned to the cloud', 'root', 3600] },
        'n19-n20': { state: 'DOWN+CLOUD+POWERED_DOWN' },
      },
    },
  ],
  [
    'a partition of the cloud, all off',
    {
      nodes: { 'n1-n20': { state: 'IDLE+CLOUD+POWERED_DOWN', partitions: 'cloud' } },
      partitions: ['batch UP n[21-40] default', 'cloud UP n[1-20]'],
    },
    'quiet',
  ],
  [
    'flags of planned, reserved and dynamic nodes',
    {
      nodes: {
        n1: { state: 'IDLE+PLANNED' },
        n2: { state: 'IDLE+RESERVED' },
        n3: { state: 'IDLE+DYNAMIC_NORM' },
        n4: { state: 'FUTURE' },
        n5: { state: 'IDLE+BLOCKED' },
        n6: { state: 'IDLE+EXTERNAL' },
        n7: { state: 'MIXED+PERFCTRS' },
        n8: { state: 'IDLE+RESUME' },
      },
    },
    'quiet',
  ],
  [
    'slurmctld started 20 s ago, nothing heard of yet',
    { ...started, nodes: { 'n1-n40': { state: 'UNKNOWN+NOT_RESPONDING' } } },
  ],
  [
    'slurmctld started 20 s ago, jobs run',
    { ...started, nodes: { 'n1-n40': { state: 'ALLOCATED+NOT_RESPONDING' } } },
  ],
  [
    'the whole cluster is off for maintenance',
    {
      nodes: { 'n1-n40': { ...silent('+MAINTENANCE+RESERVED'), resv: 'fw' } },
      reservations: ['fw 3600 -3600 n[1-40] MAINT,IGNORE_JOBS,ALL_NODES'],
    },
  ],
  [
    'maintenance, its partition set down',
    {
      nodes: { 'n1-n8': { state: 'IDLE+MAINTENANCE+RESERVED', partitions: 'gpu' } },
      partitions: ['batch UP n[9-40] default', 'gpu DOWN n[1-8]'],
      reservations: ['fw 3600 -3600 n[1-8] MAINT'],
    },
  ],
  [
    'maintenance every day',
    {
      nodes: { 'n1-n9': silent('+MAINTENANCE+RESERVED') },
      reservations: ['fw 3600 -3600 n[1-9] MAINT,FLEX,DAILY'],
    },
  ],
  [
    'maintenance, rebooted in it',
    {
      nodes: {
        'n1-n4': { state: 'DOWN+MAINTENANCE+RESERVED', why: ['Node unexpectedly rebooted', 'slurm', 900] },
      },
    },
  ],
  [
    'maintenance of nodes that still run jobs',
    {
      nodes: { 'n1-n4': { state: 'ALLOCATED+MAINTENANCE+RESERVED' } },
      jobs: ['1|a|RUNNING|batch|2026-11-20T09:00:00|n[1-4]'],
      reservations: ['fw 60 -3600 n[1-4] MAINT,IGNORE_JOBS'],
    },
    'quiet',
  ],
  ['maintenance in three days', { reservations: ['fw -259200 -266400 n[1-40] MAINT'] }, 'quiet'],
  [
    'maintenance that the account may not see',
    { nodes: { 'n1-n4': silent('+MAINTENANCE') }, config: { PrivateData: 'reservations' } },
  ],
  ['30 nodes reboot on order', { nodes: { 'n1-n30': issued } }],
  [
    '20 nodes wait for their jobs, then reboot',
    { nodes: { 'n1-n20': { state: 'MIXED+REBOOT_REQUESTED', why: ['kernel', 'root', 90] } } },
    'quiet',
  ],
  [
    'a person drained three for a disk',
    { nodes: { 'n1-n3': { state: 'IDLE+DRAIN', why: ['disk swap', 'eve', 9000] } } },
  ],
  [
    'a person set three down weeks ago',
    { nodes: { 'n1-n3': { state: 'DOWN', why: ['moved to the new hall', 'ops', 20 * 24 * hour] } } },
  ],
  ['set to fail by a person', { nodes: { n1: { state: 'ALLOCATED+FAIL', why: ['ECC', 'ops', 900] } } }],
  [
    'a job of 40 nodes has ended three minutes ago',
    {
      nodes: { 'n1-n40': { state: 'MIXED+COMPLETING' } },
      jobs: [`7|ada|COMPLETING|batch|${iso(180)}|n[1-40]`],
    },
    'quiet',
  ],
  [
    '200 jobs of an array end',
    {
      jobs: Array.from(
        { length: 200 },
        (_, at) => `${at}|ada|COMPLETING|batch|${iso(100)}|n${(at % 40) + 1}`,
      ),
      sdiag: { 'DBD Agent queue size': 800, 'Server thread count': 90 },
    },
    'quiet',
  ],
  [
    'suspended, stopped, signalled jobs, ends that are not known',
    {
      jobs: [
        '4|b|STOPPED|batch|2026-11-20T09:00:00|n3',
        '5|b|SIGNALING|batch|NONE|n3',
        '6|b|SUSPENDED|batch|Unknown|n4',
      ],
    },
    'quiet',
  ],
  ['a job past its limit that the site lets run', { jobs: [`7|ada|RUNNING|batch|${iso(9000)}|n1`] }, 'quiet'],
  [
    'three controllers are up',
    {
      ping: 'Slurmctld(primary) at ctl1 is UP\nSlurmctld(backup1) at ctl2 is UP\nSlurmctld(backup2) at ctl3 is UP\n',
    },
    'quiet',
  ],
  ['a clock 20 s ahead', { ahead: 20 }, 'quiet'],
  ['the longest cycle of the day', { sdiag: { 'main Max cycle': 25e6 } }, 'quiet'],
  [
    'one user asks three million times, answers are fast',
    { users: ['mallory (    1234) count:3000000 ave_time:900 total_time:2700000000'] },
    'quiet',
  ],
  [
    'old partitions, closed on purpose',
    {
      partitions: [
        'batch UP n[1-40] default',
        'old INACTIVE n[1-4]',
        'older DRAIN n[1-4]',
        'empty UP (null)',
      ],
    },
  ],
  [
    'no accounting at all',
    {
      config: { AccountingStorageType: 'accounting_storage/none', MaxDBDMsgs: '0' },
      answers: { 'slurm.accounting': { out: '', err: '', exit: 0 } },
    },
    'quiet',
  ],
];

describe.each([undefined, '21.08', '23.02', '24.05'] as const)(
  'healthy sites, nodes as %s prints them',
  (json) => {
    for (const [name, cluster, quiet] of variants)
      it(name, () => {
        const judgement = judged([json === undefined ? cluster : { ...cluster, json }]);
        const found = concluded(judgement);
        expect(found.filter(({ severity }) => severity !== 'notice').map(({ summary }) => summary)).toEqual(
          [],
        );
        if (quiet) expect(found.map(({ summary }) => summary)).toEqual([]);
        expect(['fine', 'notice']).toContain(slurm.view(judgement).sign);
      });
  },
);
