import type { SimulatedSession } from '../../../src/model/simulator.ts';
import type { SimNetwork } from '../simulate/network.ts';
import { simulateEos } from './arista-eos/simulate.ts';
import { simulateFtos } from './dell-ftos/simulate.ts';
import { simulateJunos } from './juniper-junos/simulate.ts';

/**
 * What an account may. `look`: privilege level 1, exec mode only, `enable` without a password refused. `no change`: a level of its own
 * that was given `configure` and `interface`, but not `shutdown` (FTOS Configuration Guide, "Configure Custom Privilege Levels"). A
 * command of a higher level is one that the system does not know.
 */
export type Rights = 'all' | 'look' | 'no change';

/** The devices of one make in the demo; what they hold besides the network (sessions, a candidate) is their own. */
export interface SimulatedMake {
  login(host: string, network: SimNetwork, now: () => number, rights: () => Rights): SimulatedSession;
  /** Does what is due there, such as taking back a commit that nobody confirmed. */
  runDue?(now: number): void;
}

/** The makes of which the demo has devices. `network`: with its clock at that time, UTC ms. */
export const simulateMakes = (network: (now: number) => SimNetwork) => ({
  arista_eos: simulateEos(network),
  dell_ftos: simulateFtos,
  juniper_junos: simulateJunos(network),
});
