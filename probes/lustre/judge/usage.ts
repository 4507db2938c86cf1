import { dropUndefined } from '../../../src/kit/known.ts';
import type { OstOnServer } from '../readings.ts';
import type { MdtUsage, OstRow } from './rows.ts';
import type { Recorded, Views } from './views.ts';

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
}: { [K in keyof Omit<Usage, 'stale'>]?: number | undefined }): Usage =>
  dropUndefined({ kbTotal, kbUsed, kbAvail });

/** How full an MDT is: the word of its server while that answers, else of a client. */
export const mdtUsage = (name: string, { mdts, df }: Views): MdtUsage => {
  const own = mdts.get(name);
  const seen = df.get(name);
  if (own && !own.stale && own.value.mdt.kbAvail !== undefined) {
    const { kbTotal, kbFree, kbAvail, filesTotal, filesFree } = own.value.mdt;
    const kbUsed = kbTotal === undefined || kbFree === undefined ? undefined : kbTotal - kbFree;
    return {
      ...dropUndefined({ kbAvail, filesFree, used: shareUsed(kbUsed, kbAvail) }),
      ...dropUndefined({ filesUsed: filesShare(filesTotal, filesFree) }),
      probe: 'lustre.mds',
      host: own.host,
    };
  }
  if (!seen || seen.stale) return {};
  const { kbUsed, kbAvail, flags } = seen.value;
  return {
    ...dropUndefined({ kbAvail, used: shareUsed(kbUsed, kbAvail) }),
    // Of the inodes df without -i tells only that there are none: the letter I (2.13 and later).
    ...(flags?.includes('I') && { filesUsed: 1, filesFree: 0 }),
    probe: 'lustre.df',
    host: seen.host,
  };
};

/** As `lfs df` counts: what is reserved is neither used nor available. */
export const shareUsed = (used: number | undefined, avail: number | undefined): number | undefined =>
  used === undefined || avail === undefined || used + avail <= 0 ? undefined : used / (used + avail);

/** Of a backend that tells no number of inodes (0) no share is known. */
const filesShare = (total: number | undefined, free: number | undefined): number | undefined =>
  total === undefined || free === undefined || total <= 0 ? undefined : (total - free) / total;

/** Inodes of an OST: its server's word while that answers, else an MDT's copy, else that a client's df shows the letter I. */
export const filesOf = (
  name: string,
  owner: Recorded<OstOnServer> | undefined,
  flags: string | undefined,
  { osps }: Views,
): Pick<OstRow, 'filesTotal' | 'filesFree'> => {
  const copies = [...osps.values()].flatMap((imports) => imports.get(name) ?? []);
  const current = [owner, ...copies].find((one) => one && !one.stale && one.value.filesFree !== undefined);
  if (current)
    return dropUndefined({ filesTotal: current.value.filesTotal, filesFree: current.value.filesFree });
  return flags?.includes('I') ? { filesFree: 0 } : {};
};
