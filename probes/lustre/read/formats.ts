import type { Formats } from '../../../src/model/system.ts';
import { parseDevices } from './parse-devices.ts';
import { parseDf } from './parse-df.ts';
import { parseParams } from './parse-params.ts';
import { parseRecovery } from './parse-recovery.ts';

/** What `faultline parse lustre.*` reads. */
export const lustreFormats: Formats = {
  'lustre.params': parseParams,
  'lustre.devices': parseDevices,
  'lustre.df': parseDf,
  'lustre.recovery': parseRecovery,
};
