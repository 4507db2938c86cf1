import type { Simulator } from '../model/simulator.ts';

/** What the demo site is made of, one simulator per system. `nodes`: compute nodes, where not the simulator's own. */
export const createSimulators = (_options: { nodes?: number } = {}): Simulator[] => [];
