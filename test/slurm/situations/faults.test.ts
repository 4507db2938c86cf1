import { describe, expect, it } from 'vitest';
import { concluded, judged } from './judge-printed.ts';
import { type Printed, type PrintedNode } from './printed-cluster.ts';

const hour = 3600;
const told = (...clusters: Printed[]): string[] =>
  concluded(judged(clusters)).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);
const out = (state: string, reason: string, user = 'slurm', ago = 900): PrintedNode => ({
  state,
  why: [reason, user, ago],
});
const silent = (more = '', ago = 1200): PrintedNode =>
  out(`DOWN+NOT_RESPONDING${more}`, 'Not responding', 'slurm', ago);
const ended = (hours: number): string =>
  new Date(Date.UTC(2026, 10, 20, 2, 21) - hours * hour * 1000).toISOString().slice(0, 19);
const lowMemory = (reported: number): PrintedNode =>
  out('IDLE+DRAIN', `Low RealMemory (reported:${reported} < 100.00% of configured:257000)`);

/** What is wrong, and the first finding: severity, kind, words. */
const situations: readonly (readonly [string, Printed, RegExp])[] = [
  [
    'cloud nodes that never came up',
    { nodes: { 'n1-n3': out('DOWN+CLOUD', 'ResumeTimeout reached') } },
    /^warning down-group: n\[1-3\].*ResumeTimeout/,
  ],
  [
    'the same, switched off again',
    { nodes: { 'n1-n3': out('DOWN+CLOUD+POWERED_DOWN', 'ResumeTimeout reached') } },
    /^warning down-group: n\[1-3\]/,
  ],
  [
    'registered with too little, no reason (22.05 on)',
    { nodes: { 'n1-n2': { state: 'IDLE+INVALID_REG' } } },
    /^warning down-group: n\[1-2\] registered with less than slurm\.conf says/,
  ],
  [
    'the same with a reason',
    { nodes: { 'n1-n2': out('DOWN+INVALID_REG', 'Low TmpDisk') } },
    /^warning down-group: n\[1-2\] are down: "Low TmpDisk"/,
  ],
  [
    'one reason with three figures',
    { nodes: { n1: lowMemory(250_000), n2: lowMemory(249_000), n3: lowMemory(1) } },
    /^warning drained-group: n\[1-3\] drained by Slurm/,
  ],
  [
    'rebooted by themselves',
    { nodes: { 'n1-n4': out('DOWN', 'Node unexpectedly rebooted') } },
    /^warning down-group: n\[1-4\]/,
  ],
  [
    'a state of ERROR that the daemon set',
    { nodes: { 'n1-n3': out('ERROR', 'boom') } },
    /^warning down-group: n\[1-3\]/,
  ],
  [
    'a reason of the daemon that is not known here',
    { nodes: { 'n1-n3': out('DOWN', 'some new reason') } },
    /^warning down-group: n\[1-3\]/,
  ],
  [
    'one that does not answer but is not down yet',
    { nodes: { n1: { state: 'ALLOCATED+COMPLETING+NOT_RESPONDING' } } },
    /^warning not-responding: n1 /,
  ],
  [
    'words of 20.11: DOWN*, DOWN*+DRAIN',
    { nodes: { n1: out('DOWN*', 'Not responding'), n4: out('DOWN*+DRAIN', 'Not responding') } },
    /^warning not-responding: n\[1,4\]/,
  ],
  [
    'nodes of a cloud that did not come, powered off since',
    {
      nodes: {
        'n1-n8': {
          state: 'DOWN+CLOUD+NOT_RESPONDING+POWERED_DOWN',
          why: ['ResumeTimeout reached', 'slurm', 500],
        },
      },
    },
    /^critical down-group: n\[1-8\] are down/,
  ],
  [
    'nodes that the cloud could not have, set down by the program that asked for them',
    {
      nodes: {
        'n1-n8': {
          state: 'DOWN+CLOUD+POWERED_DOWN',
          why: ['(Code:InsufficientInstanceCapacity) Insufficient capacity', 'slurm', 500],
        },
      },
    },
    /^warning down-group: n\[1-8\]/,
  ],
  ...['node crashed: kernel panic', 'Xid 79 on GPU 3', 'bad DIMM', 'health: fs not there'].map(
    (reason) =>
      [
        `nodes of a cloud that were lost before they were powered off: ${reason}`,
        { nodes: { 'n1-n12': out('DOWN+CLOUD+POWERED_DOWN', reason) } },
        /^warning down-group: n\[1-12\]/,
      ] as const,
  ),
  [
    'nodes of a cloud that were drained before they were set down and powered off',
    { nodes: { 'n1-n12': out('DOWN+DRAIN+CLOUD+POWERED_DOWN', 'scratch away') } },
    /^warning drained-group: n\[1-12\]/,
  ],
  [
    'nodes of a cloud that a person set down',
    { nodes: { 'n1-n12': out('DOWN+CLOUD+POWERED_DOWN', 'not to be used', 'alice') } },
    /^warning down-group: n\[1-12\] set down by alice, .*; 12 of 40 in batch/,
  ],
  [
    'nodes of a cloud that are set down and run on',
    { nodes: { 'n1-n12': { state: 'DOWN+CLOUD', why: ['scaled in', 'slurm', 500] } } },
    /^warning down-group: n\[1-12\]/,
  ],
  [
    'a flag that nobody knows',
    { nodes: { n1: { state: 'IDLE+QUARANTINED' } } },
    /^notice unknown-state: n1 .*unknown to this/,
  ],
  [
    'maintenance ended ten minutes ago',
    { nodes: { 'n1-n5': silent() }, reservations: ['fw 9600 600 n[1-5] MAINT'] },
    /^warning not-responding: n\[1-5\]/,
  ],
  [
    'maintenance is tomorrow',
    { nodes: { 'n1-n5': silent() }, reservations: ['fw -86400 -90000 n[1-5] MAINT'] },
    /^warning not-responding/,
  ],
  [
    "a user's reservation excuses nothing",
    {
      nodes: { 'n1-n3': silent('+RESERVED') },
      reservations: ['u 9600 -600 n[1-8] SPEC_NODES,OVERLAP,IGNORE_JOBS'],
    },
    /^warning not-responding: n\[1-3\]/,
  ],
  [
    'lost beside a maintenance of others',
    {
      nodes: { 'n1-n4': silent('+MAINTENANCE'), 'n5-n7': silent('', 1210) },
      reservations: ['fw 3600 -3600 n[1-4] MAINT'],
    },
    /^warning not-responding: n\[5-7\]/,
  ],
  ['nine at once', { nodes: { 'n1-n9': silent() } }, /^critical lost-together: n\[1-9\] lost/],
  [
    'nine at once, JSON of 21.08',
    { json: '21.08', nodes: { 'n1-n9': silent() } },
    /^critical lost-together: n\[1-9\] lost/,
  ],
  [
    'nine at once, JSON of 23.02',
    { json: '23.02', nodes: { 'n1-n9': silent() } },
    /^critical lost-together: n\[1-9\] lost/,
  ],
  [
    'nine at once, times as {set, infinite, number}',
    { json: '24.05', nodes: { 'n1-n9': silent() } },
    /^critical lost-together: n\[1-9\] lost/,
  ],
  [
    'in no partition',
    { nodes: { 'n1-n3': { ...silent(), partitions: '' } } },
    /^warning not-responding: n\[1-3\]/,
  ],
  [
    'a job completes for five hours',
    { nodes: { n1: { state: 'IDLE+COMPLETING' } }, jobs: [`77|ada|COMPLETING|batch|${ended(5)}|n1`] },
    /^warning stuck-completing: n1 completing for 5 h/,
  ],
  [
    'a controller of three is down',
    {
      ping: 'Slurmctld(primary) at ctl1 is UP\nSlurmctld(backup1) at ctl2 is DOWN\nSlurmctld(backup2) at ctl3 is UP\n',
    },
    /^warning controller-lost: backup1 .*ctl2/,
  ],
  [
    'the default partition is down',
    { partitions: ['batch DOWN n[1-40] default'] },
    /^warning partition-closed: partition batch is DOWN/,
  ],
  [
    'down while only a part of it is in maintenance',
    { partitions: ['batch DOWN n[1-40]'], nodes: { 'n1-n9': { state: 'IDLE+MAINTENANCE' } } },
    /^warning partition-closed/,
  ],
  [
    '40 % out for many reasons',
    {
      nodes: Object.fromEntries(
        Array.from({ length: 16 }, (_, at) => [
          `n${at + 1}`,
          out('IDLE+DRAIN', `${'abcdefghijklmnop'[at]} is bad`, 'ops', 900 * at + 10),
        ]),
      ),
    },
    /^warning partition-below-limit: partition batch: 16 of 40/,
  ],
  [
    'nearly as many records as are kept: the limit is said',
    { sdiag: { 'DBD Agent queue size': 19_900 } },
    /^warning accounting-behind: .* 19,900 wait, lost from 20,080 on$/,
  ],
  ['a clock two hours ahead', { ahead: 2 * hour }, /^warning clock-differs: .*2 h ahead/],
  [
    'messages that nobody takes',
    { sdiag: { 'Agent queue size': 5000 } },
    /^notice controller-busy: .*5,000 messages/,
  ],
];

