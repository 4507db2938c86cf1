import type { Sign } from '../model/subject.ts';
import type { Cell } from '../model/view.ts';

/** One for the many cells that are empty. */
export const blank: Cell = { text: '' };

/** A number, or its text, in a column that is sorted by numbers. */
export const figure = (value: number, text = String(value)): Cell => ({ text, sort: value });

/** How long ago something began, UTC ms. */
export const since = (at: number | undefined): Cell =>
  at === undefined ? blank : { text: '', age: at, sort: at };

const order: readonly Sign[] = ['critical', 'warning', 'unknown', 'stale', 'notice'];

/** The sign that counts of several. */
export const worstSign = (signs: readonly (Sign | undefined)[]): Sign =>
  order.find((sign) => signs.includes(sign)) ?? 'fine';
