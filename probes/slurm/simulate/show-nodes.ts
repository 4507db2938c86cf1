import { slurmTime } from './lists.ts';
import { baseOf, type SimNode, type SimState, usage } from './state.ts';

export const release = '22.05.8';
const os = 'Linux 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC @0';
const memory = 257_000;

const marksOf = (node: SimNode): string[] => [...node.marks].toSorted();

/** `sinfo --json` of 22.05: base state in lower case, flags apart, slashes escaped, no newline at the end. */
export const sinfoJson = (state: SimState, error?: string): string => {
  const used = usage(state);
  const document = {
    meta: {
      plugin: { type: 'openapi/v0.0.38', name: 'Slurm OpenAPI v0.0.38' },
      Slurm: { version: { major: 22, micro: 8, minor: 5 }, release },
    },
    errors: error === undefined ? [] : [{ error, errno: -1 }],
    nodes:
      error === undefined
        ? [...state.nodes.values()].map((node) => jsonNode(node, used.get(node.name) ?? 0))
        : [],
  };
  return JSON.stringify(document, null, 2).replaceAll('/', '\\/');
};

const seconds = (at: number): number => Math.floor(at / 1000);

const jsonNode = (node: SimNode, used: number): object => {
  const pending = node.nextState !== undefined && node.marks.size > 0;
  return {
    architecture: 'x86_64',
    burstbuffer_network_address: '',
    boards: 1,
    boot_time: seconds(node.bootAt),
    comment: '',
    cores: 32,
    cpu_binding: 0,
    cpu_load: used * 100,
    extra: '',
    free_memory: memory - used * 2000,
    cpus: node.cpus,
    last_busy: seconds(node.slurmdAt),
    features: '',
    active_features: '',
    gres: node.partitions.includes('gpu') ? 'gpu:4' : '',
    gres_drained: 'N/A',
    gres_used: node.partitions.includes('gpu') ? 'gpu:0' : '',
    mcs_label: '',
    name: node.name,
    next_state_after_reboot: pending ? (node.nextState === 'DOWN' ? 'down' : 'unknown') : 'invalid',
    address: node.name,
    hostname: node.name,
    state: baseOf(node, used).toLowerCase(),
    state_flags: marksOf(node),
    next_state_after_reboot_flags: pending && node.nextState === 'RESUME' ? ['RESUME', '?'] : [],
    operating_system: os,
    owner: null,
    partitions: node.partitions,
    port: 6818,
    real_memory: memory,
    reason: node.reason,
    reason_changed_at: seconds(node.reasonAt),
    reason_set_by_user: node.reasonUser === '' ? null : node.reasonUser,
    slurmd_start_time: seconds(node.slurmdAt),
    sockets: 2,
    threads: 1,
    temporary_disk: 0,
    weight: 1,
    tres: `cpu=${node.cpus},mem=${memory}M,billing=${node.cpus}`,
    slurmd_version: release,
    alloc_memory: 0,
    alloc_cpus: used,
    idle_cpus: node.cpus - used,
    tres_used: used > 0 ? `cpu=${used}` : null,
    tres_weighted: used,
  };
};

/** `scontrol show node`, with `-o` on one line. */
export const showNode = (node: SimNode, used: number, oneLine: boolean): string => {
  const flags = marksOf(node).map((mark) => `+${mark}`);
  const next = node.nextState !== undefined && node.marks.size > 0 ? [`NextState=${node.nextState}`] : [];
  const gpu = node.partitions.includes('gpu') ? 'gpu:4' : '(null)';
  const lines = [
    `NodeName=${node.name} Arch=x86_64 CoresPerSocket=32 `,
    `CPUAlloc=${used} CPUEfctv=${node.cpus} CPUTot=${node.cpus} CPULoad=${used.toFixed(2)}`,
    'AvailableFeatures=(null)',
    'ActiveFeatures=(null)',
    `Gres=${gpu}`,
    `NodeAddr=${node.name} NodeHostName=${node.name} Version=${release}`,
    `OS=${os} `,
    `RealMemory=${memory} AllocMem=0 FreeMem=${memory - used * 2000} Sockets=2 Boards=1`,
    `State=${baseOf(node, used)}${flags.join('')} ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A`,
    ...next,
    `Partitions=${node.partitions.join(',')} `,
    `BootTime=${slurmTime(node.bootAt)} SlurmdStartTime=${slurmTime(node.slurmdAt)}`,
    `LastBusyTime=${slurmTime(node.slurmdAt)}`,
    `CfgTRES=cpu=${node.cpus},mem=${memory}M,billing=${node.cpus}`,
    `AllocTRES=${used > 0 ? `cpu=${used}` : ''}`,
    'CapWatts=n/a',
    'CurrentWatts=0 AveWatts=0',
    'ExtSensorsJoules=n/s ExtSensorsWatts=0 ExtSensorsTemp=n/s',
    ...reasonLines(node),
  ];
  return oneLine ? `${lines.join(' ')}\n` : `${lines.join('\n   ')}\n\n`;
};

/** The first line carries user and time, the others are indented by seven more blanks. */
const reasonLines = (node: SimNode): string[] => {
  if (node.reason === '') return [];
  const [first = '', ...more] = node.reason.split('\n').filter((line) => line !== '');
  const head = `Reason=${first} [${node.reasonUser}@${slurmTime(node.reasonAt)}]`;
  return [head, ...more.map((line) => `       ${line}`)];
};
