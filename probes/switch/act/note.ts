import * as z from 'zod';
import { failGuard, passGuard, refusal, waitUnless } from '../../../src/kit/guards.ts';
import { planOf, noParameters, plainText, type NoParameters } from '../../../src/kit/offers.ts';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { repairSchema } from '../readings.ts';
import { journal, journalFile, journalReads } from '../read/journal.ts';
import { journalSteps } from './parts.ts';

const noteParameters = z.object({ part: repairSchema.shape.part, text: plainText });
type NoteParameters = z.infer<typeof noteParameters>;

/** Writes down what was repaired by hand: the verdict goes on from there. */
export const noteAction: Action<NoteParameters> = {
  id: 'switch.note',
  verb: 'note',
  title: 'note a repair',
  subject: 'port',
  danger: 'reversible',
  users: 'nothing: the repair is only recorded',
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
  menu: { note: '', tryWith: () => [{ part: 'optic', text: 'replaced the optic' }] },
  plan: (subjects, { part, text }, context) =>
    planJournal(noteAction, subjects, context, {
      line: { kind: 'repair', part, text },
      title: (port) => `Note a repair at ${port}`,
      count: (live, port) =>
        journal(live)?.repairs.filter((one) => one.port === port && one.part === part && one.text === text)
          .length ?? 0,
    }),
};

/** Marks now as the beginning of our own count: nothing is cleared on the device. */
export const baselineAction: Action<NoParameters> = {
  id: 'switch.baseline',
  verb: 'mark',
  title: 'mark baseline',
  subject: 'port',
  danger: 'reversible',
  users: 'nothing: the counters of the device stay as they are',
  repeatable: true,
  parameters: noParameters,
  prompts: [],
  menu: { note: '' },
  plan: (subjects, _given, context) =>
    planJournal(baselineAction, subjects, context, {
      line: { kind: 'baseline' },
      title: (port) => `Mark the counters of ${port}`,
      count: (live, port) => journal(live)?.baselines.filter((one) => one.port === port).length ?? 0,
    }),
};

const journalProblem = ({ site, readings }: Judgement): string | undefined => {
  const file = journalFile(site);
  if (!file) return 'the site file names no shared folder to write it to';
  if (site.host(file.host)?.roles.includes('switch-helper') !== true)
    return `${file.host}, which holds the shared folder, does not have the role switch-helper`;
  const source = readings.source('switch.journal', file.host);
  return source?.good ? undefined : (source?.failure?.message ?? 'the journal was not read yet');
};

interface Entry {
  line: { kind: string; part?: string; text?: string };
  title(port: string): string;
  /** How many lines like this one stand in the journal. */
  count(live: Judgement, port: string): number;
}

const planJournal = (
  action: Pick<Action, 'id' | 'verb' | 'danger' | 'users'>,
  subjects: readonly Subject[],
  context: PlanContext,
  entry: Entry,
): Plan | Refusal => {
  const { site } = context.judgement;
  const problem = journalProblem(context.judgement);
  if (problem !== undefined) return refusal('3 preconditions', problem);
  const strange = subjects.find((one) => one.kind !== 'port' || site.resolve('port', one.id)?.id !== one.id);
  if (strange || subjects.length === 0)
    return refusal('5 targets', `${strange?.id ?? 'nothing chosen'} is not a port of this site`);
  const { kind: _kind, ...parameters } = entry.line;
  return planOf(action, {
    title: entry.title(subjects.map(({ id }) => id.replace(':', ' ')).join(', ')),
    targets: subjects.map((subject) => entryTarget(subject, context, entry)),
    because: ['every console of this site reads the journal'],
    afterwards: 'the line must stand in the journal',
    undoText: 'none: the journal is append-only',
    parameters,
  });
};

const entryTarget = (
  subject: Subject,
  { judgement, operator, looksBack }: PlanContext,
  { line, count }: Entry,
): PlanTarget => {
  const reads = journalReads(judgement.site);
  const recorded = Number(looksBack?.before[0]);
  const before = Number.isNaN(recorded) ? count(judgement, subject.id) : recorded;
  return {
    subject,
    steps: journalSteps(judgement.site, { ...line, port: subject.id, by: operator }),
    guards: [
      {
        id: '3 preconditions',
        text: 'the journal can be read',
        reads,
        absolute: true,
        check: (live) => {
          const problem = journalProblem(live);
          return problem === undefined ? passGuard('it can') : failGuard(problem);
        },
      },
    ],
    whyAlreadyDone: () => undefined,
    verify: {
      text: 'the line stands in the journal',
      reads,
      deadlineMs: 10_000,
      check: (live) => {
        const stands = count(live, subject.id) > before;
        return waitUnless(stands, stands ? 'written' : 'not there yet');
      },
    },
    before: [String(before)],
    undo: null,
    lockGroups: [],
  };
};
