import * as z from 'zod';
import { settingsReader } from '../../src/kit/settings.ts';
import type { SiteView } from '../../src/model/site.ts';
import { shellCommand } from '../../src/text/shell.ts';

const unitSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .meta({ description: 'the host of role `ups` that asks it', examples: ['mgmt1'] }),
  name: z
    .string()
    .min(1)
    .meta({ description: 'as the tool names it', examples: ['rack1@localhost', 'localhost:3551'] }),
  tool: z.enum(['nut', 'apcupsd']).default('nut').describe('nut asks by upsc, apcupsd by apcaccess'),
  lifeYears: z
    .number()
    .positive()
    .max(30)
    .optional()
    .meta({
      description: 'years from the date of manufacture after which the vendor wants the battery replaced',
      examples: [3],
    }),
  feeds: z.array(z.string().min(1)).default([]).describe('hosts, and `arrays`, that it feeds'),
  reset: z
    .strictObject({
      host: z
        .string()
        .min(1)
        .optional()
        .meta({
          description: 'where it is run; by default the host that asks the UPS',
          examples: ['array1'],
        }),
      argv: z
        .array(z.string().min(1))
        .min(1)
        .meta({
          description: 'the command, a word each',
          examples: [['array-cli', 'battery', 'reset-date']],
        }),
    })
    .optional()
    .describe(
      "the vendor's reset of the battery date, of the site's own runbook: by it arrays trust the battery again. None is built in",
    ),
});
export type UpsSetting = z.infer<typeof unitSchema>;

const tools = z.enum(['storcli', 'perccli', 'megacli', 'ssacli', 'arcconf']);

/** A tool, on every host with arrays or on these alone: a tool that is asked for and not there is told. */
const raidSchema = z.union([
  tools,
  z.strictObject({ tool: tools, hosts: z.array(z.string().min(1)).min(1).describe('hosts that have it') }),
]);

const servesSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .meta({ description: 'a host of role `storage`, or one of `arrays`', examples: ['array1'] }),
  to: z
    .array(z.string().min(1))
    .min(1)
    .meta({
      description: 'hosts whose data lies on its arrays: servers of a file system',
      examples: [['oss1', 'oss2']],
    }),
  devices: z
    .array(z.string().regex(/^[\w./:@+*-]{1,200}$/))
    .min(1)
    .optional()
    .meta({
      description:
        'which devices of those hosts lie on it, as Lustre was told them (`lctl get_param osd-*.*.mntdev`) or by WWN in /dev/disk/by-id; `*` stands for any text. Without it all that these hosts hold does',
      examples: [['/dev/mapper/array1-*', '/dev/disk/by-id/wwn-0x60080e500041c2*']],
    }),
});

/** The site file's section `storage`. */
export const storageSettings = z.strictObject({
  sudo: z
    .boolean()
    .default(false)
    .describe('`sudo -n` in front of what is asked of arrays: multipathd answers root only'),
  raid: z
    .array(raidSchema)
    .default([])
    .describe(
      'command lines of RAID controllers that are asked every 10 min, one after the other; none by itself',
    ),
  spared: z
    .array(z.string().min(1))
    .default([])
    .meta({
      description:
        'hosts whose arrays with redundancy are to have a spare: one without is told from the first reading on',
      examples: [['array2']],
    }),
  arrays: z
    .array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/))
    .default([])
    .meta({
      description:
        'storage arrays that nobody logs in to (DDN SFA, NetApp and Dell E-series): what checks (`tells`) and notes say of them stands beside what is read; their names stand in `serves` and `feeds`',
      examples: [['ddn1']],
    }),
  serves: z.array(servesSchema).default([]).describe('whose data lies on which arrays'),
  ups: z.array(unitSchema).default([]).describe('uninterruptible power supplies'),
});

export const settingsOf = settingsReader('storage', storageSettings, (section) => section);

/** The tools of controllers that are asked on a host. */
export const raidToolsOf = (site: SiteView, host: string): string[] =>
  settingsOf(site).raid.flatMap((one) =>
    typeof one === 'string' ? [one] : one.hosts.includes(host) ? [one.tool] : [],
  );

/** A command as root where the site says that it takes `sudo -n`. */
export const argvAsRoot = (site: SiteView, ...argv: readonly string[]): string[] => [
  ...(settingsOf(site).sudo ? ['sudo', '-n'] : []),
  ...argv,
];

/** A script as one command; its name is the shell's `$0`. */
export const scriptCommand = (site: SiteView, script: string, name: string, ...words: string[]): string =>
  shellCommand(argvAsRoot(site, 'sh', '-c', script, name, ...words));

export const ARRAYS = 'storage';
export const UPS = 'ups';
