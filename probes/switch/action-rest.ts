import { z } from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal, Verification } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { listed, no, ok } from './action-guards.ts';
import { deviceStep, journalStep, portNow, refusal, splitId, targetOf } from './action-parts.ts';
import { readsUp } from './action-shut.ts';
import { isDown } from './links.ts';
import { journalFile } from './journal.ts';
import { lagOf } from './lags.ts';
import { repairSchema, type MatrixReading, type PingerReading } from './readings.ts';
import { settingsOf } from './settings.ts';
import { journal } from './states.ts';
import { matrixText } from './matrix.ts';

/** Puts a shut port back. */
export const restoreAction: Action<object> = {
  id: 'switch.restore',
  verb: 'restore',
  title: 'restore port',
  subject: 'port',
  danger: 'access',
  parameters: z.object({}),
  prompts: [],
  offer: (subjects, context) => {
    const plan = planRestore(subjects, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const already = plan.targets[0]?.already(context.judgement);
    return already === undefined ? { available: true, note: '' } : { available: false, reason: 'not shut' };
  },
  plan: (subjects, _given, context) => planRestore(subjects, context),
};

const planRestore = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const [subject, more] = subjects;
  if (!subject || more) return refusal('5 targets', 'one port at a time');
  const target = targetOf(subject, context);
  if ('refused' in target) return target;
  const { judgement, operator } = context;
  const written = journalStep(judgement.site, { kind: 'restored', port: subject.id, by: operator });
  const lag = lagOf(judgement, target.host.name, target.port);
  const made: PlanTarget = {
    subject,
    steps: [deviceStep(target, target.change.restore), ...(written ? [written] : [])],
    guards: [listed(target)],
    already: (live) => {
      const now = portNow(live, target.host.name, target.port);
      return now && !isDown(now) ? `${target.port} is up already` : undefined;
    },
    verify: readsUp(target),
    undo: [deviceStep(target, target.change.shut)],
    lockGroups: [lag ? `lag ${lag.host}:${lag.lag}` : `port ${subject.id}`],
  };
  const shut = journal(judgement)?.shut.find((one) => one.port === subject.id);
  return {
    action: 'switch.restore',
    title: `Restore ${target.port} on ${target.host.name}`,
    verb: 'restore',
    danger: 'access',
    targets: [made],
    leftOut: [],
    because: [
      shut ? `shut from a console by ${shut.by}` : 'no console of this site is known to have shut it',
    ],
    afterwards: `${target.port} must read up within 45 s`,
    undoText: 'shut it again; nothing is saved on the switch',
    parameters: {},
    exceeded: [],
  };
};

const plainText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9 .,:;_/@#+=()-]{1,120}$/, {
    error: '1 to 120 letters, digits, blanks and .,:;_/@#+=()-',
  });

const noteParameters = z.object({ part: repairSchema.shape.part, text: plainText });
type NoteParameters = z.infer<typeof noteParameters>;

/** Writes down what was repaired by hand: the verdict goes on from there. */
export const noteAction: Action<NoteParameters> = {
  id: 'switch.note',
  verb: 'note',
  title: 'note a repair',
  subject: 'port',
  danger: 'reversible',
  repeatable: true,
  parameters: noteParameters,
  prompts: [
    {
      name: 'part',
      label: `what (${repairSchema.shape.part.options.join(', ')})`,
      required: true,
      initial: 'optic',
    },
    { name: 'text', label: 'in words', required: true, initial: 'replaced the optic' },
  ],
  offer: (_subjects, { judgement }) => offerJournal(judgement),
  plan: (subjects, given, context) =>
    planJournal(subjects, context, {
      action: 'switch.note',
      verb: 'note',
      kind: 'repair',
      part: given.part,
      text: given.text,
      title: (port) => `Note a repair at ${port}`,
      counted: (live, port) =>
        journal(live)?.repairs.filter(
          (one) => one.port === port && one.part === given.part && one.text === given.text,
        ).length ?? 0,
      parameters: { ...given },
    }),
};

/** Marks now as the beginning of our own count: nothing is cleared on the device. */
export const baselineAction: Action<object> = {
  id: 'switch.baseline',
  verb: 'mark',
  title: 'mark baseline',
  subject: 'port',
  danger: 'reversible',
  repeatable: true,
  parameters: z.object({}),
  prompts: [],
  offer: (_subjects, { judgement }) => offerJournal(judgement),
  plan: (subjects, _given, context) =>
    planJournal(subjects, context, {
      action: 'switch.baseline',
      verb: 'mark',
      kind: 'baseline',
      title: (port) => `Mark the counters of ${port}`,
      counted: (live, port) => journal(live)?.baselines.filter((one) => one.port === port).length ?? 0,
      parameters: {},
    }),
};

const journalProblem = ({ site, readings }: Judgement): string | undefined => {
  const file = journalFile(site);
  if (!file) return 'the site file names no shared folder to write it to';
  if (site.host(file.host)?.roles.includes('switch-helper') !== true)
    return `${file.host}, which holds the shared folder, has not the role switch-helper`;
  const source = readings.source('switch.journal', file.host);
  return source?.good ? undefined : (source?.failure?.message ?? 'the journal was not read yet');
};

const offerJournal = (judgement: Judgement) => {
  const problem = journalProblem(judgement);
  return problem === undefined
    ? { available: true as const, note: '' }
    : { available: false as const, reason: problem };
};

