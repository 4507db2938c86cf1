import { errorSorter } from '../../../src/kit/answers.ts';

/**
 * The words of gluster and of the kernel that guards rest on, each as it is printed. What is not named here does not count as working: it
 * is told as what it is, never as fine.
 */

/** proc_pid_stat(5), field 3: what a process does. `W` and `P` are of old kernels; `K`, `N` and `C` never meant a process of ours. */
const processLetters: Readonly<Record<string, 'runs' | 'stopped' | 'gone'>> = {
  R: 'runs',
  S: 'runs',
  D: 'runs',
  I: 'runs',
  W: 'runs',
  P: 'runs',
  T: 'stopped',
  t: 'stopped',
  Z: 'gone',
  X: 'gone',
  x: 'gone',
};

/** From the state as `ps -o stat` prints it: the letter, with marks behind it (`Ssl`). `unknown`: a letter that is not in the table. */
export const processState = (stat: string): 'runs' | 'stopped' | 'gone' | 'unknown' =>
  processLetters[stat.charAt(0)] ?? 'unknown';

/** glusterd-sm.c: the one of the peer's states in which it takes part in transactions; rejected ones are connected as well. */
export const inCluster = 'Peer in Cluster';

/** glusterd-utils.c and cli-xml-output.c, `typeStr`: volumes that keep one copy of a file, and so never have anything to heal. */
const withoutCopies = new Set(['Distribute', 'Stripe', 'Distributed-Stripe']);

/** A type that is not known may keep copies. */
export const mayHeal = (type: string | undefined): boolean => type === undefined || !withoutCopies.has(type);

/** `statusStr`: a volume that does not run heals nothing. */
export const isOff = (status: string | undefined): boolean => status === 'Created' || status === 'Stopped';

/** `cluster.server-quorum-type` is none or server; by default none. */
export const hasServerQuorum = (options: Readonly<Record<string, string>>): boolean =>
  (options['cluster.server-quorum-type'] ?? 'none') !== 'none';

/** A boolean option that somebody switched off, as gf_string2boolean (libglusterfs, common-utils.c) reads it. */
export const isSwitchedOff = (value: string | undefined): boolean =>
  value !== undefined && ['0', 'off', 'no', 'false', 'disable'].includes(value.toLowerCase());

/** gf_defrag_status (rpc/xdr, cli1-xdr.x), as glusterd stores it; 6, 7 and 5 are of fix-layout. Others were stopped, or never started. */
const rebalanceStates: Readonly<Record<number, 'runs' | 'done' | 'failed'>> = {
  1: 'runs',
  3: 'done',
  4: 'failed',
  5: 'runs',
  7: 'done',
  8: 'failed',
};

export const rebalanceState = (status: number): 'runs' | 'done' | 'failed' | 'other' =>
  rebalanceStates[status] ?? 'other';

/** A boolean option that somebody switched on. */
export const isSwitchedOn = (value: string | undefined): boolean =>
  value !== undefined && ['1', 'on', 'yes', 'true', 'enable'].includes(value.toLowerCase());

/** A failure as `gluster` words it, with its kind: `--xml` failures exit 0. */
export const errorOfMessage = errorSorter([
  [/connection failed|daemon is operational|transport endpoint|not connected/i, 'notReachable'],
  [/another transaction|locking failed|lock held|unable to (?:get|acquire) lock/i, 'locked'],
  [/does not exist|not found|no volumes present/i, 'notFound'],
  [/timed out/i, 'timedOut'],
  [/permission|not permitted|must be root/i, 'notPermitted'],
  [/^usage:|unrecognized|wrong/i, 'usage'],
]);

export type ReportedError = ReturnType<typeof errorOfMessage>;

/** The failure of a document that does not hold what was asked: its own words, or those of standard error. */
export const failureText = (stdout: string, stderr: string | undefined): string | undefined => {
  const text = [stderr ?? '', stdout].map((part) => part.trim()).find((part) => part !== '');
  return text !== undefined &&
    !text.startsWith('<') &&
    /fail|error|not |unable|timed out|does not|another transaction/i.test(text)
    ? text
    : undefined;
};
