import { z } from 'zod';
import type {
  Action,
  Guard,
  GuardResult,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
} from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { grouped, percent } from '../../src/text/units.ts';
import { allMdtsRead } from './action-guards.ts';
import {
  chooseOsts,
  lockOf,
  nothingLeft,
  readsAt,
  refusal,
  shownLeftOut,
  systemOf,
  type Target,
  titleOf,
} from './action-targets.ts';
import { reachOf } from './find-reach.ts';
import { isClosed } from './find-tasks.ts';
import { fsOf, lustreOf } from './join.ts';
import type { DfReading } from './readings.ts';
import { cancelStep, startStep, type TaskKind } from './task-script.ts';
import { isRunning, progressOf, taskOf } from './tasks.ts';

const none = z.object({});
const ok = (text: string): GuardResult => ({ ok: true, text });
const no = (text: string): GuardResult => ({ ok: false, text });

/** A client that has the file system mounted and answers; the first by name, so that every console takes the same. */
const clientFor = (fs: string, { readings }: Judgement): { host: string; mount: string } | undefined =>
  readings
    .sources<DfReading>('lustre.df')
    .filter(({ state }) => state === 'fresh')
    .toSorted((a, b) => (a.host < b.host ? -1 : 1))
    .flatMap(({ host, good }) => {
      const row = good?.value.targets.find(
        (one) => one.name !== undefined && fsOf(one.name) === fs && one.mount !== undefined,
      );
      return row?.mount === undefined || !/^\/[A-Za-z0-9._/-]*$/.test(row.mount)
        ? []
        : [{ host, mount: row.mount }];
    })[0];

interface Way {
  kind: 'drain' | 'list';
  verb: 'drain' | 'files-on-ost';
  title: string;
  danger: 'service' | 'reversible';
  because: readonly string[];
}

const drain: Way = {
  kind: 'drain',
  verb: 'drain',
  title: 'drain to other OSTs',
  danger: 'service',
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
  because: [
    'lfs find --ost over the whole file system, four directories at once: load on the MDSs; may take hours',
  ],
};

