import type { OstRow } from './rows.ts';

export type Flag = 'inactive' | 'max_create_count=0' | 'degraded' | 'no_create';

/** What somebody set on an OST to keep objects away. */
export const flagsOf = ({ degraded, noCreate, mdts }: OstRow): Flag[] => [
  ...(mdts.some(({ osp }) => osp?.active === false) ? ['inactive' as const] : []),
  ...(mdts.some(({ osp }) => osp?.maxCreateCount === 0) ? ['max_create_count=0' as const] : []),
  ...(degraded ? ['degraded' as const] : []),
  ...(noCreate ? ['no_create' as const] : []),
];

export const flagsSeries = (ost: string): string => `lustre/ost/${ost}/flags`;
export const thresholdSeries = (mdt: string): string => `lustre/mdt/${mdt}/qos_threshold_rr`;
