import type { SimulatedAnswer, SimulatedCall, SimulatedHost, Simulator } from '../../src/model/simulator.ts';
import { advance } from './simulator/allocator.ts';
import { incidents, putFaults, versionOf } from './simulator/incidents.ts';
import { lctl } from './simulator/lctl.ts';
import { lfs, migrate } from './simulator/lfs.ts';
import { buildState, client, type SimState } from './simulator/state.ts';

/** The simulator with what tests read. */
export interface LustreSimulator extends Simulator {
  state(): SimState | undefined;
}

const hosts: readonly SimulatedHost[] = [
  ...['mds1', 'mds2'].map((name) => ({ name, roles: ['lustre-mds'] })),
  ...['oss1', 'oss2', 'oss3', 'oss4'].map((name) => ({ name, roles: ['lustre-oss'] })),
  { name: client, roles: ['lustre-client'] },
];

/** A stateful file system `scratch`: 2 MDTs, 4 OSSs, 36 OSTs, one client. 2.15 unless an incident wants 2.7. */
export const createLustreSimulator = (): LustreSimulator => {
  let state: SimState | undefined;
  const names = new Set(hosts.map(({ name }) => name));
  const stateAt = (now: number): SimState => (state ??= buildState(versionOf('quiet'), now));

  return {
    system: 'lustre',
    hosts,
    settings: {},
    incidents,
    start: (incident, now) => {
      state = buildState(versionOf(incident), now);
      putFaults(state, incident, now);
    },
    call: ({ host, argv, stdin, now }: SimulatedCall): SimulatedAnswer | undefined => {
      const [program, ...words] = argv;
      const own = program === 'lctl' || (host === client && (program === 'lfs' || program === 'lfs_migrate'));
      if (!names.has(host) || !own) return undefined;
      const current = stateAt(now);
      advance(current, now);
      if (program === 'lctl') return lctl(current, host, words, now);
      return program === 'lfs' ? lfs(current, words, now) : migrate(current, stdin);
    },
    state: () => state,
  };
};
