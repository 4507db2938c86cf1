import * as z from 'zod';
import { pattern } from '../../src/kit/settings.ts';
import { durationMs } from '../../src/text/ages.ts';
import { isPlain } from '../../src/text/safe.ts';
import { libraryNames } from './library/index.ts';
import { parseRange } from './read/thresholds.ts';

const plain = z
  .string()
  .min(1, 'is empty; give it a text or leave the key out')
  .max(4000, 'is longer than 4,000 characters')
  .refine((text) => text.split('\n').every(isPlain), 'holds control or invisible characters');

/** Names of checks, actions and values: they stand in ids, in commands and on the screen. */
const nameText = 'is not a name of small letters, digits and "-"; write it as scratch-quota';
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, nameText);

const between = (least: number, most: number, text: string) =>
  z.string(text).refine((value) => {
    const ms = durationMs(value);
    return ms !== undefined && ms >= least && ms <= most;
  }, text);

const timeout = between(1000, 60_000, 'is not a duration of 1 s to 60 s; write it as 10s');

const run = z.union([plain, z.array(plain).min(1, 'is empty; name the command')]);

const oneLine = 'has more than one line, and would not be shown as it is sent; put it into a script';

/** An action is shown as it is sent: on one line. */
const runOnce = run.refine((given) => [given].flat().every((word) => !word.includes('\n')), oneLine);

const rangeText =
  'is not a range of Nagios plug-ins; write it as 10 (0 to 10 is fine), 10:, ~:10, 10:20 or @10:20';
const range = z
  .union([z.string(), z.number()])
  .refine((given) => parseRange(String(given)) !== undefined, rangeText);

export const actionSchema = z.strictObject({
  run: runOnce.meta({
    description: 'the command, on the host of the check, on one line; as of a check',
    examples: [['sudo', '-n', 'systemctl', 'restart', 'munge']],
  }),
  title: plain.optional().meta({
    description: 'what stands in the menu; default: the name of the action',
    examples: ['restart munged'],
  }),
  users: plain.meta({ description: 'what users will notice', examples: ['jobs that start meanwhile fail'] }),
  class: z
    .enum(['reversible', 'service', 'access'])
    .default('service')
    .describe('what has to be typed; reversible only with an undo'),
  guards: z.array(name).meta({
    description: 'checks that must be fine on the host before anything is sent; [] where none has to',
    examples: [['clock']],
  }),
  verify: name.meta({
    description: 'the check that must be fine on the host afterwards',
    examples: ['munge'],
  }),
  within: between(1000, 600_000, 'is not a duration of 1 s to 10 min; write it as 30s')
    .default('30s')
    .describe('how long that may take'),
  timeout: timeout.default('30s').describe('after which the command is ended on the host'),
  undo: z
    .union([z.literal('none'), z.strictObject({ run: runOnce })], {
      error: 'must say what undoes it; write none, or {run: COMMAND}',
    })
    .meta({
      description: 'none, or the command that undoes it',
      examples: ['none', { run: ['rm', '/run/masked'] }],
    }),
});

export type ActionEntry = z.output<typeof actionSchema>;

const array = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is not the name of an array; write it as ddn1')
  .optional();

