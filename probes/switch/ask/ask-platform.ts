import type { HostView } from '../../../src/model/site.ts';
import type { Ask } from '../../../src/model/system.ts';
import type { Platform } from '../platforms/contracts.ts';
import { platformOf } from '../platforms/index.ts';

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
