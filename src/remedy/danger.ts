import type { Danger } from '../model/action.ts';
import type { Subject } from '../model/subject.ts';

const classes: readonly Danger[] = ['reversible', 'service', 'access'];

/** One class up: the price of exceeding a guard. */
export const raiseDanger = (danger: Danger): Danger => classes[classes.indexOf(danger) + 1] ?? 'access';

export const higherDanger = (a: Danger, b: Danger): Danger =>
  classes.indexOf(a) > classes.indexOf(b) ? a : b;

/** `lag` to `LAGs`, the rest regular. */
const words: Partial<Record<Subject['kind'], readonly [string, string]>> = {
  lag: ['LAG', 'LAGs'],
  ost: ['OST', 'OSTs'],
};

/** `17 nodes`, `1 OST`: as it must be typed, so without separators. */
export const countPhrase = (subjects: readonly Subject[]): string => {
  const kind = subjects[0]?.kind ?? 'host';
  const [one, many] = words[kind] ?? [kind, `${kind}s`];
  return `${subjects.length} ${subjects.length === 1 ? one : many}`;
};

/** The one subject's name; of several the count phrase. */
export const nameOf = (subjects: readonly Subject[]): string =>
  subjects.length === 1 ? (subjects[0]?.id ?? '') : countPhrase(subjects);

/** What must be typed (guard 8): `y`; the target, for several the count phrase; verb and target. */
export const confirmTextOf = (danger: Danger, verb: string, subjects: readonly Subject[]): string => {
  if (danger === 'reversible') return 'y';
  const what = nameOf(subjects);
  return danger === 'service' ? what : `${verb} ${what}`;
};

/** How long the confirmation stays closed after the dialog opened, ms. */
export const armedAfterMs = (danger: Danger): number => (danger === 'access' ? 2_000 : 0);
