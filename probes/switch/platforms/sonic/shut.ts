import type { ShutPort } from '../contracts.ts';
import { lookAtFlags } from '../shared/command-lines.ts';

export const shutSonic: ShutPort = (name) => ({
  shut: [`sudo -n config interface shutdown ${name}`],
  look: lookAtFlags(name),
});
