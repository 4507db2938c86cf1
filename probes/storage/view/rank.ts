import type { Row } from '../../../src/model/view.ts';

/** Rows by danger: the lowest first. */
export const rankOf = ({ sign }: Pick<Row, 'sign'>): number =>
  ['critical', 'warning', 'unknown'].indexOf(sign ?? 'fine') + 1 || 9;
