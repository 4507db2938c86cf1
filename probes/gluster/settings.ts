import * as z from 'zod';
import { settingsReader } from '../../src/kit/settings.ts';
import type { SiteView } from '../../src/model/site.ts';
import { shellCommand } from '../../src/text/shell.ts';

/** The site file's section `gluster`. */
export const glusterSettings = z.strictObject({
  sudo: z
    .boolean()
    .default(false)
    .describe(
      '`sudo -n` in front of everything: for accounts other than root, which may not even ask `gluster pool list`',
    ),
  restart: z
    .strictObject({
      command: z
        .array(z.string().min(1))
        .min(1)
        .default(['systemctl', 'restart', 'glusterd'])
        .describe('how glusterd is restarted'),
      keepsBricks: z
        .boolean()
        .optional()
        .meta({
          description:
            "bricks live on when glusterd is restarted; to be said where the unit's KillMode can't say it",
          examples: [true],
        }),
    })
    .prefault({})
    .describe('the restart of glusterd'),
});

/** The settings with defaults. */
export const settingsOf = settingsReader('gluster', glusterSettings, (section) => section);

/** An argv as it must be on this site to run as root. */
export const argvAsRoot = (site: SiteView, ...argv: readonly string[]): string[] =>
  settingsOf(site).sudo ? ['sudo', '-n', ...argv] : [...argv];

/** The role of the hosts that run glusterd. */
export const role = 'gluster';

/** A script as one command; its name is the shell's `$0`. */
export const scriptCommand = (site: SiteView, script: string, name: string, ...args: string[]): string =>
  shellCommand(argvAsRoot(site, 'sh', '-c', script, name, ...args));
