import type { MdtRow, OstRow } from './rows.ts';
import type { RecoveryState } from '../readings.ts';
import { importIs, isProven } from '../read/words.ts';

export const isRecovering = (recovery: RecoveryState | undefined): boolean =>
  recovery !== undefined && recovery.status !== 'COMPLETE' && recovery.status !== 'INACTIVE';

export const byServer = (osts: readonly OstRow[]): OstRow[][] => [
  ...Map.groupBy(osts, ({ oss }) => oss ?? '').values(),
];

/** Who says, read just now, what has become of the connection to a target. Deactivated ones say nothing of it. */
export interface Witness {
  /** The MDT that holds the connection; absent for a client. */
  mdt?: string;
  host?: string;
  state: string;
}

export const witnessesOf = (ost: OstRow): Witness[] => [
  ...ost.mdts.flatMap(({ mdt, osp, stale }): Witness[] =>
    osp?.state === undefined || osp.active === false || stale ? [] : [{ mdt, state: osp.state }],
  ),
  ...ost.clients.flatMap(({ host, state, active, stale }): Witness[] =>
    state === undefined || active === false || stale ? [] : [{ host, state }],
  ),
];

export const isAway = ({ state }: Witness): boolean => importIs(state) !== 'connected';

/** The states of those who have lost it, each once. */
export const awayStates = (witnesses: readonly Witness[]): string =>
  [...new Set(witnesses.filter(isAway).map(({ state }) => state))].sort().join('/');

/** `cut`: some MDTs have lost it while others prove that it answers. `unknown`: nobody tells. */
export type Reach = 'fine' | 'recovering' | 'cut' | 'unreachable' | 'unknown';

/**
 * What has become of the connections to an OST, all witnesses weighed: out of reach is what nobody proves to reach. What only a
 * client has lost is that client's fault, what one MDT has lost and another not is that MDT's.
 */
export const reachOf = (ost: OstRow): Reach => {
  if (!ost.ownStale && isRecovering(ost.own?.recovery)) return 'recovering';
  const witnesses = witnessesOf(ost);
  if (witnesses.length === 0) return 'unknown';
  const away = witnesses.filter(isAway);
  if (away.length === 0) return 'fine';
  if (away.every(({ state }) => importIs(state) === 'replaying')) return 'recovering';
  const proving = witnesses.filter(({ state }) => isProven(state));
  if (proving.length === 0) return 'unreachable';
  if (away.every(({ mdt }) => mdt === undefined)) return 'fine';
  if (proving.some(({ mdt }) => mdt !== undefined)) return 'cut';
  // A client's word is up to half a minute old: against all MDTs it counts where the OST's own server has it mounted.
  return ost.own && !ost.ownStale ? 'cut' : 'unreachable';
};

/** What has become of the connections to an MDT: of clients and of other MDTs. */
export const mdtReachOf = ({ mdt, stale, imports }: MdtRow): Reach => {
  if (!stale && isRecovering(mdt?.recovery)) return 'recovering';
  const told = imports.flatMap(({ host, from, state, active }): Witness[] =>
    state === undefined || active === false
      ? []
      : [{ host, state, ...(from !== undefined && { mdt: from }) }],
  );
  if (told.length === 0) return 'unknown';
  const away = told.filter(isAway);
  if (away.length === 0) return 'fine';
  if (away.every(({ state }) => importIs(state) === 'replaying')) return 'recovering';
  if (!told.some(({ state }) => isProven(state))) return 'unreachable';
  return away.some((one) => one.mdt !== undefined) ? 'cut' : 'fine';
};
