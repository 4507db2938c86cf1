/** The words of Lustre that guards rest on, each as it is printed. What is not named here does not count as working. */

/** ptlrpc_import_state_name (lustre/ptlrpc/import.c): connected, or let go because nobody needs it (idle_timeout, clients only). */
const connected = new Set(['FULL', 'IDLE']);
/** The target is there, and what clients had under way is done again. */
const replaying = new Set(['REPLAY', 'REPLAY_LOCKS', 'REPLAY_WAIT', 'RECOVER']);

/** What an import's state says of its target; all else (CLOSED, NEW, DISCONN, CONNECTING, EVICTED, a word not known) is `away`. */
export const importIs = (state: string): 'connected' | 'replaying' | 'away' =>
  connected.has(state) ? 'connected' : replaying.has(state) ? 'replaying' : 'away';

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
