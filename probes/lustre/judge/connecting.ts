import type { Reading, Source } from '../../../src/model/reading.ts';
import type { ClientReading } from '../readings.ts';
import { importState, isConnecting } from '../read/words.ts';
import { fsOf, isMdt } from './names.ts';

/** Readings nearer to each other than this are of one try to connect. */
const apartMs = 5000;

/** Readings of another try than this one. */
export const readingsBefore = <T>(good: Reading<T>, before: readonly Reading<T>[]): Reading<T>[] =>
  before.filter(({ mono }) => good.mono - mono >= apartMs);

interface Target {
  name: string;
  active?: boolean | undefined;
  state?: string | undefined;
}

const targetsIn = ({ mdts, osts }: ClientReading): Target[] =>
  [...mdts, ...osts].filter(({ active, state }) => active !== false && state !== undefined);

const isAway = ({ state }: Target): boolean => state !== undefined && importState(state) !== 'connected';

/**
 * Targets to which a client is only just making its connections, as while it mounts: seen so once, and nothing of the file system was
 * tried in vain (DISCONN follows a try that failed). The MDTs come first in a mount, so a client that has OSTs and misses an MDT has lost it.
 */
export const findConnecting = ({
  good,
  before,
}: Pick<Source<ClientReading>, 'good' | 'before'>): ReadonlySet<string> => {
  if (!good) return new Set();
  const lostBefore = new Set(
    readingsBefore(good, before)
      .flatMap(({ value }) => targetsIn(value).filter(isAway))
      .map(nameOf),
  );
  const byFs = Map.groupBy(targetsIn(good.value), ({ name }) => fsOf(name));
  return new Set(
    [...byFs.values()].flatMap((list) => {
      const away = list.filter(isAway);
      const hasOst = list.some((one) => !isMdt(one.name) && !isAway(one));
      const mounts =
        away.every(({ state }) => state !== undefined && isConnecting(state)) &&
        !(hasOst && away.some(({ name }) => isMdt(name)));
      return mounts ? away.map(nameOf).filter((name) => !lostBefore.has(name)) : [];
    }),
  );
};

const nameOf = ({ name }: Target): string => name;
