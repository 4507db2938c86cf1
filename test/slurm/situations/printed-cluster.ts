import { start } from '../../helpers/judging.ts';

/** Seconds before now; a negative one is still to come. */
export type Ago = number;

/** A node as Slurm prints it: `IDLE+DRAIN`, and its reason with who set it how long ago. */
export interface PrintedNode {
  state: string;
  why?: readonly [reason: string, user: string, ago: Ago];
  partitions?: string;
  resv?: string;
}

/** A cluster as its commands print it. What is not given is that of a quiet cluster of 40 nodes, `n1` to `n40`. */
export interface Printed {
  name?: string;
  /** `n1-n4` or `n7` and what is different with them. */
  nodes?: Readonly<Record<string, PrintedNode>>;
  total?: number;
  prefix?: string;
  /** The nodes as `scontrol show nodes --json` of this data_parser release prints them instead of text. */
  json?: '21.08' | '23.02' | '24.05';
  jobs?: readonly string[];
  partitions?: readonly string[];
  reservations?: readonly string[];
  config?: Readonly<Record<string, string>>;
  /** Lines of sdiag that are otherwise: label -> value; `main ` and `bf ` before a label of those blocks. */
  sdiag?: Readonly<Record<string, string | number>>;
  rpcs?: readonly string[];
  users?: readonly string[];
  ping?: string;
  /** The controller's clock is ahead by so many seconds. */
  ahead?: number;
  /** What a probe is answered instead: standard output, or a failure by its standard error. */
  answers?: Readonly<Record<string, { out?: string; err?: string; exit?: number; ms?: number } | 'timeout'>>;
}

const seconds = 1000;
const iso = (ago: Ago): string => new Date(start - ago * seconds).toISOString().slice(0, 19);
const unix = (ago: Ago): number => Math.floor(start / seconds - ago);
export const sdiagTime = (ago: Ago): string => `Sat Nov 21 00:15:04 2026 (${unix(ago)})`;

const named = (range: string): string[] => {
  const [, prefix = '', low = '', high = low] = /^(.*?)(\d+)(?:-\D*(\d+))?$/.exec(range) ?? [];
  return Array.from({ length: Number(high) - Number(low) + 1 }, (_, at) => `${prefix}${Number(low) + at}`);
};

export const nodesOf = ({ nodes = {}, total = 40, prefix = 'n' }: Printed): Map<string, PrintedNode> => {
  const busy = ['ALLOCATED', 'MIXED', 'IDLE'];
  const all = new Map<string, PrintedNode>(
    named(`${prefix}1-${total}`).map((name, at) => [name, { state: busy[at % 3] ?? '' }]),
  );
  for (const [range, more] of Object.entries(nodes)) for (const name of named(range)) all.set(name, more);
  return all;
};

const nodesText = (cluster: Printed): string =>
  [...nodesOf(cluster)]
    .map(([name, { state, why, partitions = 'batch', resv }]) =>
      [
        `NodeName=${name} Arch=x86_64 CoresPerSocket=32 `,
        '   CPUAlloc=0 CPUEfctv=64 CPUTot=64 CPULoad=0.01',
        `   NodeAddr=${name} NodeHostName=${name} Version=23.11.4`,
        `   State=${state} ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A`,
        `   Partitions=${partitions} `,
        `   BootTime=${iso(1_700_000)} SlurmdStartTime=${iso(1_690_000)}`,
        ...(why ? [`   Reason=${why[0]} [${why[1]}@${iso(why[2] - (cluster.ahead ?? 0))}]`] : []),
        ...(resv === undefined ? [] : [`   ReservationName=${resv}`]),
        '',
      ].join('\n'),
    )
    .join('\n');

const nodesJson = (cluster: Printed): string => {
  const old = cluster.json === '21.08';
  const at = (ago: Ago): unknown =>
    cluster.json === '24.05' ? { set: true, infinite: false, number: unix(ago) } : unix(ago);
  const rows = [...nodesOf(cluster)].map(([name, { state, why, partitions = 'batch', resv }]) => {
    const [base = '', ...flags] = state.split('+');
    return {
      name,
      hostname: name,
      boot_time: at(1_700_000),
      ...(old ? { state: base.toLowerCase(), state_flags: flags } : { state: [base, ...flags] }),
      partitions: partitions.split(','),
      reason: why?.[0] ?? '',
      reason_set_by_user: why?.[1] ?? (old ? null : ''),
      reason_changed_at: why ? at(why[2]) : old ? 0 : at(1_800_000_000),
      ...(resv !== undefined && { reservation: resv }),
    };
  });
  const meta = old ? { Slurm: { release: '21.08.8' } } : { command: ['show', 'nodes'], slurm: {} };
  return JSON.stringify({ meta, errors: [], nodes: rows });
};

