import type { Simulator } from '../../../src/model/simulator.ts';

export const createUpsSimulator = (): Simulator => {
  let [status, charge, beeper] = ['OL', 100, 'enabled'];
  return {
    system: 'ups',
    hosts: [{ name: 'ups1', roles: ['toy-ups'] }],
    settings: {},
    incidents: [{ name: 'power-cut', text: 'the building is without power' }],
    start: () => void ([status, charge] = ['OB', 20]),
    call: ({ host, argv }) => {
      if (host !== 'ups1' || !argv[0]?.startsWith('ups')) return undefined;
      if (argv[0] === 'upscmd') beeper = 'disabled';
      else return { stdout: `ups.status=${status}\nbattery.charge=${charge}\nups.beeper=${beeper}\n` };
      return { mutated: true };
    },
  };
};
