import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseReservations } from '../../probes/slurm/read/parse-reservations.ts';
import { slurmFormats } from '../../probes/slurm/read/formats.ts';
import { jobsFormat } from '../../probes/slurm/read/parse-jobs.ts';

const capture = (name: string): string => readFileSync(new URL(`captures/${name}`, import.meta.url), 'utf8');
const parse = (
  format: string,
  stdout: string,
  more: { stderr?: string; exitCode?: number; tz?: string } = {},
): object => slurmFormats[format]?.({ stdout, ...more }) ?? {};

describe('slurm.ping', () => {
  it('down, with the banner that only root sees', () => {
    expect(parse('slurm.ping', capture('ping-down.txt'), { exitCode: 1 })).toEqual({
      controllers: [{ host: 'vm', role: 'primary', up: false }],
    });
  });

  it('backups by their numbers', () => {
    const text =
      'Slurmctld(primary) at a is DOWN\nSlurmctld(backup1) at b is UP\nSlurmctld(backup2) at c is UP\n';
    expect(parse('slurm.ping', text)).toEqual({
      controllers: [
        { host: 'a', role: 'primary', up: false },
        { host: 'b', role: 'backup1', up: true },
        { host: 'c', role: 'backup2', up: true },
      ],
    });
  });

  it.each([
    [
      { hostname: 'k', pinged: 'UP', latency: 6, mode: 'primary' },
      { host: 'k', role: 'primary', up: true },
    ],
    [
      { hostname: 'k', pinged: 'DOWN', responding: false, mode: 'backup1' },
      { host: 'k', role: 'backup1', up: false },
    ],
    [
      { hostname: 'k', responding: true, primary: false },
      { host: 'k', role: 'backup', up: true },
    ],
  ])('JSON %j', (ping, controller) => {
    expect(parse('slurm.ping', JSON.stringify({ pings: [ping], errors: [] }))).toEqual({
      controllers: [controller],
    });
  });

  it('a munge failure is told of beside the DOWN that it causes', () => {
    const stderr =
      'scontrol: error: Munge encode failed: Failed to access "/run/munge/munge.socket.2": No such file or directory (Did you start munged?)';
    expect(
      parse('slurm.ping', 'Slurmctld(primary) at ctl1 is DOWN\n', { stderr, exitCode: 1 }),
    ).toMatchObject({
      controllers: [{ up: false }],
      error: { kind: 'notReachable' },
    });
  });
});

describe('slurm.jobs', () => {
  it('the lines of the poll', () => {
    const text =
      '4711|astro1|RUNNING|batch|2026-11-20T04:12:00|node[1-4,7]\n4712_3|bio3|COMPLETING|gpu|N/A|node9\n4713|x|PENDING|batch|N/A|\nnoise\n';
    expect(parse('slurm.jobs', text)).toEqual({
      jobs: [
        {
          jobId: '4711',
          userName: 'astro1',
          jobState: 'RUNNING',
          partition: 'batch',
          endTime: '2026-11-20T04:12:00Z',
          nodes: 'node[1-4,7]',
        },
        { jobId: '4712_3', userName: 'bio3', jobState: 'COMPLETING', partition: 'gpu', nodes: 'node9' },
        { jobId: '4713', userName: 'x', jobState: 'PENDING', partition: 'batch' },
      ],
      notUnderstood: 1,
    });
    expect(jobsFormat).toBe('%i|%u|%T|%P|%e|%N');
  });

  it('no jobs is no error; a failing squeue is', () => {
    expect(parse('slurm.jobs', '', { exitCode: 0 })).toEqual({ jobs: [] });
    const stderr = 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)';
    expect(parse('slurm.jobs', '', { stderr, exitCode: 1 })).toMatchObject({
      jobs: [],
      error: { kind: 'notReachable' },
    });
  });

  it('JSON: states as text or list, nodes as text or object', () => {
    const jobs = [
      {
        job_id: 1,
        user_name: 'a',
        job_state: 'RUNNING',
        end_time: 1795211716,
        nodes: 'n1',
        partition: 'batch',
      },
      {
        job_id: 2,
        user_name: 'b',
        job_state: ['RUNNING', 'COMPLETING'],
        end_time: { set: true, infinite: false, number: 1795211716 },
        nodes: '',
        job_resources: { nodes: { list: 'n[2-3]' } },
      },
      { job_id: 3, job_state: [], user_name: 'c' },
    ];
    expect(parse('slurm.jobs', JSON.stringify({ jobs, errors: [] }))).toEqual({
      jobs: [
        {
          jobId: '1',
          userName: 'a',
          jobState: 'RUNNING',
          partition: 'batch',
          endTime: '2026-11-20T21:55:16Z',
          nodes: 'n1',
        },
        { jobId: '2', userName: 'b', jobState: 'RUNNING', endTime: '2026-11-20T21:55:16Z', nodes: 'n[2-3]' },
      ],
      notUnderstood: 1,
    });
  });
});

