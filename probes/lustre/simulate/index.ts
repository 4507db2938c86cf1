import type {
  SimulatedAnswer,
  SimulatedCall,
  SimulatedHost,
  Simulator,
} from '../../../src/model/simulator.ts';
import { advance } from './allocator.ts';
import { CACHE_OFF, incidents, putFaults, versionOf } from './incidents.ts';
import { lctl } from './lctl.ts';
import { lnetctl } from './lnet.ts';
import { lfs, migrate } from './lfs.ts';
import { buildState, client, type SimSize, type SimState } from './state.ts';
import { advanceTasks, type SimTask, taskCommand } from './tasks.ts';

const usual: SimSize = { mdss: 2, osss: 4, perOss: 9 };

const hostsOf = ({ mdss, osss }: SimSize): readonly SimulatedHost[] => [
  ...Array.from({ length: mdss }, (_, at) => ({ name: `mds${at + 1}`, roles: ['lustre-mds'] })),
  ...Array.from({ length: osss }, (_, at) => ({ name: `oss${at + 1}`, roles: ['lustre-oss'] })),
  { name: client, roles: ['lustre-client'] },
];

/** A stateful file system `scratch`: 2 MDTs, 4 OSSs, 36 OSTs, one client. 2.15 unless an incident wants 2.7. */
export const createLustreSimulator = (size = usual): Simulator => {
  const hosts = hostsOf(size);
  let state: SimState | undefined;
  let tasks: SimTask[] = [];
  /** Incidents come on top of each other. */
  const begun = new Set<string>();
  const names = new Set(hosts.map(({ name }) => name));
  const stateAt = (now: number): SimState => (state ??= buildState(versionOf([]), now, size));

  return {
    system: 'lustre',
    hosts,
    runbooks: [{ finding: 'lustre:*', contact: 'storage team; vendor support for Lustre' }],
    settings: {},
    // Two looks tell of disks that are slow.
    intervals: { 'lustre.oss-io': '20s' },
    incidents,
    start: (incident, now) => {
      if (incident === 'quiet') begun.clear();
      else begun.add(incident);
      state = buildState(versionOf([...begun]), now, size);
      tasks = [];
      for (const one of begun) putFaults(state, one, now);
    },
    end: (incident, now) => {
      for (const ost of stateAt(now).osts) if (incident === CACHE_OFF && ost.slow) ost.slowUntil ??= now;
    },
    call: ({ host, argv, stdin, now }: SimulatedCall): SimulatedAnswer | undefined => {
      if (!names.has(host)) return undefined;
      const [program, ...words] = argv;
      const current = stateAt(now);
      advance(current, now);
      advanceTasks(current, tasks, now);
      if (program === 'journalctl') return journal(current, host);
      if (program === 'lnetctl') return lnetctl(current, host, words);
      if (program === 'lctl') return lctl(current, host, words, now);
      if (host !== client) return undefined;
      if (program === 'lfs') return lfs(current, words, now);
      return program === 'lfs_migrate' ? migrate(current, stdin) : taskCommand(current, tasks, argv, now);
    },
  };
};

/** The journal of a server's kernel: a start, and what its quota slaves complain of. Undefined on hosts without either. */
const journal = (state: SimState, host: string): SimulatedAnswer | undefined => {
  const stuck = state.osts.filter((ost) => ost.oss === host && ost.quotaStuck);
  if (stuck.length === 0) return undefined;
  const line = (secondsAgo: number, text: string): string =>
    `${(state.at / 1000 - secondsAgo).toFixed(6)} ${host} kernel: ${text}\n`;
  return {
    stdout: [
      line(
        400,
        `Lustre: ${state.fs}-MDT0000-lwp-${stuck[0]?.name.slice(state.fs.length + 1)}: Connection restored to 10.10.0.2@o2ib (at 10.10.0.2@o2ib)`,
      ),
      ...stuck.map((ost, at) =>
        line(
          340 - at * 10,
          `LustreError: 21874:0:(qsd_reint.c:56:qsd_reint_completion()) ${ost.name}: failed to enqueue global quota lock, glb fid:[0x200000006:0x1020000:0x0], rc:-5`,
        ),
      ),
    ].join(''),
  };
};
