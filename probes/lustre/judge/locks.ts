import { memoPer } from '../../../src/kit/memo.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { OssReading } from '../readings.ts';
import type { OstRow } from './rows.ts';

export interface Locks {
  granted?: number;
  limit?: number;
  /** Of the namespace that is nearest to its limit. */
  share?: number;
  minSlv?: number;
  /** The lock volume of a namespace fell to a tenth or less within the readings kept, a minute. */
  fell: boolean;
  /** More than at the reading before. */
  timeouts?: number;
}

/** OSTs of a server whose lock volume is a tenth or less of what it was in one of the readings kept. */
const fallenIn = memoPer(({ good, before }: Source<OssReading>): ReadonlySet<string> => {
  const now = new Map(good?.value.osts.map(({ name, locks }) => [name, locks?.slv]));
  const fallen = new Set<string>();
  for (const { value } of before)
    for (const { name, locks } of value.osts) {
      const slv = now.get(name);
      if (slv !== undefined && locks?.slv !== undefined && slv * 10 <= locks.slv) fallen.add(name);
    }
  return fallen;
});

/** The locks of an OSS: sums over its namespaces, and the worst of them; only of the OSTs that count. */
export const locksOf = (
  host: string,
  { readings }: Pick<Judgement, 'readings'>,
  counts: (ost: string) => boolean = () => true,
): Locks => {
  const source = readings.source<OssReading>('lustre.oss', host);
  const osts = (source?.good?.value.osts ?? []).filter(({ name }) => counts(name));
  const own = osts.flatMap(({ locks }) => (locks ? [locks] : []));
  const sum = (list: readonly (number | undefined)[]): number =>
    list.reduce<number>((total, one) => total + (one ?? 0), 0);
  const shares = own.flatMap(({ granted, limit }) =>
    granted !== undefined && limit !== undefined && limit > 0 ? [granted / limit] : [],
  );
  const slvs = own.flatMap(({ slv }) => (slv === undefined ? [] : [slv]));
  const before = source?.before[0]?.value.osts.flatMap(({ name, locks }) =>
    locks && counts(name) ? [locks] : [],
  );
  const fallen = source && fallenIn(source);
  const fell = osts.some(({ name }) => fallen?.has(name));
  return {
    fell,
    ...(shares.length > 0 && {
      granted: sum(own.map((one) => one.granted)),
      limit: sum(own.map((one) => one.limit)),
      share: Math.max(...shares),
    }),
    ...(slvs.length > 0 && { minSlv: Math.min(...slvs) }),
    ...(before && {
      timeouts: sum(own.map((one) => one.timeouts)) - sum(before.map((one) => one.timeouts)),
    }),
  };
};

/** Share of an OST's lock limit that is granted, 0 to 1. */
export const lockShare = (ost: OstRow): number | undefined => {
  const { granted, limit } = ost.own?.locks ?? {};
  return granted === undefined || limit === undefined || limit === 0 ? undefined : granted / limit;
};
