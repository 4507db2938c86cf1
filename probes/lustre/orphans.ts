import { count } from '../../src/text/units.ts';
import type { OstRow } from './rows.ts';

/** Objects that were deleted and are not yet gone from an OST (domain/lustre.md section 5, step 5). */
export interface Orphans {
  /** Every MDT says that none is left and that its old records are sent. */
  gone: boolean;
  /** Destroys wait: an MDT holds it inactive. */
  inactive: boolean;
  text: string;
}

export const orphansOf = (ost: OstRow | undefined): Orphans => {
  const imports = ost?.mdts.map(({ osp }) => osp) ?? [];
  const inactive = imports.some((osp) => osp?.active === false);
  const counts = imports.map((osp) => osp?.destroys);
  if (counts.length === 0 || counts.some((one) => one === undefined))
    return { gone: false, inactive, text: 'objects to be destroyed not known' };
  const left = counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const old = imports.some((osp) => osp?.oldSyncProcessed === false);
  return {
    gone: left === 0 && !old && !inactive,
    inactive,
    text: `${count(left, 'object')} to be destroyed${old ? ', old records still to be sent' : ''}`,
  };
};
