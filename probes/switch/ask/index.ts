import type { Platform } from '../platform.ts';
import { aristaEosAsk } from './arista-eos.ts';
import { ciscoNxosAsk } from './cisco-nxos.ts';
import { dellFtosAsk } from './dell-ftos.ts';
import { dellOs10Ask } from './dell-os10.ts';
import { infinibandAsk } from './infiniband.ts';
import { juniperJunosAsk } from './juniper-junos.ts';
import { cumulusAsk, linuxAsk } from './linux.ts';
import { mellanoxOnyxAsk } from './mellanox-onyx.ts';
import { readingOnlyAsk } from './reading-only.ts';
import { sonicAsk } from './sonic.ts';

const all: readonly Platform[] = [
  dellFtosAsk,
  dellOs10Ask,
  aristaEosAsk,
  ciscoNxosAsk,
  juniperJunosAsk,
  mellanoxOnyxAsk,
  cumulusAsk,
  sonicAsk,
  linuxAsk,
  infinibandAsk,
  ...readingOnlyAsk,
];

const byId: ReadonlyMap<string, Platform> = new Map(all.map((one) => [one.id, one]));

/** How a platform of the site file is asked; undefined where nobody knows. */
export const platformOf = (id: string): Platform | undefined => byId.get(id);
