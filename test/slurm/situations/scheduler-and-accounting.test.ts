import { Sources } from '../../helpers/judging.ts';
import { describe, expect, it } from 'vitest';
import { concluded, judged } from './judge-printed.ts';
import { type Printed, sdiagTime } from './printed-cluster.ts';

const hour = 3600;
const told = (...clusters: Printed[]): string[] =>
  concluded(judged(clusters)).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);

/** 400 jobs that may start wait. */
const waiting = { 'Jobs pending': 400, 'main Last queue length': 400, 'bf Last queue length': 400 };
const backfillAgo = (seconds: number) => ({ ...waiting, 'bf Last cycle when': sdiagTime(seconds) });

describe('a scheduler that stands still', () => {
  it.each<[string, Printed, string]>([
    [
      'backfill last began three hours ago',
      { sdiag: backfillAgo(3 * hour) },
      'backfill stands for 3 h, 400 jobs wait',
    ],
    [
      'the same where the configuration does not name the scheduler: it has run today',
      { sdiag: backfillAgo(3 * hour), config: { SchedulerType: '(null)' } },
      'backfill stands for 3 h, 400 jobs wait',
    ],
    [
      'a backfill cycle that does not end',
      { sdiag: { ...backfillAgo(5 * hour), middle: 1 } },
      'backfill stands for 5 h, 400 jobs wait',
    ],
    [
      'the controller, its clock two hours ahead, tells of it by that clock',
      { ahead: 2 * hour, sdiag: { ...waiting, 'bf Last cycle when': sdiagTime(hour) } },
      'backfill stands for 3 h, 400 jobs wait',
    ],
    [
      'the main scheduler never ran',
      { sdiag: { ...waiting, 'main Total cycles': 0, 'main Last queue length': 0, since: 5 * hour } },
      'the scheduler has not run for 5 h',
    ],
    [
      'nothing has started since midnight while nodes are idle',
      { sdiag: { ...backfillAgo(1800), 'Jobs started': 0 } },
      'no job has started for 8 h 20 m though 400 jobs wait and nodes are idle',
    ],
    [
      'nothing runs on an idle cluster',
      { sdiag: { ...waiting, 'Jobs running': 0 }, nodes: { 'n1-n40': { state: 'IDLE' } } },
      'no job runs though 400 jobs wait and nodes are idle',
    ],
  ])('%s', (_name, cluster, text) => {
    expect(told(cluster)).toContain(`warning scheduler-stands: slurmctld on ctl1: ${text}`);
  });

  it.each<[string, Printed]>([
    ['nothing is pending', { sdiag: { 'bf Last cycle when': sdiagTime(3 * hour) } }],
    [
      'all that is pending is held',
      { sdiag: { 'Jobs pending': 400, 'bf Last cycle when': sdiagTime(3 * hour) } },
    ],
    [
      'a long interval is meant so',
      { sdiag: backfillAgo(70 * 60), config: { SchedulerParameters: 'bf_interval=3600,defer' } },
    ],
    [
      'cycles of two hours are meant so',
      {
        sdiag: { ...backfillAgo(2 * hour), middle: 1 },
        config: { SchedulerParameters: 'defer,bf_max_time=7200' },
      },
    ],
    [
      'a site without backfill',
      {
        sdiag: { ...waiting, 'bf Last cycle when': 'N/A', 'bf Total cycles': 0 },
        config: { SchedulerType: 'sched/builtin' },
      },
    ],
    [
      'builtin since the last start; when backfill ran before is kept with the jobs',
      { sdiag: { ...backfillAgo(9 * hour), 'bf Total cycles': 0 }, config: { SchedulerType: '(null)' } },
    ],
    ['in the middle of a cycle of two minutes', { sdiag: { ...backfillAgo(120), middle: 1 } }],
    [
      'just reset by an exporter',
      { sdiag: { ...waiting, 'main Total cycles': 0, 'Jobs started': 0, since: 40 } },
    ],
    [
      'no node is idle',
      { sdiag: { ...waiting, 'Jobs started': 0 }, nodes: { 'n1-n40': { state: 'ALLOCATED' } } },
    ],
    [
      "jobs wait until after tomorrow's maintenance",
      {
        sdiag: { ...waiting, 'Jobs started': 0, 'Jobs running': 0 },
        nodes: { 'n1-n40': { state: 'IDLE' } },
        reservations: ['fw -80000 -90000 n[1-40] MAINT,IGNORE_JOBS'],
      },
    ],
    [
      'reservations are hidden from this account',
      {
        sdiag: { ...waiting, 'Jobs started': 0, 'Jobs running': 0 },
        nodes: { 'n1-n40': { state: 'IDLE' } },
        config: { PrivateData: 'reservations' },
      },
    ],
    [
      'jobs of days fill one partition, another one is idle',
      {
        sdiag: { ...waiting, 'Jobs started': 0 },
        partitions: ['batch UP n[1-30] default', 'gpu UP n[31-40]'],
        nodes: { 'n1-n30': { state: 'ALLOCATED' }, 'n31-n40': { state: 'IDLE', partitions: 'gpu' } },
      },
    ],
    [
      'an array was submitted just after the start',
      { sdiag: { ...waiting, 'Jobs running': 0, since: 50 }, nodes: { 'n1-n40': { state: 'IDLE' } } },
    ],
    [
      'the idle ones are in a closed partition, reserved or in maintenance',
      {
        sdiag: { ...waiting, 'Jobs started': 0 },
        partitions: ['batch UP n[1-40] default', 'gpu INACTIVE n[1-9]'],
        nodes: {
          'n1-n9': { state: 'IDLE', partitions: 'gpu' },
          'n10-n20': { state: 'IDLE+RESERVED' },
          'n21-n30': { state: 'IDLE+MAINTENANCE+RESERVED' },
          'n31-n40': { state: 'ALLOCATED' },
        },
      },
    ],
    [
      'all that waits is over the limit of its user: backfill looks at it, and jobs of days run',
      { sdiag: { ...waiting, 'Jobs started': 0 } },
    ],
    [
      'the main loop is switched off',
      {
        sdiag: { ...waiting, 'main Total cycles': 0, 'main Last queue length': 0, since: 5 * hour },
        config: { SchedulerParameters: 'sched_interval=-1' },
      },
    ],
    [
      'backfill is switched off since a while',
      { sdiag: backfillAgo(3 * hour), config: { SchedulerParameters: 'bf_interval=-1' } },
    ],
    [
      'nine jobs wait for one licence',
      { sdiag: { 'Jobs pending': 9, 'main Last queue length': 9, 'Jobs started': 0 } },
    ],
  ])('%s: nothing', (_name, cluster) => {
    expect(told(cluster).filter((line) => !line.startsWith('notice'))).toEqual([]);
  });

  it('a long cycle is a burst unless the mean is long as well', () => {
    const cycle = { 'main Last cycle': 14e6, 'main Max cycle': 15e6 };
    expect(told({ sdiag: cycle })[0]).toMatch(/^notice controller-busy: .*14 s/);
    expect(told({ sdiag: { ...cycle, 'main Mean cycle': 6e6 } })[0]).toMatch(
      /^warning controller-busy: .*14 s/,
    );
    expect(told({ sdiag: { 'main Mean cycle': 4e6, 'main Max cycle': 25e6 } })).toEqual([]);
  });
});

