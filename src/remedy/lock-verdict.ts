import { age } from '../text/ages.ts';
import { makeSafe } from '../text/safe.ts';
import type { Standing } from './lock-store.ts';
import { decodeLock, msUntilStale, type LockInfo } from './lock-text.ts';
import type { EngineParts } from './parts.ts';

/** Which audit log is ours: its path, and what tells the file from one that has its name at another time. */
export interface LogPlace {
  file: string;
  id: string;
}

/** What became of what a run had begun when its console ended. */
export type Settled = { state: 'settled' | 'unsettled' | 'wait'; text: string };

/**
 * What may be done about a lock in the way. `takeOver`: its console has provably ended, and what it had begun was read again.
 * `break`: by a person's typed reason only. `wait`: by nobody now.
 */
export type Verdict = { may: 'takeOver'; why: string } | { may: 'break' | 'wait'; why: string };

export interface Judging {
  parts: Pick<EngineParts, 'proofOfEnd' | 'operator'>;
  /** Of this console; undefined: it can't be told which it is. */
  log: LogPlace | undefined;
  /** Runs that this console has under way. */
  listActive(): ReadonlySet<string>;
  /** Reads again what this run had begun. */
  settle(run: string): Promise<Settled>;
}

export const judgeLock = async (
  { parts, log, listActive: active, settle }: Judging,
  standing: Standing,
  own: boolean,
): Promise<Verdict> => {
  const info = decodeLock(standing.text);
  if (own && info?.run !== undefined && active().has(info.run))
    return { may: 'wait', why: 'this console itself is at work under it' };
  // Not released at the time, or of a thread of this program that was started anew.
  const proof = own ? 'it is this console’s own, of a run that is over' : endOf(parts, standing, info);
  if (info === undefined || proof === undefined) return byAge(standing, info);
  const ended = own ? proof : `its console has ended (${proof})`;
  if (info.uid !== parts.operator.uid)
    return { may: 'break', why: `${ended}, but it is of another account: ask ${makeSafe(info.owner, 60)}` };
  if (info.run === undefined || info.log?.file !== log?.file || info.log?.id !== log?.id || log === undefined)
    return {
      may: 'break',
      why: `${ended}, but what it had begun stands in another audit log${fileOf(info)}`,
    };
  const { state, text } = await settle(info.run);
  if (state === 'settled') return { may: 'takeOver', why: `${proof}; ${text}` };
  return { may: state === 'wait' ? 'wait' : 'break', why: `${ended}, but ${text}` };
};

const endOf = (
  { proofOfEnd }: Judging['parts'],
  { ageMs }: Standing,
  info: LockInfo | undefined,
): string | undefined => info && proofOfEnd(info, ageMs);

const fileOf = ({ log }: LockInfo): string => (log === undefined ? '' : ` (${makeSafe(log.file, 200)})`);

const byAge = (standing: Standing, info: LockInfo | undefined): Verdict => {
  const left = msUntilStale(standing);
  const who = info === undefined ? 'whoever holds it' : makeSafe(info.owner, 60);
  if (left > 0)
    return {
      may: 'wait',
      why: `its console may be at work: ask ${who}, or wait; it counts as left behind in ${age(left)}`,
    };
  return {
    may: 'break',
    why: `it is older than any such run takes, but it is not proven that its console has ended: ask ${who}`,
  };
};
