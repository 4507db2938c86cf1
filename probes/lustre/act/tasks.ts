import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { refuseEmpty, refusal } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import { requireMdtsRead } from './guards.ts';
import { chooseOsts, lockOf, type Target, titleOf } from './targets.ts';
import {
  requireHealthyImports,
  requireCreatesStopped,
  requireNoneElsewhere,
  requireRoomElsewhere,
} from './task-guards.ts';
import { cancelStep, clientFor, verifyStarted, startStep } from './task-script.ts';
import { isOver, taskOf } from '../judge/tasks.ts';
import { progressOf } from '../judge/progress.ts';

interface Way {
  kind: 'drain' | 'list';
  verb: 'drain' | 'files-on-ost';
  title: string;
  danger: 'service' | 'reversible';
  users: string;
  because: readonly string[];
}

const drain: Way = {
  kind: 'drain',
  verb: 'drain',
  title: 'drain to other OSTs',
  danger: 'service',
  users: 'the file system is slower while its files are copied',
  because: [
    'lists its files (lfs find --ost, four directories at once), moves them (lfs_migrate), lists again until two lists are empty',
    'files that are written meanwhile must not be: lfs_migrate is not safe for files in use; what it skips is kept in a list',
  ],
};

const files: Way = {
  kind: 'list',
  verb: 'files-on-ost',
  title: 'list the files on it',
  danger: 'reversible',
  users: 'the MDS has more to do while files are listed',
  because: [
    'lfs find --ost over the whole file system, four directories at once: load on the MDSs; may take hours',
  ],
};

const actionOf = (way: Way): Action<NoParameters> => ({
  id: `lustre.${way.verb}`,
  verb: way.verb,
  title: way.title,
  subject: 'ost',
  danger: way.danger,
  users: way.users,
  parameters: noParameters,
  prompts: [],
  menu: { note: ({ targets }) => targets[0]?.steps[0]?.host ?? '' },
  plan: (subjects, _given, context) => planTask(way, subjects, context),
  undoOf: ({ id }, _was, { judgement }) => {
    const task = taskOf(way.kind, id, judgement);
    if (task === undefined) return refusal('3 preconditions', `no host lists a ${way.kind} of ${id}`);
    return isOver(task)
      ? refusal('3 preconditions', `the task has ended: ${progressOf(task, judgement.now)}`)
      : { steps: [cancelStep(judgement.site, task.host, way.kind, id)] };
  },
});

export const drainAction = actionOf(drain);
export const filesOnOstAction = actionOf(files);

const planTask = (way: Way, subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal => {
  const { targets, leftOut } = chooseOsts(subjects, { judgement });
  const [first] = targets;
  if (!first) return refuseEmpty(leftOut);
  const made: PlanTarget[] = [];
  for (const target of targets) {
    const client = clientFor(target.ost.fs, judgement);
    if (!client)
      return refusal('3 preconditions', `no client that has ${target.ost.fs} mounted answers to lfs df`);
    made.push(taskTarget(way, target, client, judgement.site));
  }
  const client = clientFor(first.ost.fs, judgement);
  return planOf(way.kind === 'drain' ? drainAction : filesOnOstAction, {
    title: titleOf(way.kind === 'drain' ? 'Drain' : 'List the files on', made),
    targets: made,
    leftOut,
    because: [
      ...way.because,
      `runs detached on ${client?.host ?? '?'}: it goes on when this console ends, and any console sees it`,
    ],
    afterwards: 'its state file must say within 30 s that it runs; then the pane shows its progress',
    undoText: way.kind === 'drain' ? 'cancels it; files already moved stay where they are' : 'cancels it',
  });
};

const taskTarget = (
  way: Way,
  target: Target,
  client: { host: string; mount: string },
  site: SiteView,
): PlanTarget => {
  const { subject, ost } = target;
  const elsewhere = requireNoneElsewhere(way.kind, ost.name);
  return {
    subject,
    steps: [startStep(site, client, way.kind, ost.name)],
    guards:
      way.kind === 'drain'
        ? [
            requireMdtsRead(target),
            requireCreatesStopped(target),
            requireRoomElsewhere(target),
            requireHealthyImports(target),
            elsewhere,
          ]
        : [requireMdtsRead(target), requireHealthyImports(target), elsewhere],
    whyAlreadyDone: (live) => {
      const task = taskOf(way.kind, ost.name, live);
      return task?.life === 'runs'
        ? `the task runs already on ${task.host}: ${progressOf(task, live.now)}`
        : undefined;
    },
    verify: verifyStarted(way.kind, ost.name, client.host),
    undo: [cancelStep(site, client.host, way.kind, ost.name)],
    lockGroups: [lockOf(ost.fs)],
  };
};
