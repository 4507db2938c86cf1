import * as z from 'zod';
import type { System, Touches } from '../model/system.ts';
import { durationMs } from '../text/ages.ts';
import { isZone } from '../text/zone.ts';
import { platforms } from './platforms.ts';
import {
  auditSchema,
  clushSchema,
  linkSchema,
  rulesSchema,
  runbookSchema,
  sharedSchema,
  text,
  trafficSchema,
  windowSchema,
} from './entry-schemas.ts';
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

const everyText = 'is not a duration of 1 s or more; write it as 30s, 5min or 1h';
const duration = z.string(everyText).refine((value) => (durationMs(value) ?? 0) >= 1000, everyText);

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
    clush: z
      .array(clushSchema)
      .default([])
      .describe(
        'hosts that are asked many at a time by ClusterShell on an admin host; actions and what guards read go to the host itself',
      ),
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
    rules: rulesSchema
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
