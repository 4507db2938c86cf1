import { keysAt, placeTitles } from './help.ts';
import { memoPerObject } from './keep.ts';
import type { Bindings, Key, Place } from './keys.ts';

/** Where keys can be changed. All else confirms, leaves, or takes text: there they mean the same in every console. */
const places = ['board', 'zoom', 'menu', 'pager', 'log'] as const;

const isBindable = (place: Place): boolean => places.some((one) => one === place);

/** Digits are places of panes and lines. */
const fixed: ReadonlySet<string> = new Set(['pane', 'nth']);

/** What keys can be changed for, and what each does. */
export const bindableActions = (): ReadonlyMap<string, string> => {
  const actions = new Map<string, string>();
  for (const { does, text } of places.flatMap((place) => keysAt(place)))
    if (!fixed.has(does) && !actions.has(does)) actions.set(does, text);
  return actions;
};

const FREE = /^(?:[!-/:-~]|\p{L}|Space|Ctrl-[A-Z]|Alt-[A-Za-z])$/u;
/** Ctrl with these is Enter, Tab or Backspace, or leaves and suspends. */
const TAKEN = /^Ctrl-[CHIJMZ]$/;

/** Arrows, Enter, Esc, Tab and digits are where everybody looks for them: they stay beside others. */
const isKept = (key: string): boolean => !FREE.test(key);

/** Why a key can't be the key of an action; undefined: it can. */
export const keyProblem = (key: string): string | undefined => {
  if (FREE.test(key) && !TAKEN.test(key)) return undefined;
  return `"${key}" can't be the key of an action; choose a character that is no digit and no Space, without Ctrl and Alt`;
};

const withBinding = (key: Key, bindings: Bindings): Key => {
  const own = fixed.has(key.does) ? undefined : bindings[key.does];
  if (own === undefined) return key;
  const { shown: _, ...rest } = key;
  return { ...rest, keys: [...own, ...key.keys.filter(isKept)] };
};

const bind = memoPerObject(
  (keys: readonly Key[], bindings: Bindings): readonly Key[] => keys.map((key) => withBinding(key, bindings)),
  (_, bindings) => bindings,
);

/** The keys of a place as this operator has them. */
export const boundKeys = (place: Place, bindings: Bindings): readonly Key[] =>
  isBindable(place) ? bind(keysAt(place), bindings) : keysAt(place);

/** The name by which the tables know a key that was pressed; empty: the operator has taken that key away. */
export const tableName = (place: Place, bindings: Bindings, name: string): string => {
  if (!isBindable(place)) return name;
  const own = boundKeys(place, bindings).find(({ keys }) => keys.includes(name));
  const key = keysAt(place).find(({ does }) => does === own?.does);
  if (key === undefined) return '';
  return key.keys.includes(name) ? name : (key.keys[0] ?? '');
};

export interface BindingProblem {
  action: string;
  text: string;
}

/**
 * What of the wanted keys can be had. Refused is a key that two actions have at one place, and `y` for anything but what has it: it
 * confirms plans, and so must not open one.
 */
export const checkBindings = (
  wanted: Bindings,
): { bindings: Bindings; problems: readonly BindingProblem[] } => {
  const problems: BindingProblem[] = [];
  let bindings = wanted;
  const refuse = (action: string, text: string): void => {
    problems.push({ action, text });
    bindings = Object.fromEntries(Object.entries(bindings).filter(([name]) => name !== action));
  };
  for (const [action, keys] of Object.entries(wanted))
    if (keys.includes('y') && action !== 'copy')
      refuse(action, '"y" confirms plans; elsewhere it can only be the key of "copy"');
  for (let clash = clashOf(bindings); clash; clash = clashOf(bindings)) refuse(clash.action, clash.text);
  return { bindings, problems };
};

/** The last of the wanted actions of which a key is another one's, too. */
const clashOf = (bindings: Bindings): BindingProblem | undefined => {
  for (const action of Object.keys(bindings).toReversed())
    for (const place of places) {
      const keys = boundKeys(place, bindings);
      const own = keys.find(({ does }) => does === action);
      const other = keys.find(
        ({ does, keys }) => does !== action && keys.some((key) => own?.keys.includes(key)),
      );
      const key = other?.keys.find((one) => own?.keys.includes(one));
      if (other && key !== undefined)
        return {
          action,
          text: `"${key}" is the key of "${other.does}" (${placeTitles[place]}); give one of the two another key`,
        };
    }
  return undefined;
};
