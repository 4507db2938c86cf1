import type { SimulatedAnswer, SimulatedCall, SimulatedHost, Simulator } from '../../src/model/simulator.ts';
import { advance } from './simulator/allocator.ts';
import { incidents, putFaults, versionOf } from './simulator/incidents.ts';
import { journal } from './simulator/kernel.ts';
import { lctl } from './simulator/lctl.ts';
import { lfs, migrate } from './simulator/lfs.ts';
import { buildState, client, type SimState } from './simulator/state.ts';
import { advanceTasks, type SimTask, taskCommand } from './simulator/tasks.ts';

const hosts: readonly SimulatedHost[] = [
  ...['mds1', 'mds2'].map((name) => ({ name, roles: ['lustre-mds'] })),
  ...['oss1', 'oss2', 'oss3', 'oss4'].map((name) => ({ name, roles: ['lustre-oss'] })),
  { name: client, roles: ['lustre-client'] },
];

/** A stateful file system `scratch`: 2 MDTs, 4 OSSs, 36 OSTs, one client. 2.15 unless an incident wants 2.7. */
export const createLustreSimulator = (): Simulator => {
  let state: SimState | undefined;
  let tasks: SimTask[] = [];
  /** Incidents come on top of each other. */
  const begun = new Set<string>();
  const names = new Set(hosts.map(({ name }) => name));
  const stateAt = (now: number): SimState => (state ??= buildState(versionOf([]), now));

  return {
    system: 'lustre',
    hosts,
    settings: {},
    incidents,
    start: (incident, now) => {
      if (incident === 'quiet') begun.clear();
      else begun.add(incident);
      state = buildState(versionOf([...begun]), now);
      tasks = [];
      for (const one of begun) putFaults(state, one, now);
    },
    call: ({ host, argv, stdin, now }: SimulatedCall): SimulatedAnswer | undefined => {
      if (!names.has(host)) return undefined;
      const [program, ...words] = argv;
      const current = stateAt(now);
      advance(current, now);
      advanceTasks(current, tasks, now);
      if (program === 'journalctl') return journal(current, host);
      if (program === 'lctl') return lctl(current, host, words, now);
      if (host !== client) return undefined;
      if (program === 'lfs') return lfs(current, words, now);
      return program === 'lfs_migrate' ? migrate(current, stdin) : taskCommand(current, tasks, argv, now);
    },
  };
};
