import { sha256 } from '../audit/audit-line.ts';

/** What stands at a lock's place, with its age by the clock of the machine that keeps it; infinite: its time is still to come. */
export interface Standing {
  text: string;
  ageMs: number;
}

/** A lock file this much younger than its own machine's clock was not made by us there, ms. */
const AHEAD_MS = 60_000;

/** The age of a file made at this time: one from the future is of no known age, so it does not hold for ever. */
export const ageOf = (nowMs: number, madeMs: number): number =>
  madeMs - nowMs > AHEAD_MS ? Infinity : Math.max(0, nowMs - madeMs);

export const GONE = 'it is gone';
export const TAKEN = 'it is somebody else’s now';

/** Why a lock was not removed, where there is nothing left to remove. */
export const isOver = (problem: string): boolean => problem === GONE || problem === TAKEN;

export type Put = { state: 'made' } | ({ state: 'held' } & Standing) | { state: 'failed'; reason: string };

/** Where locks are kept: a folder on one host of the site, or this machine. Never throws. */
export interface LockStore {
  /** `admin1:/var/lib/faultline`, `this machine`. */
  readonly where: string;
  /** Makes the lock with this text, atomically; when one stands there already that one is given. */
  put(name: string, text: string): Promise<Put>;
  look(
    name: string,
  ): Promise<{ state: 'none' } | { state: 'failed'; reason: string } | ({ state: 'held' } & Standing)>;
  /** Removes the lock when it still holds this text; gives the reason when it does not go: `GONE`, `TAKEN`, or what is in the way. */
  remove(name: string, text: string): Promise<string | undefined>;
}

/** A lock group as a file name: whatever is not a plain letter becomes `%NN`; a long one is shortened to its hash. */
export const fileNameOf = (group: string): string => {
  const name = [...new TextEncoder().encode(group)]
    .map((byte) => String.fromCharCode(byte))
    .map((char) =>
      /[A-Za-z0-9_-]/.test(char) ? char : `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .join('');
  return name.length <= 150 ? name : `${name.slice(0, 80)}-${sha256(name)}`;
};
