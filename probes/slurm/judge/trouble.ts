import type { Fact } from '../../../src/model/fact.ts';
import type { SlurmNode } from '../readings.ts';
import { servingFlags } from '../read/states.ts';

/**
 * Why a node takes no new jobs. `reboot`: asked for through Slurm; `odd`: a state or a flag that is not known here. A node
 * without one is in service.
 */
export type Trouble = 'drain' | 'fail' | 'down' | 'notResponding' | 'reboot' | 'error' | 'unknown' | 'odd';

const inService = new Set(['IDLE', 'ALLOCATED', 'MIXED']);
/** Switched off or on by Slurm's power saving: not there, and as it should be. */
const power = ['POWERED_DOWN', 'POWERING_DOWN', 'POWERING_UP', 'POWER_DOWN'];

export const hasFlag = (node: SlurmNode, flag: string): boolean => node.flags.includes(flag);

/** Runs jobs, also while draining. */
export const isBusy = (node: SlurmNode): boolean =>
  node.state === 'ALLOCATED' || node.state === 'MIXED' || hasFlag(node, 'COMPLETING');

/** Placeholders of slurm.conf that are no nodes yet. */
export const isFuture = (node: SlurmNode): boolean => node.state === 'FUTURE';

/** What is wrong with a node, worst and most telling first; undefined when it can take jobs. */
export const troubleOf = (node: SlurmNode): Trouble | undefined => {
  if (isFuture(node)) return undefined;
  if (node.flags.length === 0 && inService.has(node.state ?? '')) return undefined;
  const silent = hasFlag(node, 'NOT_RESPONDING') && !power.some((flag) => hasFlag(node, flag));
  if (hasFlag(node, 'REBOOT_ISSUED')) return 'reboot';
  if (hasFlag(node, 'DRAIN'))
    return silent && /^not responding/i.test(node.reason ?? '') ? 'notResponding' : 'drain';
  if (hasFlag(node, 'FAIL')) return 'fail';
  // For a moment after slurmctld starts every node is unknown*; Slurm itself gives up the silent ones.
  if (node.state === 'UNKNOWN') return 'unknown';
  if (silent) return 'notResponding';
  if (node.state === 'DOWN') return 'down';
  if (node.state === 'ERROR' || hasFlag(node, 'INVALID_REG')) return 'error';
  return inService.has(node.state ?? '') &&
    node.flags.every((flag) => servingFlags.has(flag) || silently.has(flag))
    ? undefined
    : 'odd';
};

/** While power saving switches it, a node does not answer, as it should be. */
const silently = new Set(['NOT_RESPONDING']);

/** Whether `resume` has done its work: a state in which it takes jobs, without DRAIN, FAIL, NOT_RESPONDING and all that is not known. */
export const isBack = (node: SlurmNode): boolean =>
  inService.has(node.state ?? '') && troubleOf(node) === undefined && !hasFlag(node, 'NOT_RESPONDING');

/** `DRAIN` and so on for the history; states that come and go with jobs are all `UP`. */
export const serviceState = (node: SlurmNode): string => {
  if (troubleOf(node) === undefined) return 'UP';
  const words = node.flags.filter((flag) => historyFlags.has(flag));
  if (node.state !== undefined && !inService.has(node.state)) words.unshift(node.state);
  return words.length > 0 ? words.join('+') : (node.state ?? 'UNKNOWN');
};

const historyFlags = new Set([
  'DRAIN',
  'FAIL',
  'NOT_RESPONDING',
  'REBOOT_ISSUED',
  'REBOOT_REQUESTED',
  'INVALID_REG',
]);

/** `drained`, `draining`, `down*`, `idle+maintenance`: the state as operators say it, all flags kept. */
export const stateWord = (node: SlurmNode): string => {
  const left = new Set(node.flags);
  let word = (node.state ?? 'unknown').toLowerCase();
  if (left.delete('DRAIN'))
    word = node.state === 'DOWN' ? 'down+drain' : isBusy(node) ? 'draining' : 'drained';
  else if (left.delete('FAIL')) word = isBusy(node) ? 'failing' : 'fail';
  if (left.delete('NOT_RESPONDING')) word += '*';
  return [word, ...[...left].map((flag) => flag.toLowerCase())].join('+');
};

/** What programs write of nodes that they take out, as a ResumeProgram of a cloud that could not have them. */
const failed =
  /\bfail(?:s|ed|ure)?\b|\berrors?\b|unable to|could not|can't|timed? ?out|insufficient|\blost\b|missing/i;

/** Whether a reason has a program's word that something failed. */
export const isReportedFailed = (reason = ''): boolean => failed.test(reason);

type Why = Extract<Fact, { name: 'node.off' }>['value']['why'];

/** Flags of nodes that need not answer, with why (slurm.conf(5), "SuspendProgram"; scontrol(1), "reboot" and reservation flag MAINT). */
const off: Readonly<Record<string, Why>> = {
  REBOOT_ISSUED: 'reboot',
  POWERED_DOWN: 'power saving',
  POWERING_DOWN: 'power saving',
  POWERING_UP: 'power saving',
  MAINTENANCE: 'maintenance',
};

/** Why a node need not answer just now; undefined where it should. */
export const whyOff = ({ flags }: Pick<SlurmNode, 'flags'>): Why | undefined => {
  const flag = flags.find((one) => Object.hasOwn(off, one));
  return flag === undefined ? undefined : off[flag];
};
