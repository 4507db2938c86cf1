import type { CommandHelp } from '../../src/model/system.ts';

export const lustreHelp: CommandHelp = { format: 'lustre.df' };
