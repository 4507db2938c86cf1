import type { ShutPort } from '../contracts.ts';
import { lookAtFlags } from '../shared/command-lines.ts';

export const shutCumulus: ShutPort = (name) => ({
  shut: [`sudo -n ip link set dev ${name} down`],
  look: lookAtFlags(name),
});
