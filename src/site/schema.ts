import * as z from 'zod';
import type { System, Touches } from '../model/system.ts';
import { durationMs } from '../text/ages.ts';
import { dayTimes, isZone } from '../text/zone.ts';
import { isPlain } from '../text/safe.ts';
import { platforms } from './platforms.ts';
import { prometheusSchema } from './prometheus.ts';

/** What of a system the site file needs to know. */
export type SystemKnowledge = Pick<
  System,
  'id' | 'roles' | 'settings' | 'mentions' | 'problems' | 'commandsIn' | 'groups'
> & {
  title?: string;
  probes: readonly { id: string; role: string; touches: Touches }[];
};

export interface Knowledge {
  systems: readonly SystemKnowledge[];
  /** Names of the rules that say what explains what; absent: not checked. */
  rules?: readonly string[];
  /** What names of older versions stand for now. */
  former?: FormerNames;
}

/** Names of older versions by what they are called now: of findings (`site:nfs`, system and kind), and of rules. */
export type FormerNames = Readonly<Record<'findings' | 'rules', Readonly<Record<string, string>>>>;

const text = z
  .string()
  .min(1, 'is empty; give it a text or leave the key out')
  .max(1000, 'is longer than 1,000 characters')
  .refine(isPlain, 'holds control or invisible characters; write it in plain text');

/** An instant with its zone: a site has several, an operator in a hurry none. */
const instant = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
    'is not a time with its zone; write it as 2026-12-01T08:00Z or 2026-12-01T09:00+01:00',
  )
  .refine((value) => !Number.isNaN(Date.parse(value)), 'is no day of the calendar or time of the day');

const everyText = 'is not a duration of 1 s or more; write it as 30s, 5min or 1h';
const duration = z.string(everyText).refine((value) => (durationMs(value) ?? 0) >= 1000, everyText);

export const linkSchema = z.strictObject({
  from: text.meta({ description: 'one end, HOST:PORT', examples: ['node1:eth0'] }),
  to: text.meta({ description: 'the other end, HOST:PORT', examples: ['leaf1:Ethernet1'] }),
});

export const windowSchema = z
  .strictObject({
    from: instant.meta({ description: 'its start, with the zone', examples: ['2026-12-01T08:00Z'] }),
    to: instant.meta({ description: 'its end', examples: ['2026-12-01T16:00Z'] }),
    subjects: z
      .array(text)
      .min(1, 'is empty; say what the work is on')
      .meta({
        description: 'hosts, subject ids, label:value of a location, or node sets with groups',
        examples: [['rack:r7']],
      }),
    text: text.meta({ description: 'what is done', examples: ['power work'] }),
  })
  .refine((window) => !(Date.parse(window.to) <= Date.parse(window.from)), {
    path: ['to'],
    message: 'is not after "from"; the window would never be open',
  });

const betweenText = 'is not a part of the day; write it as "02:00-05:00", two times that differ';
const slowText = 'is not a duration of 10 min or more; write it as 6h or 1d';

export const trafficSchema = z.strictObject({
  probe: text.meta({ description: 'a probe that puts traffic on the network', examples: ['switch.matrix'] }),
  between: z
    .string()
    .refine((value) => dayTimes(value) !== undefined, betweenText)
    .meta({ description: 'part of the day in the zone of the site', examples: ['02:00-05:00'] }),
  every: z
    .string(slowText)
    .refine((value) => (durationMs(value) ?? 0) >= 600_000, slowText)
    .meta({ description: 'how often, 10 min or more', examples: ['6h'] }),
  hosts: text.optional().meta({
    description: 'a node set; without it every host with the role of the probe',
    examples: ['login[1-2]'],
  }),
});

export const runbookSchema = z.strictObject({
  finding: text.meta({
    description: 'a finding id; * stands for any run of characters',
    examples: ['slurm:drained-group:*'],
  }),
  url: z
    .string()
    .regex(/^https?:\/\/[\x21-\x7e]+$/, 'is not a web address; write it as https://wiki.example.org/page')
    .optional()
    .meta({ description: 'the page that says what to do', examples: ['https://wiki.example.org/drain'] }),
  contact: text.optional().meta({ description: 'whom to call', examples: ['hpc-oncall'] }),
});

export const sharedSchema = z.strictObject({
  host: text.meta({ description: 'the host that holds the folder', examples: ['admin1'] }),
  dir: z
    .string()
    .regex(
      /^\/[A-Za-z0-9._/+@-]*$/,
      'is not an absolute path of plain characters; write it as /var/lib/faultline',
    )
    .meta({
      description: 'the folder there: install -d -m 2770 -g GROUP DIR',
      examples: ['/var/lib/faultline'],
    }),
});

export const auditSchema = z.strictObject({
  syslog: text.meta({
    description: 'the host whose syslog gets each head of the audit log',
    examples: ['log1'],
  }),
});

