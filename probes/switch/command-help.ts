import type { CommandHelp } from '../../src/model/system.ts';

export const switchHelp: CommandHelp = {
  parse: ['faultline parse switch.counters --platform dell_ftos show-interfaces.txt'],
  format: 'switch.counters',
};
