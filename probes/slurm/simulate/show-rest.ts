import { conf } from './clockwork.ts';
import { compress, slurmSpan, slurmTime } from './lists.ts';
import { release } from './show-nodes.ts';
import type { SimJob, SimPartition, SimState } from './state.ts';

export const showPartition = (state: SimState, { name, from, to, maxHours }: SimPartition): string => {
  const nodes = [...state.nodes.values()].filter((node) => node.partitions.includes(name));
  const cpus = nodes.reduce((sum, node) => sum + node.cpus, 0);
  return [
    `PartitionName=${name}`,
    'AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL',
    `AllocNodes=ALL Default=${name === 'batch' ? 'YES' : 'NO'} QoS=N/A`,
    'DefaultTime=NONE DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO',
    `MaxNodes=UNLIMITED MaxTime=${slurmSpan(maxHours * 3_600_000)} MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED`,
    `Nodes=${from === to ? `node${from}` : `node[${from}-${to}]`}`,
    'PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO',
    'OverTimeLimit=NONE PreemptMode=OFF',
    `State=UP TotalCPUs=${cpus} TotalNodes=${nodes.length} SelectTypeParameters=NONE`,
    'JobDefaults=(null)',
    'DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED',
    `TRES=cpu=${cpus},node=${nodes.length},billing=${cpus}\n\n`,
  ].join('\n   ');
};

export const showReservations = ({ reservations }: SimState, now: number): string =>
  reservations.length === 0
    ? 'No reservations in the system\n'
    : reservations
        .map(({ name, nodes, from, to }) =>
          [
            `ReservationName=${name} StartTime=${slurmTime(from)} EndTime=${slurmTime(to)} Duration=${slurmSpan(to - from)}`,
            `Nodes=${compress(nodes)} NodeCnt=${nodes.length} CoreCnt=${nodes.length * 64} Features=(null) PartitionName=(null) Flags=MAINT,IGNORE_JOBS,SPEC_NODES`,
            `TRES=cpu=${nodes.length * 64}`,
            `Users=root Groups=(null) Accounts=(null) Licenses=(null) State=${now >= from && now < to ? 'ACTIVE' : 'INACTIVE'} BurstBuffer=(null) Watts=n/a`,
            'MaxStartDelay=(null)\n\n',
          ].join('\n   '),
        )
        .join('');

export const showConfig = ({ startedAt }: SimState, now: number): string => {
  const settings: Readonly<Record<string, string>> = {
    AuthType: 'auth/munge',
    BOOT_TIME: slurmTime(startedAt),
    AccountingStorageType: 'accounting_storage/slurmdbd',
    ClusterName: 'demo',
    HealthCheckInterval: `${conf.healthCheckIntervalS} sec`,
    HealthCheckNodeState: 'ANY',
    HealthCheckProgram: '/usr/sbin/nhc',
    MessageTimeout: '10 sec',
    RebootProgram: '/usr/sbin/reboot',
    ResumeTimeout: `${conf.resumeTimeoutS} sec`,
    SlurmUser: 'slurm(64030)',
    'SlurmctldHost[0]': 'ctl1',
    SlurmctldTimeout: '120 sec',
    SlurmdTimeout: `${conf.slurmdTimeoutS} sec`,
    SLURM_VERSION: release,
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key.padEnd(23)} = ${value}`);
  return `Configuration data as of ${slurmTime(now)}\n${lines.join('\n')}\n\nSlurmctld(primary) at ctl1 is UP\n`;
};

const states = { long: 'RUNNING', short: 'R' };

/** `squeue -o`: the specifiers that are in use. */
export const squeueLine = (format: string, job: SimJob, now: number): string =>
  format.replace(/%(-?[\d.]*)([a-zA-Z])/g, (_, width: string, letter: string) => {
    const fields: Readonly<Record<string, string>> = {
      i: String(job.id),
      A: String(job.id),
      u: job.user,
      T: states.long,
      t: states.short,
      P: job.partition,
      j: job.name,
      e: slurmTime(job.endAt),
      L: slurmSpan(job.endAt - now),
      M: slurmSpan(now - job.startAt),
      D: String(job.nodes.length),
      N: compress(job.nodes),
      R: compress(job.nodes),
      S: slurmTime(job.startAt),
    };
    const value = fields[letter] ?? '';
    const columns = Number(width.replace(/[-.]/g, '')) || 0;
    if (columns === 0) return value;
    return width.startsWith('.')
      ? value.slice(0, columns).padStart(columns)
      : value.slice(0, columns).padEnd(columns);
  });

/** What sdiag prints; mean times are long when the controller waits for silent nodes. */
export const sdiagText = (state: SimState, now: number): string => {
  const stamp = (at: number): string =>
    `${new Date(at).toUTCString().slice(0, 11).replace(',', '')} ${slurmTime(at).slice(11)} ${slurmTime(at).slice(0, 4)} (${Math.floor(at / 1000)})`;
  const slow = state.mood === 'slow';
  const rpcs = [...state.calls].toSorted(([, a], [, b]) => b - a);
  const row = (name: string, id: number, count: number, mean: number): string =>
    `\t${name.padEnd(39)} (${String(id).padStart(5)}) count:${String(count).padEnd(6)} ave_time:${String(mean).padEnd(6)} total_time:${count * mean}`;
  return [
    '*******************************************************',
    `sdiag output at ${stamp(now)}`,
    `Data since      ${stamp(state.startedAt)}`,
    '*******************************************************',
    `Server thread count:  ${slow ? 214 : 3}`,
    `Agent queue size:     ${slow ? 371 : 0}`,
    `Agent count:          ${slow ? 20 : 0}`,
    `Agent thread count:   ${slow ? 60 : 0}`,
    'DBD Agent queue size: 0',
    '',
    `Jobs submitted: ${state.lastJob - 48_000}`,
    `Jobs started:   ${state.lastJob - 48_010}`,
    'Jobs completed: 51',
    'Jobs canceled:  2',
    'Jobs failed:    1',
    '',
    `Job states ts:  ${stamp(now)}`,
    'Jobs pending:   17',
    `Jobs running:   ${state.jobs.length}`,
    '',
    'Main schedule statistics (microseconds):',
    `\tLast cycle:   ${slow ? 2_941_882 : 1_204}`,
    `\tMax cycle:    ${slow ? 9_120_441 : 8_830}`,
    '\tTotal cycles: 1311',
    '',
    'Remote Procedure Call statistics by message type',
    ...rpcs.map(([name, count], at) =>
      row(name, 2007 + at, count, slow ? 3_900_000 - at * 700_000 : 640 - at * 70),
    ),
    row('MESSAGE_NODE_REGISTRATION_STATUS', 1002, 12_440, slow ? 5_012_000 : 334),
    '',
    'Remote Procedure Call statistics by user',
    row('root', 0, 12_700, slow ? 4_000_000 : 641),
    row('astro1', 2001, 3_310, slow ? 5_100_000 : 900),
    '',
    'Pending RPC statistics',
    ...(slow ? ['\tREQUEST_PING                            ( 1008) count:37'] : ['\tNo pending RPCs']),
    '',
  ].join('\n');
};