describe('what is wrong comes first', () => {
  it.each(situations)('%s', (_name, cluster, first) => expect(told(cluster)[0]).toMatch(first));

  it('twice in a row is no burst', () => {
    const busy = (size: number): Printed => ({ sdiag: { 'Agent queue size': size } });
    expect(told(busy(5000), busy(5200))[0]).toMatch(/^warning controller-busy/);
  });

  it('a node that is down completes nothing: one finding', () => {
    const cluster = {
      nodes: { n1: silent('+COMPLETING', 9 * hour) },
      jobs: [`1|ada|COMPLETING|batch|${ended(9)}|n1`],
    };
    expect(told(cluster)).toEqual([expect.stringMatching(/^warning not-responding: n1/)]);
  });

  it('two partitions of the same nodes lose them by one fault: one finding', () => {
    const cluster: Printed = {
      partitions: ['batch UP n[1-40] default', 'long UP n[1-40]'],
      nodes: {
        'n1-n20': { ...out('IDLE+DRAIN', 'Kill task failed', 'root'), partitions: 'batch,long' },
        'n21-n40': { state: 'IDLE', partitions: 'batch,long' },
      },
    };
    expect(told(cluster)).toEqual([expect.stringMatching(/^critical drained-group: n\[1-20\]/)]);
  });
});
