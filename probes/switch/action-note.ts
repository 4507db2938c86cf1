import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal, Verification } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { journalSteps } from './action-parts.ts';
import { journalFile } from './journal.ts';
import { plainText } from '../../src/model/plain-text.ts';
import { no, ok, refusal } from '../../src/model/refusal.ts';
import { repairSchema } from './readings.ts';
import { journal } from './journal.ts';

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
  { judgement, operator, looksBack }: PlanContext,
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
    const steps = journalSteps(site, {
      kind,
      port: subject.id,
      by: operator,
      ...(part !== undefined && { part }),
      ...(text !== undefined && { text }),
    });
    const file = journalFile(site);
    if (!file) return [];
    const reads = [{ probe: 'switch.journal', host: file.host }];
    const known = Number(looksBack?.before[0]);
    const before = Number.isNaN(known) ? entry.counted(judgement, subject.id) : known;
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
        steps,
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
        before: [String(before)],
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
