/** A simulated node. What it is at bottom follows from power, jobs and marks. */
export interface SimNode {
  name: string;
  index: number;
  partitions: string[];
  cpus: number;
  marks: Set<string>;
  /** Slurm has given it up. */
  down: boolean;
  reason: string;
  reasonUser: string;
  reasonAt: number;
  bootAt: number;
  slurmdAt: number;
  powered: boolean;
  /** What the site's check complains of. */
  fault?: string;
  nextState?: 'RESUME' | 'DOWN';
  rebootUntil?: number;
  /** Since when a node that came back without a cause stays unheard of. */
  silentSince?: number;
  returnedAt?: number;
}

export interface SimJob {
  id: number;
  user: string;
  name: string;
  partition: string;
  nodes: string[];
  /** CPUs on each node. */
  cpus: number;
  startAt: number;
  endAt: number;
}

export interface SimReservation {
  name: string;
  nodes: string[];
  from: number;
  to: number;
}

export interface SimPartition {
  name: string;
  from: number;
  to: number;
  maxHours: number;
}

export type ControllerMood = 'up' | 'down' | 'hung' | 'slow';

/** Everything the simulated Slurm knows. */
export interface SimState {
  nodes: Map<string, SimNode>;
  jobs: SimJob[];
  partitions: SimPartition[];
  reservations: SimReservation[];
  mood: ControllerMood;
  startedAt: number;
  /** Calls by RPC name, for sdiag. */
  calls: Map<string, number>;
  lastJob: number;
}

const users = ['astro1', 'chem2', 'bio3', 'cfd4', 'mlops5'];
const sizes = [4, 1, 8, 2, 1, 16, 3, 1];

/** A healthy cluster `node[1-N]`: nine tenths in `batch`, 16 in `gpu`, four in `debug` (for 200 nodes). */
export const buildState = (count: number, now: number): SimState => {
  const debug = Math.max(1, Math.round(count * 0.02));
  const gpu = Math.max(1, Math.round(count * 0.08));
  const batch = count - gpu - debug;
  const partitions: SimPartition[] = [
    { name: 'batch', from: 1, to: batch, maxHours: 48 },
    { name: 'gpu', from: batch + 1, to: batch + gpu, maxHours: 24 },
    { name: 'debug', from: batch + gpu + 1, to: count, maxHours: 1 },
  ];
  const nodes = new Map<string, SimNode>();
  for (let index = 1; index <= count; index++) {
    const name = `node${index}`;
    const bootAt = now - (20 + (index % 7)) * 86_400_000;
    nodes.set(name, {
      name,
      index,
      partitions: partitions.filter((one) => index >= one.from && index <= one.to).map((one) => one.name),
      cpus: 64,
      marks: new Set(),
      down: false,
      reason: '',
      reasonUser: '',
      reasonAt: 0,
      bootAt,
      slurmdAt: bootAt + 90_000,
      powered: true,
    });
  }
  return {
    nodes,
    jobs: [],
    partitions,
    reservations: [],
    mood: 'up',
    startedAt: now - 9 * 86_400_000,
    calls: new Map(),
    lastJob: 48_110,
  };
};

/** Fills three quarters of the nodes that take jobs. */
export const fillWithJobs = (state: SimState, now: number): void => {
  for (const partition of state.partitions) {
    const free = [...state.nodes.values()].filter(
      (node) => node.partitions.includes(partition.name) && takesJobs(node),
    );
    let at = 0;
    for (let turn = 0; at < free.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      const nodes = free.slice(at, at + size).map((node) => node.name);
      at += size + (turn % 3 === 2 ? Math.max(1, Math.round(size / 2)) : 0);
      addJob(state, partition, nodes, now, turn);
    }
  }
};

export const addJob = (
  state: SimState,
  partition: SimPartition,
  nodes: string[],
  now: number,
  turn: number,
): SimJob => {
  state.lastJob += 1;
  const hours = partition.maxHours;
  const startAt = now - ((turn * 37) % 50) * 60_000;
  const job: SimJob = {
    id: state.lastJob,
    user: users[turn % users.length] ?? 'astro1',
    name: `run${turn}`,
    partition: partition.name,
    nodes,
    cpus: turn % 4 === 1 ? 16 : 64,
    startAt,
    endAt: startAt + Math.max(1.2, ((turn * 5) % hours) + 0.5) * 3_600_000,
  };
  state.jobs.push(job);
  return job;
};

const takesJobs = (node: SimNode): boolean => !node.down && node.marks.size === 0 && node.powered;

export const jobsOfNode = (state: SimState, name: string): SimJob[] =>
  state.jobs.filter((job) => job.nodes.includes(name));

/** CPUs in use on each node. */
export const usage = (state: SimState): Map<string, number> => {
  const used = new Map<string, number>();
  for (const job of state.jobs) {
    for (const name of job.nodes) used.set(name, (used.get(name) ?? 0) + job.cpus);
  }
  return used;
};

/** `IDLE`, `MIXED`, `ALLOCATED`, `DOWN`. */
export const baseOf = (node: SimNode, used: number): string => {
  if (node.down) return 'DOWN';
  if (used <= 0) return 'IDLE';
  return used < node.cpus ? 'MIXED' : 'ALLOCATED';
};

export const setReason = (node: SimNode, reason: string, user: string, at: number): void => {
  node.reason = reason;
  node.reasonUser = user;
  node.reasonAt = at;
};

export const clearReason = (node: SimNode): void => setReason(node, '', '', 0);
