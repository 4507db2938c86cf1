import type { SiteView } from '../../../src/model/site.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { asRoot } from '../settings.ts';

export const role = 'gluster';

/** A script as one command; its name is the shell's `$0`. */
export const scriptCommand = (site: SiteView, script: string, name: string, ...args: string[]): string =>
  shellCommand(asRoot(site, 'sh', '-c', script, name, ...args));
