import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { lustreOf } from './join.ts';
import type { OstRow } from './rows.ts';
import { finding, ostSubject, proof, summary } from './names.ts';
import { type HostTask, tasksOf } from './tasks.ts';
import { progressOf } from './progress.ts';

const dayMs = 86_400_000;

/** Drains and lists under way, and what they came to. An OST back in service has no drain any more. */
export const taskFindings = (judgement: Judgement): FindingDraft[] =>
  tasksOf(judgement)
    .filter(({ kind }) => kind !== 'fid')
    .filter((task) => isTold(task, judgement))
    .map((task) => taskFinding(task, judgement));

const isTold = (task: HostTask, judgement: Judgement): boolean => {
  if (task.endedAt === undefined) return true;
  if (judgement.now - task.endedAt > 7 * dayMs) return false;
  if (task.kind === 'list') return judgement.now - task.endedAt < dayMs;
  return isClosed(lustreOf(judgement).byOst.get(task.target));
};

/** Kept from new objects on every MDT that was read. */
export const isClosed = (ost: OstRow | undefined): boolean =>
  ost !== undefined &&
  ost.mdts.some(({ osp }) => osp !== undefined) &&
  ost.mdts.every(
    ({ osp, allocation }) =>
      osp === undefined ||
      (allocation.verdict === 'blocked' && (osp.active === false || osp.maxCreateCount === 0)),
  );

const taskFinding = (task: HostTask, judgement: Judgement): FindingDraft => {
  const ost = lustreOf(judgement).byOst.get(task.target);
  const bad = task.state === 'stuck' || task.state === 'failed' || task.life === 'silent';
  const empty = task.kind === 'drain' && task.state === 'done';
  const text = empty
    ? ` is empty: two lists in a row found no file, ${orphansOf(ost).text}`
    : `${task.kind === 'drain' ? ' drain' : ' files'}: ${progressOf(task, judgement.now)}`;
  return finding({
    key: task.target,
    kind: task.kind,
    severity: bad ? 'warning' : 'notice',
    subject: ostSubject(task.target),
    summary: summary(task.target, text),
    advice: empty ? emptyAdvice(ost) : adviceOf(task),
    evidence: [
      proof(
        `${task.kind} ${task.target} on ${task.host}: ${progressOf(task, judgement.now)}`,
        judgement,
        'lustre.tasks',
        task.host,
      ),
      ...(empty ? [{ text: `${task.target}: ${orphansOf(ost).text}` }] : []),
    ],
    remedies: remediesOf(task).map((action) => ({ action, subjects: [ostSubject(task.target)] })),
    since: task.startedAt,
  });
};

/** Nothing is rebuilt before its objects are gone: the MDTs would send their destroys to the new one. */
const emptyAdvice = (ost: OstRow | undefined): string => {
  const { gone, inactive } = orphansOf(ost);
  const byHand = `by hand on ${ost?.oss ?? 'its OSS'}: keep CONFIGS, last_rcvd and LAST_ID, unmount, mkfs.lustre --replace --index=${ost?.index ?? 'N'}, mount; then resume creates.`;
  if (inactive)
    return `Its destroys wait while it is inactive. Mark it degraded with balancing off, so that new files stay away, activate it, and see all objects destroyed; then ${byHand}`;
  return gone ? `Now ${byHand}` : `First see all objects destroyed on every MDT; then ${byHand}`;
};

const adviceOf = ({ life, host, work }: HostTask): string => {
  const kept = `The list and the skipped files are in ${work ?? 'its folder'} on ${host}.`;
  if (life === 'unknown')
    return `The task shows again when ${host} answers; a second one elsewhere would move the same files.`;
  if (life === 'silent')
    return `Its host restarted or the task was killed; a new start goes on with what is left. ${kept}`;
  return life === 'runs' ? `The task goes on on ${host} without this console. ${kept}` : kept;
};

/** The first helps; a task that runs can be cancelled. */
const remediesOf = ({ kind, state, life }: HostTask): string[] => {
  const start = kind === 'drain' ? 'lustre.drain' : 'lustre.files-on-ost';
  if (life === 'runs') return ['lustre.cancel-task'];
  if (life === 'silent') return [start, 'lustre.cancel-task'];
  if (life === 'unknown' || state === 'cancelled') return [];
  if (state === 'done') return kind === 'drain' ? ['lustre.resume-creates'] : [];
  return [start];
};

/** Objects that were deleted and are not yet gone from an OST (destroys_in_flight). */
export interface Orphans {
  /** Every MDT says that none is left and that its old records are sent. */
  gone: boolean;
  /** Destroys wait: an MDT holds it inactive. */
  inactive: boolean;
  text: string;
}

export const orphansOf = (ost: OstRow | undefined): Orphans => {
  const imports = ost?.mdts.map(({ osp }) => osp) ?? [];
  const inactive = imports.some((osp) => osp?.active === false);
  const counts = imports.map((osp) => osp?.destroys);
  if (counts.length === 0 || counts.some((one) => one === undefined))
    return { gone: false, inactive, text: 'objects to be destroyed not known' };
  const left = counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const old = imports.some((osp) => osp?.oldSyncProcessed === false);
  return {
    gone: left === 0 && !old && !inactive,
    inactive,
    text: `${count(left, 'object')} to be destroyed${old ? ', old records still to be sent' : ''}`,
  };
};
