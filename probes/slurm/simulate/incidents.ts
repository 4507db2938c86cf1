import type { Incident, SimulatedHost } from '../../../src/model/simulator.ts';
import { addJob, jobsOfNode, setReason, type SimNode, type SimState } from './state.ts';

/** Nodes behind breaker b7: one rack and three nodes of the next, as a breaker does not ask for racks. */
const breakerNodes = { from: 78, to: 100 };

const nodesPerBreaker = 13;

/** Breaker of a node: 23 on b7, about 13 on each of the others. */
const breakerOf = (index: number): string => {
  const { from, to } = breakerNodes;
  if (index >= from && index <= to) return 'b7';
  const number =
    index < from ? Math.ceil(index / nodesPerBreaker) : 7 + Math.ceil((index - to) / nodesPerBreaker);
  return `b${index < from ? Math.min(6, number) : number}`;
};

/** The controller and the nodes, twenty to a rack. */
export const simulatedHosts = (count: number): SimulatedHost[] => [
  { name: 'ctl1', roles: ['slurm-controller'], location: { rack: 'r0', breaker: 'b0' } },
  ...Array.from({ length: count }, (_, at) => ({
    name: `node${at + 1}`,
    roles: ['compute'],
    location: { rack: `r${Math.ceil((at + 1) / 20)}`, breaker: breakerOf(at + 1) },
  })),
];

export const incidents: readonly Incident[] = [
  { name: 'quiet', text: 'nothing is wrong' },
  {
    name: 'hdfs-lost',
    text: '18 nodes drained by the health check after a lost mount; 17 of them are fine again',
  },
  { name: 'breaker', text: '23 nodes behind one breaker lost at once' },
  { name: 'controller-slow', text: 'the controller takes seconds: it waits for nodes that do not respond' },
  { name: 'night', text: 'everything at once' },
];

const minute = 60_000;
const day = 86_400_000;

type Fault = (state: SimState, now: number) => void;

const node = (state: SimState, index: number): SimNode | undefined => state.nodes.get(`node${index}`);

const drain = (state: SimState, index: number, reason: string, user: string, at: number): void => {
  const one = node(state, index);
  if (!one) return;
  one.marks.add('DRAIN');
  setReason(one, reason, user, at);
};

const silence = (state: SimState, index: number, at: number): SimNode | undefined => {
  const one = node(state, index);
  if (!one) return undefined;
  one.down = true;
  one.marks.add('NOT_RESPONDING');
  if (one.reason === '') setReason(one, 'Not responding', 'slurm', at);
  return one;
};

const hdfsLost: Fault = (state, now) => {
  const lost = [...Array.from({ length: 17 }, (_, at) => 12 + at), 31];
  for (const [turn, index] of lost.entries())
    drain(state, index, 'NHC: HDFS mount lost', 'root', now - 43 * minute + turn * 1500);
  const broken = node(state, 31);
  if (broken) broken.fault = '/hdfs is empty';
  drain(state, 140, 'bad DIMM, RMA 1234', 'alice', now - 3 * day);
};

const breaker: Fault = (state, now) => {
  for (let index = breakerNodes.from; index <= breakerNodes.to; index++) {
    const one = silence(state, index, now - 7 * minute + (index % 5) * 1000);
    if (one) one.powered = false;
  }
};

/** Scattered nodes that went one by one, an hour and more between them: no common cause. */
const scattered = [33, 47, 59, 110, 121, 132, 144, 155, 166, 177];

const controllerSlow: Fault = (state, now) => {
  state.mood = 'slow';
  for (const [turn, index] of scattered.entries()) silence(state, index, now - 2 * day - turn * 61 * minute);
};

/** The rest of an ordinary night: other reasons, planned work, a node that waits for its job. */
const addOthers: Fault = (state, now) => {
  drain(state, 60, 'Kill task failed', 'root', now - 5 * 60 * minute);
  drain(state, 181, 'gres/gpu count reported lower than configured (3 < 4)', 'slurm', now - 26 * 60 * minute);
  const reservation = {
    name: 'firmware',
    nodes: ['node160', 'node161', 'node162'],
    from: now - 30 * minute,
    to: now + 210 * minute,
  };
  state.reservations.push(reservation);
  for (const name of reservation.nodes) {
    const one = state.nodes.get(name);
    one?.marks.add('MAINTENANCE').add('RESERVED').add('DRAIN');
    if (one) setReason(one, 'firmware 2.1.7', 'root', now - 30 * minute);
  }
};

/** A node drained while its job still runs. */
const addWaiting: Fault = (state, now) => {
  const one = node(state, 50);
  const [partition] = state.partitions;
  if (!one || !partition) return;
  if (jobsOfNode(state, one.name).length === 0) addJob(state, partition, [one.name], now, 9);
  drain(state, 50, 'kernel update, ticket 4711', 'root', now - 20 * minute);
};

const faults: Readonly<Record<string, { before: readonly Fault[]; after: readonly Fault[] }>> = {
  quiet: { before: [], after: [] },
  'hdfs-lost': { before: [hdfsLost], after: [] },
  breaker: { before: [breaker], after: [] },
  'controller-slow': { before: [controllerSlow], after: [] },
  night: { before: [hdfsLost, breaker, controllerSlow, addOthers], after: [addWaiting] },
};

/** Puts the faults in place that are there before jobs run, or those that need them. */
export const putFaults = (state: SimState, incident: string, when: 'before' | 'after', now: number): void => {
  for (const fault of faults[incident]?.[when] ?? []) fault(state, now);
};
