import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import { lockOf } from './targets.ts';
import { type HostTask, isOver, tasksOf } from '../judge/tasks.ts';
import { progressOf } from '../judge/progress.ts';
import { cancelStep } from './task-script.ts';

/** Names of targets that a task file can have. */
const plain = /^(?:[A-Za-z0-9_-]{1,8}-OST[0-9a-f]{4}|\[0x[0-9a-f]+:0x[0-9a-f]+:0x[0-9a-f]+\])$/;

const kindNames = { drain: 'drain', list: 'list', fid: 'naming' } as const;

const actionOf = (subject: 'ost' | 'volume', verb: string, title: string): Action<NoParameters> => ({
  id: `lustre.${verb}`,
  verb,
  title,
  subject,
  danger: 'reversible',
  users:
    subject === 'ost' ? 'nothing: files that were moved stay where they are' : 'nothing: the question ends',
  parameters: noParameters,
  prompts: [],
  menu: { note: ({ because }) => because[0] ?? '' },
  plan: (subjects, _given, context) => planCancel(subjects, context),
});

/** Ends a drain or a list of an OST. */
export const cancelTaskAction = actionOf('ost', 'cancel-task', 'cancel drain or list');
/** Ends the question for a FID's name, which waits for a hung file system for ever. */
export const cancelNamingAction = actionOf('volume', 'cancel-naming', 'cancel naming a FID');

/** Those that the subject stands for: drains and lists of an OST, questions for names in a file system. */
const tasksOn = ({ kind, id }: Subject, judgement: Judgement): HostTask[] =>
  tasksOf(judgement).filter((task) =>
    kind === 'ost' ? task.kind !== 'fid' && task.target === id : task.kind === 'fid' && task.fs === id,
  );

const keyOf = ({ kind, target }: Pick<HostTask, 'kind' | 'target'>): string => `${kind} ${target}`;

const planCancel = (subjects: readonly Subject[], { judgement, looksBack }: PlanContext): Plan | Refusal => {
  const all = subjects.flatMap((subject) =>
    tasksOn(subject, judgement)
      .filter((task) => (looksBack ? looksBack.before.includes(keyOf(task)) : !isOver(task)))
      .filter(({ target }) => plain.test(target))
      .map((task) => ({ subject, task })),
  );
  const away = all.find(({ task }) => task.life === 'unknown');
  if (away) return refusal('3 preconditions', progressOf(away.task, judgement.now));
  const [first] = all;
  if (!first) return refusal('5 targets', 'no task runs on it');
  return planOf(first.subject.kind === 'ost' ? cancelTaskAction : cancelNamingAction, {
    title: `Cancel the ${kindNames[first.task.kind]} of ${all.map(({ task }) => task.target).join(', ')}`,
    targets: [...Map.groupBy(all, ({ subject }) => subject.id).values()].map((group) =>
      cancelTarget(
        group.map(({ task }) => task),
        group[0]?.subject ?? first.subject,
        judgement.site,
      ),
    ),
    because: all.map(
      ({ task }) => `${kindNames[task.kind]} on ${task.host}: ${progressOf(task, judgement.now)}`,
    ),
    afterwards:
      'a list ends at once, a drain after the files under way; then the state file must say that it has ended',
    undoText: 'start it again: it goes on with what is left',
  });
};

const cancelTarget = (tasks: readonly HostTask[], subject: Subject, site: SiteView): PlanTarget => {
  const now = (live: Judgement): HostTask[] =>
    tasksOf(live).filter((task) =>
      tasks.some(({ kind, target }) => kind === task.kind && target === task.target),
    );
  return {
    subject,
    steps: tasks.map((task) => cancelStep(site, task.host, task.kind, task.target)),
    guards: [],
    whyAlreadyDone: (live) => (now(live).every(isOver) ? 'the task no longer runs' : undefined),
    verify: {
      text: 'its state file says that it has ended',
      reads: rereads('lustre.tasks', ...tasks.map(({ host }) => host)),
      deadlineMs: 600_000,
      check: (live) => {
        const seen = now(live);
        const text = seen.map((task) => progressOf(task, live.now)).join('; ') || 'no state file';
        return waitUnless(seen.every(isOver), text);
      },
    },
    before: tasks.map(keyOf),
    undo: null,
    lockGroups: [...new Set(tasks.flatMap(({ fs }) => (fs === undefined ? [] : [lockOf(fs)])))],
  };
};
