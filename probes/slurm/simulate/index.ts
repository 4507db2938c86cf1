import type { SimulatedAnswer, SimulatedCall, Simulator } from '../../../src/model/simulator.ts';
import { slurmCommand } from './commands.ts';
import { incidents, putFaults, simulatedHosts } from './incidents.ts';
import { buildState, type ControllerMood, fillWithJobs, type SimState } from './state.ts';

/** A command that changed the simulated cluster. */
export interface Mutation {
  at: number;
  host: string;
  argv: readonly string[];
}

/** The simulator with what tests turn and read. */
export interface SlurmSimulator extends Simulator {
  readonly mutations: readonly Mutation[];
  controller(mood: ControllerMood): void;
  /** What the site's check complains of on a node; undefined: nothing any more. */
  fault(node: string, text: string | undefined): void;
  /** Any mark and reason on a node, as a person or the health check would set it. */
  drain(node: string, reason: string, user: string, at: number): void;
}

const checkPath = '/usr/sbin/nhc';

/**
 * A stateful cluster `node[1-N]` with controller `ctl1` that prints what Slurm 22.05 prints. Longer than other functions: it is the one
 * list of what can be asked of and done to one state that all of it shares, and each entry is a line or two.
 */
// oxlint-disable-next-line max-lines-per-function -- one list of what can be asked of and done to one state
export const createSlurmSimulator = ({ nodes = 200 }: { nodes?: number } = {}): SlurmSimulator => {
  let state: SimState | undefined;
  const hosts = simulatedHosts(nodes);
  const names = new Set(hosts.map((host) => host.name));
  const mutations: Mutation[] = [];
  const stateAt = (now: number): SimState => (state ??= prepareState(nodes, [], now));
  /** Incidents come on top of each other. */
  const begun = new Set<string>();

  const answer = (call: SimulatedCall): SimulatedAnswer | undefined => {
    if (!names.has(call.host)) return undefined;
    const now = stateAt(call.now);
    const node = now.nodes.get(call.host);
    if (node && !node.powered) return { delayMs: Infinity };
    const [program, ...words] = call.argv;
    if (node && program === 'nhc') return checkAnswer(node.fault);
    if (program === 'cat' && words.join(' ') === '/proc/uptime') {
      const up = (call.now - (node?.bootAt ?? now.startedAt)) / 1000;
      return { stdout: `${up.toFixed(2)} ${(up * 31).toFixed(2)}\n` };
    }
    return slurmCommand(now, call);
  };

  return {
    system: 'slurm',
    hosts,
    runbooks: [
      { finding: 'slurm:lost-together:*', contact: 'facilities on call (power, cooling)' },
      { finding: 'slurm:*', contact: 'batch systems team' },
    ],
    settings: {
      check: {
        command: [checkPath],
        env: { MARK_OFFLINE: '0' },
        timeout: 20,
        users: ['root', 'slurm'],
        reasons: ['^NHC:'],
      },
      limits: { partitionOut: '20%' },
    },
    incidents,
    mutations,
    start: (incident, now) => {
      if (incident === 'quiet') begun.clear();
      else begun.add(incident);
      state = prepareState(nodes, [...begun], now);
    },
    call: (call) => {
      const given = answer(call);
      if (given?.mutated) mutations.push({ at: call.now, host: call.host, argv: call.argv });
      return given;
    },
    poweredOff: () =>
      [...(state?.nodes.values() ?? [])].filter((node) => !node.powered).map((node) => node.name),
    controller: (mood) => {
      if (state) state.mood = mood;
    },
    fault: (name, text) => {
      const node = state?.nodes.get(name);
      if (node && text === undefined) delete node.fault;
      else if (node && text !== undefined) node.fault = text;
    },
    drain: (name, reason, user, at) => {
      const node = state?.nodes.get(name);
      if (!node) return;
      node.marks.add('DRAIN');
      Object.assign(node, { reason, reasonUser: user, reasonAt: at });
    },
  };
};

const prepareState = (nodes: number, begun: readonly string[], now: number): SimState => {
  const state = buildState(nodes, now);
  for (const incident of begun) putFaults(state, incident, 'before', now);
  fillWithJobs(state, now);
  for (const incident of begun) putFaults(state, incident, 'after', now);
  return state;
};

/** The site's check in its form without side effects: silent when all is well. */
const checkAnswer = (fault: string | undefined): SimulatedAnswer =>
  fault === undefined ? {} : { stderr: `ERROR:  nhc:  Health check failed:  ${fault}\n`, exitCode: 1 };