/** One entry of `hosts`; names and locations are checked by `hosts.ts`, which knows how many there are. */
export const hostSchema = (roles: readonly string[]) =>
  z.strictObject({
    names: z.string().meta({ description: 'a node set', examples: ['ctl1', 'node[1-200]'] }),
    roles: z
      .array(z.enum(roles))
      .default([])
      .meta({ description: 'what it is for: what is asked of it', examples: [['compute', 'nic']] }),
    platform: z.enum(platforms).default('linux').describe('what answers there'),
    location: z
      .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/), z.union([text, z.number()]))
      .default({})
      .meta({
        description: 'labels by which things fail together; a node set is dealt out over the names',
        examples: [{ rack: 'r[1-10]', breaker: 'b7' }],
      }),
    legacy: z.boolean().default(false).describe('allow old SSH algorithms'),
    undoHost: text
      .optional()
      .meta({ description: 'the host on which undo timers for this one are armed', examples: ['admin1'] }),
    withoutUndo: z
      .boolean('is neither true nor false')
      .default(false)
      .describe('a port may be shut here though nothing undoes it, with a typed reason'),
    transport: z
      .enum(['ssh2', 'openssh', 'local'])
      .default('ssh2')
      .describe(
        "how it is reached: the program's own SSH, OpenSSH's client, or the machine that this runs on",
      ),
  });

const includeSchema = z.array(text).meta({
  description:
    'further files, relative to this one: their lists and maps go together with those here, any other key stands in one file only',
  examples: [['racks.yaml']],
});

/** Names of groups: what ClusterShell allows without its operators. */
export const groupsSchema = z.record(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/),
  z.string().min(1, 'is empty; leave the group out').describe('a node set: node[1-16], "@compute!node5"'),
);

const groupsText = {
  description:
    'names for node sets, used as @NAME wherever hosts are named, as ClusterShell means them; @slurm:batch, the nodes of a partition, is known once Slurm was read: in checks, windows and groups',
  examples: [{ gpu: 'node[1-16]', plain: '@compute!@gpu' }],
};

export type HostEntry = z.output<ReturnType<typeof hostSchema>>;

/** All roles a site file may name, in the order of the systems. */
export const knownRoles = (knowledge: Knowledge): string[] => [
  ...new Set(knowledge.systems.flatMap((system) => system.roles)),
];

/** The whole file. Systems bring the schema of their own section. */
export const siteSchema = (knowledge: Knowledge) =>
  z.strictObject({
    site: text.meta({ description: 'the name of the site', examples: ['sherlock'] }),
    readOnly: z.boolean().default(false).describe('consoles on this site can change nothing'),
    sshConfig: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: "an OpenSSH client configuration in place of the operator's own; relative to this file",
        examples: ['ssh_config'],
      }),
    include: includeSchema.optional(),
    shared: sharedSchema.optional().describe('where consoles leave locks, notes and acknowledgements'),
    audit: auditSchema.optional().describe('where copies of the audit log go, besides the shared folder'),
    prometheus: prometheusSchema.optional().describe('a Prometheus from which systems take readings'),
    groups: groupsSchema.default({}).meta(groupsText),
    hosts: z
      .array(hostSchema(knownRoles(knowledge)))
      .min(1, 'is empty; a site needs at least one host')
      .describe('the machines and what they are for'),
    links: z.array(linkSchema).default([]).describe('only what LLDP does not show'),
    windows: z.array(windowSchema).default([]).describe('planned work'),
    runbooks: z.array(runbookSchema).default([]).describe('pages and people by finding'),
    zone: z
      .string()
      .refine(isZone, 'is not a time zone; write it as Europe/Zurich')
      .default('UTC')
      .describe('the time zone of the times of day in this file'),
    traffic: z
      .array(trafficSchema)
      .default([])
      .describe(
        'probes that may put traffic on the network by the clock; without it only when a person asks',
      ),
    alerts: z
      .strictObject({
        bell: z.boolean().default(false).describe('the bell of the terminal'),
        title: z.boolean().default(false).describe('the title of the terminal'),
      })
      .optional()
      .describe('bell and terminal title on a new critical finding'),
    rules: z
      .strictObject({
        off: z
          .array(text)
          .default([])
          .meta({ description: 'their names', examples: [['behind-switch']] }),
      })
      .optional()
      .describe('what explains what: switch off rules that are not true on this site'),
    intervals: z
      .record(z.string(), duration)
      .default({})
      .meta({ description: 'how often a probe is asked, by its id', examples: [{ 'slurm.nodes': '30s' }] }),
    ...Object.fromEntries(
      knowledge.systems.flatMap(({ id, settings }) => (settings ? [[id, settings.optional()]] : [])),
    ),
  });

/** The JSON Schema (draft 7, which editors understand) of the site file, as text. */
export const siteJsonSchema = (knowledge: Knowledge): string => {
  const schema = z.toJSONSchema(siteSchema(knowledge), {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return `${JSON.stringify({ title: 'Faultline site file', ...schema }, null, 2)}\n`;
};
