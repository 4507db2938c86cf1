import type { Judgement } from '../../../src/model/system.ts';
import { fsOf } from '../judge/names.ts';
import type { DfReading } from '../readings.ts';
import { progressOf } from '../judge/progress.ts';
import { isOver, taskOf } from '../judge/tasks.ts';
import type { PlanTarget, Step } from '../../../src/model/action.ts';
import type { SiteView } from '../../../src/model/site.ts';
import { argvAsRoot } from '../ask/asking.ts';
import { cancelRefusals, startRefusals } from './refusals.ts';
import type { TaskKind } from '../readings-tasks.ts';
import cancelScript from './task-cancel.sh';
import startScript from './task-start.sh';

/** How many top directories are listed and how many batches are migrated at once. */
const jobs = 4;

/** The lines that let the worker go. */
const starting = ['systemd-run', 'setsid "$@"'];

/** Other people's files are listed, moved and named: by root, as everything else. */
export const startStep = (
  site: SiteView,
  { host, mount }: { host: string; mount: string },
  kind: TaskKind,
  target: string,
): Step => ({
  host,
  argv: argvAsRoot(site, ['sh', '-s', '--', 'lustre-start', kind, target, mount, String(jobs)]),
  stdin: startScript,
  changes: [...starting, ...(kind === 'drain' ? ['lfs_migrate -0'] : [])],
  deadlineMs: 30_000,
  refusals: startRefusals,
});

export const cancelStep = (site: SiteView, host: string, kind: TaskKind, target: string): Step => ({
  host,
  argv: argvAsRoot(site, ['sh', '-s', '--', 'lustre-cancel', kind, target]),
  stdin: cancelScript,
  changes: ['kill -TERM', 'state=cancelled'],
  deadlineMs: 20_000,
  refusals: cancelRefusals,
});

/** A client that has the file system mounted and answers; the first by name, so that every console takes the same. */
export const clientFor = (fs: string, { readings }: Judgement): { host: string; mount: string } | undefined =>
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

/** A task runs once its state file on the host says so. */
export const verifyStarted = (kind: TaskKind, target: string, host: string): PlanTarget['verify'] => ({
  text: `the state file on ${host} says that it runs`,
  reads: [{ probe: 'lustre.tasks', host }],
  deadlineMs: 30_000,
  check: (live) => {
    const task = taskOf(kind, target, live);
    if (!task || task.host !== host) return { state: 'wait', text: `no state file on ${host} yet` };
    const text = progressOf(task, live.now);
    if (task.state === 'failed' || task.state === 'cancelled') return { state: 'no', text };
    return isOver(task) ? { state: 'yes', text } : { state: 'yes', text, goesOn: text };
  },
});