describe('slurm.sdiag', () => {
  it('text of a real 22.05', () => {
    const document = parse('slurm.sdiag', capture('sdiag.txt'));
    expect(document).toMatchObject({
      serverThreadCount: expect.any(Number),
      agentQueueSize: expect.any(Number),
    });
    expect(document).toHaveProperty('rpcs.0.name', expect.stringMatching(/^REQUEST_|^MESSAGE_/));
    expect(document).not.toHaveProperty('notUnderstood');
  });

  it('takes the cycle of the main scheduler, not of backfill', () => {
    const text =
      'sdiag output at x\nMain schedule statistics (microseconds):\n\tLast cycle:   92\nBackfilling stats\n\tLast cycle: 7\n';
    expect(parse('slurm.sdiag', text)).toMatchObject({ lastCycleUs: 92 });
  });

  it('JSON with structures', () => {
    const statistics = {
      server_thread_count: 3,
      agent_queue_size: 0,
      schedule_cycle_last: 12,
      req_time_start: { set: true, infinite: false, number: 1795211600 },
      rpcs_by_message_type: [
        {
          message_type: 'REQUEST_PING',
          type_id: 1008,
          count: 2,
          total_time: 200,
          average_time: { set: true, infinite: false, number: 100 },
        },
      ],
      rpcs_by_user: [{ user: 'root', user_id: 0, count: 2, total_time: 200 }],
      pending_rpcs: [{ type_id: 1, message_type: 'REQUEST_PING', count: 4 }],
    };
    expect(parse('slurm.sdiag', JSON.stringify({ statistics, errors: [] }))).toEqual({
      serverThreadCount: 3,
      agentQueueSize: 0,
      lastCycleUs: 12,
      dataSince: '2026-11-20T21:53:20Z',
      rpcs: [{ name: 'REQUEST_PING', count: 2, aveTimeUs: 100, totalTimeUs: 200 }],
      users: [{ name: 'root', count: 2, aveTimeUs: 100, totalTimeUs: 200 }],
      pending: [{ name: 'REQUEST_PING', count: 4 }],
    });
  });

  it('fails with exit 255 and its words', () => {
    const stderr = 'slurm_get_statistics: Unable to contact slurm controller (connect failure)';
    expect(parse('slurm.sdiag', '', { stderr, exitCode: 255 })).toMatchObject({
      error: { kind: 'notReachable' },
    });
  });
});

describe('slurm.partitions and slurm.reservations', () => {
  it('a reservation of a real 22.05', () => {
    expect(parse('slurm.reservations', capture('reservation.txt'))).toMatchObject({
      reservations: [
        {
          reservationName: 'fw',
          nodes: 'n3',
          state: 'ACTIVE',
          users: 'root',
          flags: expect.arrayContaining(['MAINT', 'IGNORE_JOBS']),
        },
      ],
    });
  });

  it('none is none', () => {
    expect(parse('slurm.reservations', 'No reservations in the system\n')).toEqual({ reservations: [] });
  });

  it('none is none beside a warning of slurm.conf, and a failure stays one', () => {
    const stderr = 'scontrol: error: The option "FastSchedule" is defunct, see man slurm.conf.\n';
    const none = { stdout: 'No reservations in the system\n', stderr, exitCode: 0 };
    expect(parseReservations(none)).toEqual({ reservations: [], notUnderstood: 0 });
    expect(parseReservations({ ...none, exitCode: 1 }).error?.code).toBe('other');
    expect(parseReservations({ ...none, stdout: '' }).error?.code).toBe('other');
  });

  it('partitions of text and JSON', () => {
    const text =
      'PartitionName=batch\n   AllowGroups=ALL Default=YES QoS=N/A\n   MaxTime=UNLIMITED\n   Nodes=node[1-6]\n   State=UP TotalCPUs=24 TotalNodes=6\n\n';
    expect(parse('slurm.partitions', text)).toEqual({
      partitions: [
        {
          partitionName: 'batch',
          state: 'UP',
          nodes: 'node[1-6]',
          totalNodes: 6,
          default: true,
          maxTime: 'UNLIMITED',
        },
      ],
    });
    const partitions = [
      { name: 'gpu', nodes: { configured: 'g[1-2]', total: 2 }, partition: { state: ['DOWN'] } },
    ];
    expect(parse('slurm.partitions', JSON.stringify({ partitions, errors: [] }))).toEqual({
      partitions: [{ partitionName: 'gpu', state: 'DOWN', nodes: 'g[1-2]', totalNodes: 2 }],
    });
  });
});

describe('slurm.config', () => {
  it('takes what judgements need, and leaves out what is (null)', () => {
    const text =
      'Configuration data as of x\nClusterName             = lab\nSlurmdTimeout           = 300 sec\nSlurmUser               = slurm(64030)\nHealthCheckProgram      = (null)\n';
    expect(parse('slurm.config', text)).toEqual({
      clusterName: 'lab',
      slurmdTimeoutS: 300,
      slurmUser: 'slurm',
    });
  });
});
