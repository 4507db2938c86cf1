import { shutEos } from './arista-eos/shut.ts';
import { shutNxos } from './cisco-nxos/shut.ts';
import type { Platform, PortChange, ShutPort } from './contracts.ts';
import { shutCumulus } from './cumulus/shut.ts';
import { shutFtos } from './dell-ftos/shut.ts';
import { shutOs10 } from './dell-os10/shut.ts';
import { shutJunos } from './juniper-junos/shut.ts';
import { shutOnyx } from './mellanox-onyx/shut.ts';
import { shutSonic } from './sonic/shut.ts';

/** How ports are shut, of the platforms on which that was tried. Known to actions alone. */
const shuts: ReadonlyMap<string, ShutPort> = new Map([
  ['arista_eos', shutEos],
  ['cisco_nxos', shutNxos],
  ['cumulus', shutCumulus],
  ['dell_ftos', shutFtos],
  ['dell_os10', shutOs10],
  ['juniper_junos', shutJunos],
  ['mellanox_onyx', shutOnyx],
  ['sonic', shutSonic],
]);

/** How a port of that platform is taken out and put back, by the name that its commands know; undefined: it is only read. */
export const changeOf = ({ id, restore }: Platform, name: string): PortChange | undefined => {
  const shut = shuts.get(id);
  return shut && restore && { ...shut(name), restore: restore(name) };
};
