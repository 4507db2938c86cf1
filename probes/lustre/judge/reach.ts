import type { FileSystem, MdtRow, OstRow } from './rows.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import type { RecoveryState } from '../readings.ts';
import { importState, isProven } from '../read/words.ts';

export const isRecovering = (recovery: RecoveryState | undefined): boolean =>
  recovery !== undefined && recovery.status !== 'COMPLETE' && recovery.status !== 'INACTIVE';

export const groupByServer = (osts: readonly OstRow[]): OstRow[][] => [
  ...Map.groupBy(osts, ({ oss }) => oss ?? '').values(),
];

/** Who says, read just now, what has become of the connection to a target. Deactivated ones say nothing of it. */
export interface Witness {
  /** The MDT that holds the connection; absent for a client. */
  mdt?: string;
  host?: string;
  state: string;
  /** A client that may only just be mounting. */
  connecting?: true;
}

export const witnessesOf = (ost: OstRow): Witness[] => [
  ...ost.mdts.flatMap(({ mdt, osp, stale }): Witness[] =>
    osp?.state === undefined || osp.active === false || stale ? [] : [{ mdt, state: osp.state }],
  ),
  ...ost.clients.flatMap(({ host, state, active, stale, connecting }): Witness[] =>
    state === undefined || active === false || stale
      ? []
      : [{ host, state, ...dropUndefined({ connecting }) }],
  ),
];

export const isAway = ({ state }: Witness): boolean => importState(state) !== 'connected';

/** The states of those who have lost it, each once. */
export const awayStates = (witnesses: readonly Witness[]): string =>
  [...new Set(witnesses.filter(isAway).map(({ state }) => state))].sort().join('/');

/** Without the clients that may only just be mounting, where there is proof that the target works: its server, or who reaches it. */
const settledWitnesses = (witnesses: readonly Witness[], isMounted: boolean): readonly Witness[] =>
  isMounted || witnesses.some(({ state }) => isProven(state))
    ? witnesses.filter(({ connecting }) => !connecting)
    : witnesses;

/** `cut`: some MDTs have lost it while others prove that it answers. `unknown`: nobody tells. */
export type Reach = 'fine' | 'recovering' | 'cut' | 'unreachable' | 'unknown';

/**
 * Whether all that are away replay, in a recovery of the target. Where its server says that recovery is over, others are connected and
 * only clients replay, these come late: the target itself has recovered.
 */
const isInReplay = (
  away: readonly Witness[],
  all: readonly Witness[],
  recovery: RecoveryState | undefined,
): boolean => {
  const isOver = recovery !== undefined && !isRecovering(recovery);
  const areLate =
    isOver && away.every(({ mdt }) => mdt === undefined) && all.some(({ state }) => isProven(state));
  return !areLate && away.every(({ state }) => importState(state) === 'replaying');
};

/**
 * What has become of the connections to an OST, all witnesses weighed: out of reach is what nobody proves to reach. What only a
 * client has lost is that client's fault, what one MDT has lost and another not is that MDT's.
 */
export const reachOf = (ost: OstRow): Reach => {
  if (!ost.ownStale && isRecovering(ost.own?.recovery)) return 'recovering';
  const witnesses = settledWitnesses(witnessesOf(ost), ost.own !== undefined && !ost.ownStale);
  if (witnesses.length === 0) return 'unknown';
  const away = witnesses.filter(isAway);
  if (away.length === 0) return 'fine';
  if (isInReplay(away, witnesses, ost.ownStale ? undefined : ost.own?.recovery)) return 'recovering';
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
  const views = imports.flatMap(({ host, from, state, active, connecting }): Witness[] =>
    state === undefined || active === false
      ? []
      : [{ host, state, ...dropUndefined({ mdt: from, connecting }) }],
  );
  const settled = settledWitnesses(views, mdt !== undefined && !stale);
  if (settled.length === 0) return 'unknown';
  const away = settled.filter(isAway);
  if (away.length === 0) return 'fine';
  if (isInReplay(away, settled, stale ? undefined : mdt?.recovery)) return 'recovering';
  if (!settled.some(({ state }) => isProven(state))) return 'unreachable';
  return away.some((one) => one.mdt !== undefined) ? 'cut' : 'fine';
};

/** Whether an MDT has lost every OST that it holds a connection to: its own end is then the likely one. */
export const hasLostAll = (mdt: string, osts: readonly OstRow[]): boolean => {
  const held = osts.flatMap((ost) => witnessesOf(ost).filter((one) => one.mdt === mdt));
  return held.length > 0 && held.every(({ state }) => importState(state) === 'away');
};

/**
 * Whether an MDT is out of everybody's reach by what seems its own fault: nobody proves to reach it. While its MDS has it mounted, the
 * fault is the clients' side (network, router) where all that miss it have also lost every OST that the MDT itself proves to reach, or
 * tell of no OST (idle connections are not asked). A single client may have lost its network, too, unless it reaches an OST or the MDT
 * has lost all of them.
 */
export const isOut = (mdt: MdtRow, { osts }: FileSystem): boolean => {
  if (mdtReachOf(mdt) !== 'unreachable') return false;
  if (!mdt.mdt || mdt.stale || mdt.imports.some(({ from }) => from !== undefined)) return true;
  if (hasLostAll(mdt.name, osts)) return true;
  if (haveLostItsOsts(mdt, osts)) return false;
  const hosts = new Set(mdt.imports.map(({ host }) => host));
  if (hosts.size !== 1 && !osts.some((ost) => isProvenBy(mdt.name, ost))) return true;
  return osts.some(({ clients }) => clients.some(({ host, state }) => hosts.has(host) && state === 'FULL'));
};

const isProvenBy = (name: string, ost: OstRow): boolean =>
  witnessesOf(ost).some(({ mdt, state }) => mdt === name && isProven(state));

/** Whether every client that has lost the MDT has lost all OSTs, too, that the MDT proves to reach. */
const haveLostItsOsts = ({ name, imports }: MdtRow, osts: readonly OstRow[]): boolean => {
  const missing = imports.flatMap(({ host, state, active }) =>
    state === undefined || active === false || !isAway({ state }) ? [] : [host],
  );
  const lostBy = osts
    .filter((ost) => isProvenBy(name, ost))
    .map((ost) => witnessesOf(ost))
    .map((all) => new Set(all.filter(isAway).map(({ host }) => host)));
  return lostBy.length > 0 && lostBy.every((hosts) => missing.every((host) => hosts.has(host)));
};
