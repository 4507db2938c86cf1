import * as z from 'zod';
import { dropUndefined } from '../../src/kit/known.ts';
import { settingsReader } from '../../src/kit/settings.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { HostMention } from '../../src/model/system.ts';
import { shellCommand } from '../../src/text/shell.ts';

const command = z.array(z.string().min(1)).min(1);

const keepsBricks = z
  .boolean()
  .optional()
  .meta({
    description:
      "bricks live on when glusterd is restarted; to be said where the unit's KillMode can't say it",
    examples: [true],
  });

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
      command: command.default(['systemctl', 'restart', 'glusterd']).describe('how glusterd is restarted'),
      keepsBricks,
    })
    .prefault({})
    .describe('the restart of glusterd'),
  pools: z
    .array(
      z.strictObject({
        hosts: z
          .array(z.string().min(1))
          .min(1)
          .meta({ description: 'its hosts', examples: [['gl1', 'gl2', 'gl3']] }),
        restart: z
          .strictObject({
            command: command.optional().meta({
              description: 'how glusterd is restarted there',
              examples: [['service', 'glusterd', 'restart']],
            }),
            keepsBricks,
          })
          .describe('its restart of glusterd'),
      }),
    )
    .default([])
    .describe('what one of several pools has otherwise, which have no names: by their hosts'),
});

/** Hosts of pools that are said to have settings of their own. */
export const mentions = (settings: unknown): readonly HostMention[] =>
  glusterSettings
    .parse(settings)
    .pools.flatMap(({ hosts }, at) => hosts.map((name, of) => ({ path: ['pools', at, 'hosts', of], name })));

/** The settings with defaults. */
const settingsOf = settingsReader('gluster', glusterSettings, (section) => section);

/** How glusterd is restarted on a host: as its pool has it, key by key, before what holds for all. */
export const restartOn = (site: SiteView, host: string) => {
  const { restart, pools } = settingsOf(site);
  const own = pools.find(({ hosts }) => hosts.some((name) => name.toLowerCase() === host.toLowerCase()));
  return { ...restart, ...(own && dropUndefined(own.restart)) };
};

/** An argv as it must be on this site to run as root. */
export const argvAsRoot = (site: SiteView, ...argv: readonly string[]): string[] =>
  settingsOf(site).sudo ? ['sudo', '-n', ...argv] : [...argv];

/** The role of the hosts that run glusterd. */
export const role = 'gluster';

/** A script as one command; its name is the shell's `$0`. */
export const scriptCommand = (site: SiteView, script: string, name: string, ...args: string[]): string =>
  shellCommand(argvAsRoot(site, 'sh', '-c', script, name, ...args));
