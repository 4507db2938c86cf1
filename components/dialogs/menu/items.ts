import type { RankedFinding } from '../../../src/model/finding.ts';
import { subjectKey, type Subject } from '../../../src/model/subject.ts';
import type { MenuEntry } from '../../../src/model/wire.ts';
import { textOf } from '../../../src/model/words.ts';
import type { Menu, MenuItem, Wanted } from '../../overlays.ts';

/** The line that shows and hides what is no remedy of the finding. */
export const FOLD = 'fold';

/** What a line of the menu is, whatever place it has. */
export const keyOf = ({ action, on = [], set = {} }: Pick<MenuItem, 'action' | 'on' | 'set'>): string =>
  JSON.stringify([action, on.map(subjectKey), Object.entries(set).toSorted()]);

const isElsewhere = (remedy: Wanted, chosen: ReadonlySet<string>): boolean =>
  remedy.subjects.some((subject) => !chosen.has(subjectKey(subject)));

/**
 * A remedy as a line of the menu. It may name only those that it will help: the plan is asked for all that were chosen, so that it says
 * of the others why they are left out. Only a remedy on something else (the port of a node) keeps its own subjects.
 */
export const remedyPlace = (remedy: Wanted, subjects: readonly Subject[]): Pick<MenuItem, 'on' | 'set'> => ({
  ...(isElsewhere(remedy, new Set(subjects.map(subjectKey))) && { on: remedy.subjects }),
  ...(Object.keys(remedy.set).length > 0 && { set: remedy.set }),
});

export const requestOf = (menu: Menu, { action, on, set = {} }: MenuItem): Wanted => ({
  action,
  subjects: on ?? menu.subjects,
  set,
});

const classes: readonly MenuEntry['danger'][] = ['reversible', 'service', 'access'];

/** The remedies first, the mildest at the top; then all else that can be done on the subjects. */
export const arrange = (own: readonly MenuItem[], others: readonly MenuItem[]): readonly MenuItem[] => {
  const known = new Set(own.map(keyOf));
  const mildest = own.toSorted((a, b) => classes.indexOf(a.danger) - classes.indexOf(b.danger));
  const rest = others.filter((item) => !known.has(keyOf(item)));
  return [...new Map([...mildest, ...rest].map((item) => [keyOf(item), item])).values()];
};

/** The remedy that the finding names first among those that can be had. */
export const bestRemedy = ({ remedies, subjects, entries = [], findings }: Menu): MenuItem | undefined => {
  // Without a finding nothing says what helps: the first that can be had.
  if (findings.length === 0) return entries.find(({ available }) => available);
  const byKey = new Map(entries.map((item) => [keyOf(item), item]));
  return remedies
    .map((remedy) => byKey.get(keyOf({ action: remedy.action, ...remedyPlace(remedy, subjects) })))
    .find((item) => item?.available);
};

/** A line that can be chosen: an action, or the one that folds the others. */
export type Line = { key: string; item: MenuItem } | { key: typeof FOLD; item?: undefined };

/** What stands in the menu from top to bottom, and how many are folded away or unfolded. */
export const linesOf = ({
  entries = [],
  findings,
  unfolded,
}: Menu): { lines: readonly Line[]; others: number } => {
  const asLine = (item: MenuItem): Line => ({ key: keyOf(item), item });
  if (findings.length === 0) return { lines: entries.map(asLine), others: 0 };
  const own = entries.filter((item) => item.own).map(asLine);
  const others = entries.filter((item) => !item.own).map(asLine);
  if (others.length === 0) return { lines: own, others: 0 };
  return { lines: [...own, { key: FOLD }, ...(unfolded ? others : [])], others: others.length };
};

/** What a person can do where the console can't: advice, runbook and contact of the findings. */
export const manualRemediesOf = (findings: readonly RankedFinding[]): readonly string[] =>
  findings.flatMap(({ advice, runbook, contact }) => [
    ...(advice === undefined ? [] : [`by hand: ${textOf(advice)}`]),
    ...(contact === undefined ? [] : [`contact: ${contact}`]),
    ...(runbook === undefined ? [] : [`runbook: ${runbook}`]),
  ]);

/** What is otherwise than before, for the line that says so; undefined: nothing that matters to a choice. */
export const changeOf = (before: readonly MenuItem[], now: readonly MenuItem[]): string | undefined => {
  const old = new Map(before.map((item) => [keyOf(item), item]));
  const changes = now.flatMap((item) => {
    const was = old.get(keyOf(item));
    if (was?.available === item.available) return [];
    if (item.available)
      return was ? [`${item.title} is available now`] : item.own ? [`new: ${item.title}`] : [];
    return was ? [`${item.title} is no longer available: ${item.text}`] : [];
  });
  return changes.length === 0 ? undefined : changes.join('; ');
};
