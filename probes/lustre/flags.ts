import type { Judgement } from '../../src/model/system.ts';
import type { OstRow } from './join.ts';

/** What somebody set on an OST to keep objects away: `degraded`, `max_create_count=0`, `inactive`, `no_create`. */
export const flagsOf = ({ degraded, noCreate, mdts }: OstRow): string[] => [
  ...(mdts.some(({ osp }) => osp?.active === false) ? ['inactive'] : []),
  ...(mdts.some(({ osp }) => osp?.maxCreateCount === 0) ? ['max_create_count=0'] : []),
  ...(degraded ? ['degraded'] : []),
  ...(noCreate ? ['no_create'] : []),
];

export const flagsSeries = (ost: string): string => `lustre/ost/${ost}/flags`;

/** UTC ms since when the flags are as they are now, as far as this console saw; undefined when it does not know. */
export const flagsSince = (ost: OstRow, { history }: Judgement): number | undefined => {
  const last = history.changes(flagsSeries(ost.name), 0).at(-1);
  return last?.value === flagsOf(ost).join(' ') ? last.at : undefined;
};
