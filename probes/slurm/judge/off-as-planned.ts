import type { Fact } from '../../../src/model/fact.ts';
import type { SlurmNode } from '../readings.ts';

type Why = Extract<Fact, { name: 'node.off' }>['value']['why'];

/** Flags of nodes that need not answer, with why (slurm.conf(5), "SuspendProgram"; scontrol(1), "reboot" and reservation flag MAINT). */
const off: Readonly<Record<string, Why>> = {
  REBOOT_ISSUED: 'reboot',
  POWERED_DOWN: 'power saving',
  POWERING_DOWN: 'power saving',
  POWERING_UP: 'power saving',
  MAINTENANCE: 'maintenance',
};

/** Why a node need not answer just now; undefined where it should. */
export const offAsPlanned = ({ flags }: Pick<SlurmNode, 'flags'>): Why | undefined => {
  const flag = flags.find((one) => Object.hasOwn(off, one));
  return flag === undefined ? undefined : off[flag];
};