const action = (way: Way): Action => ({
  id: `lustre.${way.verb}`,
  verb: way.verb,
  title: way.title,
  subject: 'ost',
  danger: way.danger,
  parameters: none,
  prompts: [],
  offer: (subjects, context) => {
    const plan = planTask(way, subjects, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const already = plan.targets
      .map((target) => target.already(context.judgement))
      .find((one) => one !== undefined);
    if (already !== undefined) return { available: false, reason: already };
    const failed = plan.targets
      .flatMap(({ guards }) => guards.map((one) => one.check(context.judgement)))
      .find((one) => !one.ok);
    return failed
      ? { available: false, reason: failed.text }
      : { available: true, note: plan.targets[0]?.steps[0]?.host ?? '' };
  },
  plan: (subjects, _given, context) => planTask(way, subjects, context),
});

export const drainAction = action(drain);
export const filesOnOstAction = action(files);

const planTask = (way: Way, subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal => {
  const { targets, leftOut } = chooseOsts(subjects, { judgement });
  const [first] = targets;
  if (!first) return nothingLeft(leftOut);
  const made: PlanTarget[] = [];
  for (const target of targets) {
    const client = clientFor(target.ost.fs, judgement);
    if (!client)
      return refusal('3 preconditions', `no client that has ${target.ost.fs} mounted answers to lfs df`);
    made.push(taskTarget(way, target, client));
  }
  const client = clientFor(first.ost.fs, judgement);
  return {
    action: `lustre.${way.verb}`,
    title: titleOf(way.kind === 'drain' ? 'Drain' : 'List the files on', made),
    verb: way.verb,
    danger: way.danger,
    targets: made,
    leftOut: shownLeftOut(leftOut),
    because: [
      ...way.because,
      `runs detached on ${client?.host ?? '?'}: it goes on when this console ends, and any console sees it`,
    ],
    afterwards:
      'its state file must tell that it runs, within 30 s; the pane shows its progress from then on',
    undoText: way.kind === 'drain' ? 'cancels it; files already moved stay where they are' : 'cancels it',
    parameters: {},
    exceeded: [],
  };
};

const taskTarget = (way: Way, target: Target, client: { host: string; mount: string }): PlanTarget => {
  const { subject, ost } = target;
  return {
    subject,
    steps: [startStep(client.host, way.kind, ost.name, client.mount)],
    guards:
      way.kind === 'drain'
        ? [allMdtsRead(target), createsStopped(target), roomElsewhere(target), allWell(target)]
        : [allMdtsRead(target), allWell(target)],
    already: (live) => {
      const task = taskOf(way.kind, ost.name, live);
      return task && isRunning(task) ? `it runs already on ${task.host}: ${progressOf(task)}` : undefined;
    },
    verify: started(way.kind, ost.name, client.host),
    undo: [cancelStep(client.host, way.kind, ost.name)],
    lockGroups: [lockOf(ost.fs)],
  };
};

const started = (kind: TaskKind, target: string, host: string): PlanTarget['verify'] => ({
  text: `the state file on ${host} tells that it runs`,
  reads: [{ probe: 'lustre.tasks', host }],
  deadlineMs: 30_000,
  check: (live) => {
    const task = taskOf(kind, target, live);
    if (!task || task.host !== host) return { state: 'wait', text: `no state file on ${host} yet` };
    return task.state === 'failed'
      ? { state: 'no', text: progressOf(task) }
      : { state: 'yes', text: progressOf(task) };
  },
});

const createsStopped = ({ ost, imports }: Target): Guard => ({
  id: '3 creates stopped',
  text: `new files no longer go to ${ost.name}, on every MDT`,
  reads: readsAt('lustre.mds', imports),
  absolute: true,
  check: (live) =>
    isClosed(lustreOf(live).byOst.get(ost.name))
      ? ok('stopped on every MDT')
      : no(`${ost.name} still takes new files: stop creates first`),
});

const roomElsewhere = ({ ost, imports }: Target): Guard => ({
  id: '3 room elsewhere',
  text: `the other OSTs have room for what is on ${ost.name}`,
  reads: readsAt('lustre.mds', imports),
  absolute: true,
  check: (live) => {
    const osts = systemOf(ost.fs, live)?.osts ?? [];
    const own = osts.find(({ name }) => name === ost.name);
    const kbUsed =
      own?.used === undefined || own.kbAvail === undefined || own.used >= 1
        ? undefined
        : (own.kbAvail * own.used) / (1 - own.used);
    const open = osts.filter(
      ({ name, mdts }) =>
        name !== ost.name && mdts.every(({ allocation }) => allocation.verdict === 'allocates'),
    );
    const free = open.reduce((sum, { kbAvail }) => sum + (kbAvail ?? 0), 0);
    if (kbUsed === undefined) return no(`how much is on ${ost.name} is not known`);
    const tib = (kb: number): string => `${(kb / 1_073_741_824).toFixed(1)} TiB`;
    const text = `${tib(kbUsed)} (${percent(own?.used ?? 0)}) to move, ${tib(free)} free on ${grouped(open.length)} other OSTs`;
    return kbUsed > free * 0.9 ? no(text) : ok(text);
  },
});

const allWell = ({ ost, imports }: Target): Guard => ({
  id: '3 no recovery',
  text: `no OST of ${ost.fs} is in recovery or out of reach`,
  reads: readsAt('lustre.mds', imports),
  absolute: true,
  check: (live) => {
    const away = (systemOf(ost.fs, live)?.osts ?? []).filter((one) => reachOf(one) !== 'fine');
    return away.length === 0
      ? ok('all are reached')
      : no(`${away[0]?.name ?? ''} is ${away[0] ? reachOf(away[0]) : ''}: a list would miss files`);
  },
});

/** Ends a drain or a list between two batches. */
export const cancelTaskAction: Action = {
  id: 'lustre.cancel-task',
  verb: 'cancel-task',
  title: 'cancel drain or list',
  subject: 'ost',
  danger: 'reversible',
  parameters: none,
  prompts: [],
  offer: (subjects, context) => {
    const plan = planCancel(subjects, context);
    return 'refused' in plan
      ? { available: false, reason: plan.reason }
      : { available: true, note: plan.because[0] ?? '' };
  },
  plan: (subjects, _given, context) => planCancel(subjects, context),
};

const planCancel = (subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal => {
  const targets = subjects.flatMap(({ id }) =>
    (['drain', 'list'] as const).flatMap((kind) => {
      const task = taskOf(kind, id, judgement);
      return task && isRunning(task) && /^[A-Za-z0-9_]{1,8}-OST[0-9a-f]{4}$/.test(id) ? [task] : [];
    }),
  );
  if (targets.length === 0) return refusal('5 targets', 'no task runs on it');
  return {
    action: 'lustre.cancel-task',
    title: `Cancel the ${targets[0]?.kind ?? ''} of ${targets.map(({ target }) => target).join(', ')}`,
    verb: 'cancel-task',
    danger: 'reversible',
    targets: targets.map((task): PlanTarget => ({
      subject: { kind: 'ost', id: task.target },
      steps: [cancelStep(task.host, task.kind, task.target)],
      guards: [],
      already: (live) => {
        const now = taskOf(task.kind, task.target, live);
        return now && isRunning(now) ? undefined : 'it does not run any more';
      },
      verify: {
        text: 'its state file tells that it ended',
        reads: [{ probe: 'lustre.tasks', host: task.host }],
        deadlineMs: 600_000,
        check: (live) => {
          const now = taskOf(task.kind, task.target, live);
          return now && isRunning(now)
            ? { state: 'wait', text: progressOf(now) }
            : { state: 'yes', text: now ? progressOf(now) : 'no state file' };
        },
      },
      undo: null,
      lockGroups: [lockOf(fsOf(task.target))],
    })),
    leftOut: [],
    because: targets.map((task) => `${task.kind} on ${task.host}: ${progressOf(task)}`),
    afterwards: 'the files under way are finished first; then its state file must tell that it ended',
    undoText: 'start it again: it goes on with what is left',
    parameters: {},
    exceeded: [],
  };
};

const fidParameters = z.object({
  fid: z
    .string()
    .trim()
    .regex(/^\[?0x[0-9a-f]{1,16}:0x[0-9a-f]{1,8}:0x[0-9a-f]{1,8}\]?$/i, {
      error: 'a FID like [0x200000401:0x5:0x0]',
    }),
});

/** Which file is this FID: asked on a client, the answer kept as a task's result. */
export const nameFidAction: Action<z.infer<typeof fidParameters>> = {
  id: 'lustre.name-fid',
  verb: 'name-fid',
  title: 'name the file of a FID',
  subject: 'volume',
  danger: 'reversible',
  parameters: fidParameters,
  prompts: [{ name: 'fid', label: 'FID, like [0x200000401:0x5:0x0]', required: true }],
  offer: (subjects, { judgement }) => {
    const [only] = subjects;
    const client =
      only && subjects.length === 1 && systemOf(only.id, judgement)
        ? clientFor(only.id, judgement)
        : undefined;
    return client
      ? { available: true, note: client.host }
      : { available: false, reason: 'not one Lustre file system that an answering client has mounted' };
  },
  plan: (subjects, given, { judgement }) => {
    const [only] = subjects;
    const client = only && subjects.length === 1 ? clientFor(only.id, judgement) : undefined;
    if (!only || !client)
      return refusal('3 preconditions', 'no client that has it mounted answers to lfs df');
    const fid = `[${given.fid.replace(/[[\]]/g, '').toLowerCase()}]`;
    return {
      action: 'lustre.name-fid',
      title: `Name ${fid} in ${only.id}`,
      verb: 'name-fid',
      danger: 'reversible',
      targets: [
        {
          subject: only,
          steps: [startStep(client.host, 'fid', fid, client.mount)],
          guards: [],
          already: () => undefined,
          verify: {
            ...started('fid', fid, client.host),
            text: 'its state file holds the name',
            check: (live) => {
              const task = taskOf('fid', fid, live);
              if (!task || isRunning(task)) return { state: 'wait', text: 'not answered yet' };
              return { state: task.state === 'done' ? 'yes' : 'no', text: progressOf(task) };
            },
          },
          undo: null,
          lockGroups: [],
        },
      ],
      leftOut: [],
      because: ['lfs fid2path reads only'],
      afterwards: 'the name stands in the result',
      undoText: 'nothing is changed',
      parameters: { ...given },
      exceeded: [],
    };
  },
};