const checkSchema = z
  .strictObject({
    use: z
      .enum(libraryNames)
      .optional()
      .meta({ description: 'a check of the library, in place of "run"', examples: ['munge'] }),
    with: z
      .record(z.string(), z.union([plain, z.number()]))
      .optional()
      .meta({ description: 'values for a check of the library', examples: [{ names: 'ctl1 nfs1' }] }),
    run: run.optional().meta({
      description:
        'text for sh, to which "$1" is the host; or a list of words, of which the word {host} is the host',
      examples: ['/usr/lib/nagios/plugins/check_load -w 50 -c 100'],
    }),
    on: z
      .union([plain, z.array(plain).min(1)])
      .optional()
      .meta({
        description: 'roles and hosts that are asked',
        examples: ['compute', ['node[1-8]', 'login1']],
      }),
    every: between(5000, 86_400_000, 'is not a duration of 5 s to 1 d; write it as 1min')
      .default('1min')
      .describe('how often'),
    timeout: timeout.default('10s').describe('after which it is ended on the host'),
    touches: z
      .enum(['nothing', 'files', 'signals'])
      .default('nothing')
      .describe('what it does beyond reading; all but nothing is not asked by a wall'),
    format: z
      .enum(['nagios', 'json-lines', 'text'])
      .default('nagios')
      .describe('exit code and perfdata of Nagios plug-ins, JSON lines, or lines that "match" reads'),
    match: pattern.optional().meta({
      description: 'of text: an expression of RE2 for lines that count, with named groups for values',
      examples: ['^load (?P<load>[\\d.]+)'],
    }),
    values: z
      .record(name, plain)
      .optional()
      .meta({
        description: 'of JSON lines: values by their path',
        examples: [{ waiting: 'queues[0].length' }],
      }),
    thresholds: z
      .record(
        z.string(),
        z
          .strictObject({
            warning: range
              .optional()
              .meta({ description: 'outside of it is a warning', examples: ['80', '10:20'] }),
            critical: range
              .optional()
              .meta({ description: 'outside of it is critical', examples: ['90', '@10:20'] }),
          })
          .refine((given) => given.warning !== undefined || given.critical !== undefined, 'names no range'),
      )
      .optional()
      .meta({
        description: 'by value, ranges as Nagios plug-ins take them',
        examples: [{ waiting: { warning: 100 } }],
      }),
    severity: z
      .enum(['critical', 'warning', 'notice'])
      .default('critical')
      .describe('how bad its findings are at most'),
    summary: plain
      .max(200)
      .optional()
      .meta({
        description:
          'the sentence of a finding of one host, with {host}, {check}, {state}, {text} and {NAME} of a value',
        examples: ['{host}: {waiting} jobs wait'],
      }),
    runbook: z
      .string()
      .regex(/^https?:\/\/[\x21-\x7e]+$/, 'is not a web address; write it as https://wiki.example.org/page')
      .optional()
      .meta({ description: 'the page to open', examples: ['https://wiki.example.org/munge'] }),
    tells: z
      .strictObject({
        cache: array.meta({ description: 'the array whose write cache it tells of', examples: ['ddn1'] }),
        battery: array.meta({ description: 'the array whose battery it tells of', examples: ['ddn1'] }),
        pool: array.meta({ description: 'the array whose pools it tells of', examples: ['ddn1'] }),
      })
      .refine((given) => Object.values(given).some((array) => array !== undefined), 'names no array')
      .optional()
      .meta({
        description:
          'that it tells of the write cache, the battery or the pools of a storage array of this name (storage.arrays)',
        examples: [{ cache: 'ddn1' }],
      }),
    actions: z
      .record(name, actionSchema)
      .optional()
      .meta({
        description: 'what can be done about it, by verb',
        examples: [
          {
            restart: {
              run: ['sudo', '-n', 'systemctl', 'restart', 'munge'],
              users: 'jobs that start meanwhile fail',
              guards: [],
              verify: 'munge',
              undo: 'none',
            },
          },
        ],
      }),
  })
  .superRefine((check, { addIssue }) => {
    const problem = (path: string, message: string): void =>
      addIssue({ code: 'custom', path: [path], message });
    if ((check.use === undefined) === (check.run === undefined))
      problem(
        'run',
        check.run === undefined
          ? 'is missing; name a command, or a check of the library with "use"'
          : 'stands beside "use"; keep one of them',
      );
    if (check.with !== undefined && check.use === undefined)
      problem('with', 'is for checks of the library; put it into the command');
    if ((check.format === 'text') !== (check.match !== undefined))
      problem(
        'match',
        check.match === undefined
          ? 'is missing; format text needs the lines that count'
          : 'is only for format: text',
      );
    if (check.values !== undefined && check.format !== 'json-lines')
      problem('values', 'is only for format: json-lines');
  });

export type CheckEntry = z.output<typeof checkSchema>;

/** The section `checks`: checks by name. */
export const settingsSchema = z.record(name, checkSchema);

export type Section = z.output<typeof settingsSchema>;