interface Entry {
  action: string;
  verb: string;
  kind: string;
  part?: string;
  text?: string;
  title(port: string): string;
  /** How many lines like this one stand in the journal. */
  counted(live: Judgement, port: string): number;
  parameters: Plan['parameters'];
}

const planJournal = (
  subjects: readonly Subject[],
  { judgement, operator }: PlanContext,
  entry: Entry,
): Plan | Refusal => {
  const problem = journalProblem(judgement);
  if (problem !== undefined) return refusal('3 preconditions', problem);
  const { site } = judgement;
  const strange = subjects.find((one) => one.kind !== 'port' || site.resolve('port', one.id)?.id !== one.id);
  if (strange || subjects.length === 0)
    return refusal('5 targets', `${strange?.id ?? 'nothing chosen'} is not a port of this site`);
  const { kind, part, text } = entry;
  const targets = subjects.flatMap((subject): PlanTarget[] => {
    const step = journalStep(site, {
      kind,
      port: subject.id,
      by: operator,
      ...(part !== undefined && { part }),
      ...(text !== undefined && { text }),
    });
    const file = journalFile(site);
    if (!step || !file) return [];
    const reads = [{ probe: 'switch.journal', host: file.host }];
    const before = entry.counted(judgement, subject.id);
    const verify: Verification = {
      text: 'it stands in the journal',
      reads,
      deadlineMs: 10_000,
      check: (live) =>
        entry.counted(live, subject.id) > before
          ? { state: 'yes', text: 'written' }
          : { state: 'wait', text: 'not there yet' },
    };
    return [
      {
        subject,
        steps: [step],
        guards: [
          {
            id: '3 preconditions',
            text: 'the journal can be read',
            reads,
            absolute: true,
            check: (live) => {
              const bad = journalProblem(live);
              return bad === undefined ? ok('it can') : no(bad);
            },
          },
        ],
        already: () => undefined,
        verify,
        undo: null,
        lockGroups: [],
      },
    ];
  });
  return {
    action: entry.action,
    title: entry.title(subjects.map(({ id }) => id.replace(':', ' ')).join(', ')),
    verb: entry.verb,
    danger: 'reversible',
    targets,
    leftOut: [],
    because: ['every console of this site reads the journal'],
    afterwards: 'the line must stand in the journal',
    undoText: 'not taken back: the journal is only added to',
    parameters: entry.parameters,
    exceeded: [],
  };
};

/** Runs the jumbo matrix from chosen clients: traffic, but little. */
export const matrixAction: Action<object> = {
  id: 'switch.matrix',
  verb: 'ping',
  title: 'run the jumbo matrix',
  subject: 'host',
  danger: 'service',
  repeatable: true,
  parameters: z.object({}),
  prompts: [],
  offer: (subjects, context) => {
    const plan = planMatrix(subjects, context);
    return 'refused' in plan
      ? { available: false, reason: plan.reason }
      : { available: true, note: matrixText(context.judgement) };
  },
  plan: (subjects, _given, context) => planMatrix(subjects, context),
};

const planMatrix = (subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal => {
  const { site } = judgement;
  const { servers, count, small, jumbo } = settingsOf(site).matrix;
  const strange = subjects.find(({ id }) => site.host(id)?.roles.includes('ping-client') !== true);
  if (strange || subjects.length === 0)
    return refusal('5 targets', `${strange?.id ?? 'nothing chosen'} has not the role ping-client`);
  if (servers.length === 0) return refusal('3 preconditions', 'the site file names no switch.matrix.servers');
  const targets = subjects.map((subject): PlanTarget => {
    const { host } = splitId(`${subject.id}:`);
    const read = { probe: 'switch.matrix', host };
    return {
      subject,
      steps: [{ host, argv: ['ping', '-V'] }],
      guards: [
        {
          id: '3 preconditions',
          text: `${host} has a tool to ping with`,
          // Not the matrix itself: nothing is pinged before it was confirmed.
          reads: [{ probe: 'switch.pinger', host }],
          absolute: true,
          check: (live) => {
            const source = live.readings.source<PingerReading>('switch.pinger', host);
            return source?.good
              ? ok(source.good.value.tool)
              : no(source?.failure?.message ?? 'not asked yet');
          },
        },
      ],
      already: () => undefined,
      verify: {
        text: `replies from ${servers.length} addresses were counted`,
        reads: [read],
        deadlineMs: 120_000,
        check: (live) => {
          const cells = live.readings.source<MatrixReading>(read.probe, host)?.good?.value.cells.length ?? 0;
          return { state: cells > 0 ? 'yes' : 'wait', text: `${cells} counts read` };
        },
      },
      undo: null,
      lockGroups: [],
    };
  });
  return {
    action: 'switch.matrix',
    title: `Run the jumbo matrix from ${subjects.map(({ id }) => id).join(', ')}`,
    verb: 'ping',
    danger: 'service',
    targets,
    leftOut: [],
    because: [
      `each client then sends ${count} pings of ${small} and ${count} of ${jumbo} bytes to ${servers.map(({ address }) => address).join(', ')}`,
    ],
    afterwards: 'the replies are counted and shown in the grid',
    undoText: 'nothing to undo',
    parameters: {},
    exceeded: [],
  };
};
