import type { SimulatedHost } from '../../../src/model/simulator.ts';

/** Nodes behind breaker b7: one rack and three nodes of the next, as a breaker does not ask for racks. */
export const breakerNodes = { from: 78, to: 100 };

const before = 13;

/** Breaker of a node: 23 on b7, about 13 on each of the others. */
const breakerOf = (index: number): string => {
  const { from, to } = breakerNodes;
  if (index >= from && index <= to) return 'b7';
  const number = index < from ? Math.ceil(index / before) : 7 + Math.ceil((index - to) / before);
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
