import * as z from 'zod';
import { durationMs } from '../text/ages.ts';
import { isPlain } from '../text/safe.ts';
import { dayTimes } from '../text/zone.ts';

/** A text that may be shown as it is. */
export const text = z
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

export const clushSchema = z.strictObject({
  through: text.meta({ description: 'the host on which ClusterShell runs', examples: ['admin1'] }),
  hosts: text.meta({ description: 'a node set: whom it asks', examples: ['@compute'] }),
  fanout: z
    .int('is not a whole number')
    .min(1, 'is not 1 or more')
    .max(10_000, 'is more than 10,000')
    .optional()
    .meta({ description: 'how many it asks at once; by its clush.conf where absent', examples: [128] }),
});

export const auditSchema = z.strictObject({
  syslog: text.meta({
    description: 'the host whose syslog gets each head of the audit log',
    examples: ['log1'],
  }),
});

export const rulesSchema = z.strictObject({
  off: z
    .array(text)
    .default([])
    .meta({ description: 'their names', examples: [['behind-switch']] }),
});
