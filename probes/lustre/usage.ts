import type { Views } from './views.ts';

/** How full an OST is, KiB. */
export interface Usage {
  kbTotal?: number;
  kbAvail?: number;
  kbUsed?: number;
  /** No source that tells it answers now. */
  stale?: true;
}

/** From the OSS itself, else a client's df, else an MDS's copy; a source that answers now before one that does not. */
export const usageOf = (ost: string, { owners, df, osps }: Views): Usage => {
  const own = owners.get(ost);
  const seen = df.get(ost);
  const copies = [...osps.values()].flatMap((imports) => imports.get(ost) ?? []);
  const all = [
    ...(own ? [{ stale: own.stale, usage: fromStatfs(own.value) }] : []),
    ...(seen ? [{ stale: seen.stale, usage: fromDf(seen.value) }] : []),
    ...copies.map(({ stale, value }) => ({ stale, usage: fromStatfs(value) })),
  ].filter(({ usage }) => usage.kbAvail !== undefined);
  const fresh = all.find(({ stale }) => !stale);
  return fresh?.usage ?? { ...all[0]?.usage, stale: true };
};

type Statfs = { [K in 'kbTotal' | 'kbFree' | 'kbAvail']?: number | undefined };

const fromStatfs = ({ kbTotal, kbFree, kbAvail }: Statfs): Usage =>
  kbTotal === undefined || kbFree === undefined || kbAvail === undefined
    ? {}
    : { kbTotal, kbAvail, kbUsed: kbTotal - kbFree };

const fromDf = ({
  kbTotal,
  kbUsed,
  kbAvail,
}: { [K in 'kbTotal' | 'kbAvail' | 'kbUsed']?: number | undefined }): Usage => ({
  ...(kbTotal !== undefined && { kbTotal }),
  ...(kbUsed !== undefined && { kbUsed }),
  ...(kbAvail !== undefined && { kbAvail }),
});
