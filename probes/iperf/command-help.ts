import type { CommandHelp } from '../../src/model/system.ts';

export const iperfHelp: CommandHelp = { format: 'iperf.result' };
