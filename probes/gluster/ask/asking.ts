import type { SiteView } from '../../../src/model/site.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import type { VolumesReading } from '../readings.ts';
import { asRoot } from '../settings.ts';

export const role = 'gluster';

/** A script as one command; its name is the shell's `$0`. */
export const scriptCommand = (site: SiteView, script: string, name: string, ...args: string[]): string =>
  shellCommand(asRoot(site, 'sh', '-c', script, name, ...args));

/** All bricks' paths of the site's volumes: those of other hosts are absent here and harm nothing. */
export const brickPaths = (volumes: readonly VolumesReading[]): string[] => [
  ...new Set(volumes.flatMap((one) => one.volumes.flatMap(({ bricks }) => bricks.map(({ path }) => path)))),
];
