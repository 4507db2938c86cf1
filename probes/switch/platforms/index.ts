import { linkStateBy, type LinkState } from '../read/link-words.ts';
import { aristaEos } from './arista-eos/read.ts';
import { arubaAoscx } from './aruba-aoscx/read.ts';
import { broadcomIcos } from './broadcom-icos/read.ts';
import { brocadeFastiron } from './brocade-fastiron/read.ts';
import { ciscoIos } from './cisco-ios/read.ts';
import { ciscoNxos } from './cisco-nxos/read.ts';
import { ciscoXr } from './cisco-xr/read.ts';
import type { Platform } from './contracts.ts';
import { cumulus } from './cumulus/read.ts';
import { dellFtos } from './dell-ftos/read.ts';
import { dellOs10 } from './dell-os10/read.ts';
import { extremeExos } from './extreme-exos/read.ts';
import { extremeIronware } from './extreme-ironware/read.ts';
import { hpeComware } from './hpe-comware/read.ts';
import { hpeProcurve } from './hpe-procurve/read.ts';
import { huaweiVrp } from './huawei-vrp/read.ts';
import { infiniband } from './infiniband/read.ts';
import { juniperJunos } from './juniper-junos/read.ts';
import { linux } from './linux/read.ts';
import { mellanoxOnyx } from './mellanox-onyx/read.ts';
import { sonic } from './sonic/read.ts';
import type { HostView } from '../../../src/model/site.ts';
import type { Ask } from '../../../src/model/system.ts';

/** Every platform with how it is asked and read. How one is shut and what the demo plays of it are registered apart. */
export const platforms: readonly Platform[] = [
  aristaEos,
  arubaAoscx,
  broadcomIcos,
  brocadeFastiron,
  ciscoIos,
  ciscoNxos,
  ciscoXr,
  cumulus,
  dellFtos,
  dellOs10,
  extremeExos,
  extremeIronware,
  hpeComware,
  hpeProcurve,
  huaweiVrp,
  infiniband,
  juniperJunos,
  linux,
  mellanoxOnyx,
  sonic,
];

const byId: ReadonlyMap<string, Platform> = new Map(platforms.map((one) => [one.id, one]));

/** A platform by its name in the site file; undefined where nobody knows it. */
export const platformOf = (id: string | undefined): Platform | undefined =>
  id === undefined ? undefined : byId.get(id);

/** What a port's own words say of its link, on that platform. */
export const linkStateOf = (
  platform: string | undefined,
  words: { link?: string | undefined; admin?: string | undefined },
): LinkState | undefined => linkStateBy(platformOf(platform)?.linkWords ?? { link: {} }, words);

/** Room for the screens of some hundred ports. */
const maxBytes = 8_000_000;

/** Lines for this platform as a question: typed on its command line, or as one script. `headed`, `stopOnError`: see `Ask`. */
export const askOf = (
  platform: Platform,
  lines: readonly string[],
  how: { headed?: true; stopOnError?: true } = {},
): Ask =>
  platform.via === 'sh' || platform.dialect === undefined
    ? { script: lines.join('\n'), maxBytes }
    : { lines, dialect: platform.dialect, maxBytes, ...how };

/** The platform of a host that a probe asks: one that nobody knows is asked nothing. */
export const platformFor = (host: HostView): Platform => {
  const platform = platformOf(host.platform);
  if (!platform) throw new Error(`${host.name}: switches of the platform ${host.platform} are not asked`);
  return platform;
};
