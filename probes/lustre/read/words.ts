import { errorSorter, firstLine, type ReportedError } from '../../../src/kit/answers.ts';

/**
 * What Lustre prints, by its words: the states that guards rest on, its errors, its releases. A state that is not named here does not count
 * as working.
 */

/** ptlrpc_import_state_name (lustre/ptlrpc/import.c): connected, or let go because nobody needs it (idle_timeout, clients only). */
const connected = new Set(['FULL', 'IDLE']);
/** The target is there, and what clients had under way is done again. */
const replaying = new Set(['REPLAY', 'REPLAY_LOCKS', 'REPLAY_WAIT', 'RECOVER']);

/** What an import's state says of its target; all else (CLOSED, NEW, DISCONN, CONNECTING, EVICTED, a word not known) is `away`. */
export const importState = (state: string): 'connected' | 'replaying' | 'away' =>
  connected.has(state) ? 'connected' : replaying.has(state) ? 'replaying' : 'away';

/** Its first try, or the next one, is under way. */
export const isConnecting = (state: string): boolean => state === 'NEW' || state === 'CONNECTING';

/**
 * Whether the state proves that the target answers: FULL is pinged every few seconds. IDLE says that nobody asks it, so nothing of
 * whether it would answer.
 */
export const isProven = (state: string): boolean => state === 'FULL';

/** `target_obd` of a client's lov (lov_obd.c): ACTIVE or INACTIVE. */
export const isActiveWord = (word: string | undefined): boolean | undefined =>
  word === 'ACTIVE' ? true : word === 'INACTIVE' ? false : undefined;

/** `lctl dl` (obd_device_list_seq_show): set up, and neither inactive nor stopping; attached ones (AT) serve nothing yet. */
export const isServing = (status: string): boolean => status === 'UP';

/** Its umount has begun and not ended. */
export const isStopping = (status: string): boolean => status === 'ST';

const sortError = errorSorter([
  [/permission denied|operation not permitted/i, 'notPermitted'],
  [/timed out/i, 'timedOut'],
  [/no such (?:file|device)|not found|no suitable lustre mount|no device found/i, 'notFound'],
  [/invalid option|unrecognized|usage:/i, 'usage'],
  [/transport endpoint|resource temporarily|connection|unreachable/i, 'notReachable'],
]);

/** The first failure that standard error of `lctl` or `lfs` reports; undefined when it says nothing. */
export const reportedError = (stderr: string | undefined): ReportedError | undefined => {
  const message = firstLine(stderr ?? '');
  return message === '' ? undefined : sortError(message);
};

/** A release as numbers: `2.12.9` is `[2, 12, 9]`. */
export type Version = readonly number[];

/** `2.12.9` from `version=2.12.9` or from the first line of 2.5's `lustre: 2.5.3.90`; undefined when none stands there. */
export const parseVersion = (text: string | undefined): string | undefined =>
  /(?<!\d)\d+\.\d+(?:\.\d+)*/.exec(text ?? '')?.[0];

const versionOf = (text: string): Version => text.split('.').map(Number);

/** Whether `version` is this release or a later one. */
export const isAtLeast = (version: string, release: string): boolean => {
  const [have, want] = [versionOf(version), versionOf(release)];
  for (const [index, part] of want.entries()) {
    const own = have[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
};

/** `2.7` for the screen. */
export const shortVersion = (version: string): string => versionOf(version).slice(0, 2).join('.');
