import type { Sign } from '../model/subject.ts';
import type { Cell } from '../model/view.ts';

/** The empty cell: one object for all, since tables have many. */
export const blank: Cell = { text: '' };

/** A number, or its text, in a column that is sorted by numbers. */
export const figure = (value: number, text = String(value)): Cell => ({ text, sort: value });

/** How long ago something began, UTC ms. */
export const ageCell = (at: number | undefined): Cell =>
  at === undefined ? blank : { text: '', age: at, sort: at };

const order: readonly Sign[] = ['critical', 'warning', 'unknown', 'stale', 'notice'];

/** The worst of several signs, `fine` without any. */
export const worstSign = (signs: readonly (Sign | undefined)[]): Sign =>
  order.find((sign) => signs.includes(sign)) ?? 'fine';
