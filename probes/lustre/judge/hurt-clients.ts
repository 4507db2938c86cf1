import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { lustreOf } from './join.ts';
import type { FileSystem, MdtRow } from './rows.ts';

/** Every MDT that anybody names was read: then there are so many. */
const isCounted = (mdts: readonly MdtRow[]): boolean =>
  mdts.length > 0 && mdts.every(({ mdt }) => mdt !== undefined);

/**
 * The clients that have these OSTs mounted, by what their servers say now: `num_exports` counts the clients, the MDTs and the OST itself
 * (obdfilter; Lustre manual). Nothing where a server does not answer or an MDT was not read: a count that may be wrong is not shown.
 */
export const hurtClients = (names: readonly string[], judgement: Judgement): Pick<FindingDraft, 'hurt'> => {
  const { systems } = lustreOf(judgement);
  const counts = systems.flatMap(({ osts, mdts }) =>
    osts
      .filter(({ name }) => names.includes(name))
      .map(({ own, ownStale }) =>
        own?.exports === undefined || ownStale || !isCounted(mdts)
          ? undefined
          : own.exports - mdts.length - 1,
      ),
  );
  const known = counts.filter((count) => count !== undefined);
  const most = Math.max(0, ...known);
  return known.length === counts.length && most > 0 ? { hurt: { clients: most } } : { hurt: {} };
};

/**
 * The clients that have a file system mounted, by those of its OSTs whose servers answer now: each client is connected with all of them,
 * but for those that it has not used for a while (idle_timeout, 2.12 and later), so the most that one of them counts. MDTs that are away
 * are no exports any more: at least so many.
 */
export const hurtMounts = ({ osts, mdts }: FileSystem): Pick<FindingDraft, 'hurt'> => {
  const counts = osts.flatMap(({ own, ownStale }) => (ownStale ? [] : (own?.exports ?? [])));
  const most = Math.max(0, ...counts) - mdts.length - 1;
  return { hurt: most > 0 ? { clients: most } : {} };
};