const sacctmgr = (out: string, err = '', exit = 0): Printed => ({
  answers: { 'slurm.accounting': { out, err, exit } },
});
const refused = [
  'sacctmgr: error: _open_persist_conn: failed to open persistent connection to host:dbd1:6819: Connection refused',
  'sacctmgr: error: Sending PersistInit msg: Connection refused',
  'sacctmgr: error: Problem talking to the database: Connection refused',
].join('\n');

describe('slurmdbd, asked itself', () => {
  it.each<[string, Printed, RegExp]>([
    ['it does not run', sacctmgr('', refused, 1), /^warning accounting-down: slurmdbd does not answer/],
    [
      'it does not run, and an old sacctmgr exits with 0',
      sacctmgr('', refused.replace('_open_persist_conn', 'slurm_persist_conn_open_without_init')),
      /^warning accounting-down: slurmdbd does not answer/,
    ],
    [
      'its database is away',
      sacctmgr('', ' Error with request: Unable to connect to database', 1),
      /^warning accounting-down: slurmdbd answers ctl1, but its database does not$/,
    ],
    [
      'it has another munge key, and slurmctld answers',
      sacctmgr('', 'sacctmgr: error: Problem talking to the database: Protocol authentication error', 1),
      /^warning accounting-down: slurmdbd refuses sacctmgr on ctl1: Protocol authentication error$/,
    ],
    [
      'it is of an older release',
      sacctmgr(
        '',
        'sacctmgr: error: Problem talking to the database: Incompatible versions of client and server code',
        1,
      ),
      /^warning accounting-down: slurmdbd refuses sacctmgr on ctl1: Incompatible versions/,
    ],
    [
      'slurmctld is not registered with it; another cluster is',
      { ...sacctmgr('hpc||0\ngpu|10.0.0.2|6817\n'), sdiag: { 'DBD Agent queue size': 12 } },
      /^warning accounting-down: slurmctld of hpc is not registered/,
    ],
    [
      'nobody answers in time, and records wait',
      { answers: { 'slurm.accounting': 'timeout' }, sdiag: { 'DBD Agent queue size': 12 } },
      /^warning accounting-down: .*in time$/,
    ],
  ])('%s', (_name, cluster, text) => {
    const lines = told(cluster);
    expect(lines[0]).toMatch(text);
    expect(lines).toHaveLength(1);
  });

  it('not registered for a moment after a start: no record waits yet', () => {
    expect(told(sacctmgr('HPC||0\n'))).toEqual([
      expect.stringMatching(/^notice accounting-down: .*not registered/),
    ]);
  });

  const late: Printed = { answers: { 'slurm.accounting': 'timeout' } };
  it('one answer is late, and slurmctld gets rid of its records: a notice', () => {
    expect(told(late)).toEqual([
      'notice accounting-down: slurmdbd does not answer sacctmgr on ctl1 in time, once; no record of slurmctld waits for it',
    ]);
  });

  it('the same where slurmctld is too slow for its next answer', () => {
    const judgement = judged([late]);
    if (judgement.readings instanceof Sources)
      judgement.readings.fail('slurm.sdiag', 'ctl1', { kind: 'timeout', message: 'no second answer' });
    const said = concluded(judgement).filter(({ kind }) => kind === 'accounting-down');
    expect(said.map(({ severity }) => severity)).toEqual(['notice']);
    expect(judgement.readings.source('slurm.sdiag', 'ctl1')?.state).toBe('failed');
  });

  it('late again, or with nothing known of the records: a warning', () => {
    const again = concluded(judged([late, late])).map(({ severity, kind }) => `${severity} ${kind}`);
    expect(again).toEqual(['warning accounting-down']);
    const alone: Printed = { answers: { ...late.answers, 'slurm.sdiag': 'timeout' } };
    expect(told(alone)).toContainEqual(
      'warning accounting-down: slurmdbd does not answer sacctmgr on ctl1 in time',
    );
  });

  it.each([
    ['munge, of slurmctld too', 'slurm_load_node error: Protocol authentication error'],
    [
      'the release, of slurmctld too',
      'slurm_load_node error: Incompatible versions of client and server code',
    ],
  ])('a host that is refused for %s: slurmctld is told, and nothing of slurmdbd', (_what, err) => {
    const said = 'sacctmgr: error: Problem talking to the database: Protocol authentication error';
    const { answers } = sacctmgr('', said, 1);
    const kinds = told({ answers: { ...answers, 'slurm.nodes': { err, exit: 1 } } }).map(
      (line) => line.split(' ')[1],
    );
    expect(kinds.length).toBeGreaterThan(0);
    expect(kinds).not.toContain('accounting-down:');
  });

  it('what waits for it is folded unless records are lost already', () => {
    const behind = (size: number) =>
      told({ ...sacctmgr('', refused, 1), sdiag: { 'DBD Agent queue size': size } });
    expect(behind(6000)).toEqual([
      'warning accounting-down: slurmdbd does not answer: sacctmgr on ctl1 gets no connection; 6,000 records wait (limit 20,080)',
    ]);
    expect(behind(20_080).map((line) => line.split(':')[0])).toEqual([
      'critical accounting-behind',
      'warning accounting-down',
    ]);
  });

  it.each<[string, Printed]>([
    ['registered', sacctmgr('hpc|10.0.0.1|6817\n')],
    ['another cluster is switched off', sacctmgr('hpc|10.0.0.1|6817\nold||0\n')],
    ['the own cluster is not listed to this account', sacctmgr('gpu|10.0.0.2|6817\n')],
    ['no such command here', sacctmgr('', 'sh: 1: sacctmgr: not found', 127)],
    ['words that are not known', sacctmgr('', "sacctmgr: unrecognized option '-P'", 1)],
    [
      'munge fails here',
      sacctmgr(
        '',
        'sacctmgr: error: Munge encode failed: Failed to access "/run/munge/munge.socket.2": No such file or directory (retrying ...)\nsacctmgr: error: Problem talking to the database: Protocol authentication error',
        1,
      ),
    ],
    ['no right to ask', sacctmgr('', 'sacctmgr: error: slurmdbd: Operation not permitted', 1)],
    [
      'no right to ask, in the words of its errno',
      sacctmgr('', 'sacctmgr: error: Access/permission denied', 1),
    ],
  ])('%s: nothing is said', (_name, cluster) => {
    expect(told(cluster)).toEqual([]);
  });
});