const sdiagText = ({ sdiag = {}, rpcs = [], users = [], ahead = 0 }: Printed): string => {
  const line = (label: string, usual: string | number, block = ''): string =>
    `${block && '\t'}${label}: ${sdiag[block + label] ?? usual}`;
  return [
    '*******************************************************',
    `sdiag output at ${sdiagTime(-ahead)}`,
    `Data since      ${sdiagTime(Number(sdiag['since'] ?? 30_000) - ahead)}`,
    '*******************************************************',
    line('Server thread count', 3),
    line('Agent queue size', 0),
    line('Agent count', 0),
    line('Agent thread count', 0),
    line('DBD Agent queue size', 0),
    '',
    line('Jobs submitted', 512),
    line('Jobs started', 410),
    line('Jobs pending', 0),
    line('Jobs running', 27),
    '',
    'Main schedule statistics (microseconds):',
    line('Last cycle', 9204, 'main '),
    line('Max cycle', 83_011, 'main '),
    line('Total cycles', 910, 'main '),
    line('Mean cycle', 11_022, 'main '),
    line('Cycles per minute', 3, 'main '),
    line('Last queue length', 0, 'main '),
    '',
    `Backfilling stats${sdiag['middle'] === undefined ? '' : ' (WARNING: data obtained in the middle of backfilling execution.)'}`,
    line('Total cycles', 410, 'bf '),
    line('Last cycle when', sdiagTime(20 - ahead), 'bf '),
    line('Last cycle', 220_113, 'bf '),
    line('Max cycle', 812_211, 'bf '),
    line('Last queue length', 0, 'bf '),
    '',
    'Remote Procedure Call statistics by message type',
    ...(rpcs.length > 0
      ? rpcs
      : ['REQUEST_NODE_INFO ( 2007) count:1732 ave_time:2220 total_time:3845040']
    ).map((row) => `\t${row}`),
    '',
    'Remote Procedure Call statistics by user',
    ...(users.length > 0 ? users : ['root (       0) count:345 ave_time:641 total_time:221447']).map(
      (row) => `\t${row}`,
    ),
    '',
    'Pending RPC statistics',
    '\tNo pending RPCs',
    '',
  ].join('\n');
};

const configText = ({ name = 'hpc', config = {}, ahead = 0 }: Printed): string => {
  const all: Record<string, string> = {
    AccountingStorageHost: 'dbd1',
    AccountingStorageType: 'accounting_storage/slurmdbd',
    BOOT_TIME: iso(1_600_000 - ahead),
    ClusterName: name,
    MaxDBDMsgs: '20080',
    MaxJobCount: '10000',
    MessageTimeout: '10 sec',
    PrivateData: 'none',
    ResumeTimeout: '600 sec',
    SchedulerParameters: '(null)',
    SchedulerType: 'sched/backfill',
    SlurmdTimeout: '300 sec',
    SLURM_VERSION: '23.11.4',
    ...config,
  };
  const rows = Object.entries(all).map(([key, value]) => `${key.padEnd(23)} = ${value}`);
  return [
    `Configuration data as of ${iso(-ahead)}`,
    ...rows,
    '',
    'Slurmctld(primary) at ctl1 is UP',
    '',
  ].join('\n');
};

/** `gpu DOWN n1-n8` as scontrol prints the partition. */
const partitionText = (row: string): string => {
  const [name, state, nodes = '(null)', ...more] = row.split(' ');
  return `PartitionName=${name}\n   AllocNodes=ALL Default=${more.includes('default') ? 'YES' : 'NO'} QoS=N/A\n   MaxTime=UNLIMITED\n   Nodes=${nodes}\n   State=${state} TotalCPUs=64 TotalNodes=${nodes === '(null)' ? 0 : 1}\n`;
};

/** `name START END NODES FLAGS`, both times in seconds ago. */
const reservationText = (row: string): string => {
  const [name, from, to, nodes, flags] = row.split(' ');
  const active = Number(from) >= 0 && Number(to) < 0;
  return `ReservationName=${name} StartTime=${iso(Number(from))} EndTime=${iso(Number(to))} Duration=01:00:00\n   Nodes=${nodes} NodeCnt=1 CoreCnt=64 Features=(null) PartitionName=(null) Flags=${flags}\n   Users=root Groups=(null) Accounts=(null) Licenses=(null) State=${active ? 'ACTIVE' : 'INACTIVE'} BurstBuffer=(null)\n`;
};

export const printed = (cluster: Printed): Record<string, string> => ({
  'slurm.nodes': cluster.json ? nodesJson(cluster) : nodesText(cluster),
  'slurm.ping': cluster.ping ?? 'Slurmctld(primary) at ctl1 is UP\n',
  'slurm.jobs': (cluster.jobs ?? []).map((row) => `${row}\n`).join(''),
  'slurm.sdiag': sdiagText(cluster),
  'slurm.partitions': (cluster.partitions ?? ['batch UP n[1-40] default']).map(partitionText).join('\n'),
  'slurm.reservations': cluster.reservations?.length
    ? cluster.reservations.map(reservationText).join('\n')
    : 'No reservations in the system\n',
  'slurm.config': configText(cluster),
  'slurm.accounting': 'hpc|10.0.0.1|6817\n',
});
