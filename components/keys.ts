import type { Overlay } from './overlays.ts';

/** Where a key means something. A dialog's keys hide all others but those of `always`. */
export type Place = 'always' | 'board' | 'zoom' | 'filter' | Overlay['kind'];

/** Pages that have keys of their own. */
export type PageKind = 'host' | 'entry' | 'evidence';

/** A key as data: what it does, the help, the bottom line and the README's table all come from it. */
export interface Key<Does extends string = string> {
  /** Token names. */
  keys: readonly string[];
  /** What it does: the name of its handler. */
  does: Does;
  text: string;
  /** Short form for the bottom line; without one it is in the help only. */
  hint?: string;
  /** How the keys are written when the list of them is too long: `1-9`. */
  shown?: string;
  /** Not there in a read-only console: it changes something, or shows what only the remedies know. */
  remedies?: boolean;
  /** Not there in a read-only console: it writes for everybody. */
  writes?: boolean;
  /** In a pager: of such a page only. */
  of?: readonly PageKind[];
}

/** An operator's own keys by what they do (`does` of the tables); what is not in it has the keys of its table. */
export type Bindings = Readonly<Record<string, readonly string[]>>;

/** A table of keys. The type keeps every `does` in it, so that `runKey` can demand a handler for each. */
export const defineKeys = <const Does extends string>(keys: readonly Key<Does>[]): readonly Key<Does>[] =>
  keys;

export type DoesOf<Keys> = Keys extends readonly Key<infer Does>[] ? Does : never;

/** What each key of a table does: a `does` without a handler, or a handler without a key, does not compile. */
export type Handlers<Does extends string, Args extends unknown[]> = Readonly<
  Record<Does, (...args: Args) => void>
>;

/** What a key does by a table; undefined: the table does not have it. */
export const findKey = <Does extends string>(keys: readonly Key<Does>[], name: string): Does | undefined =>
  keys.find((key) => key.keys.includes(name))?.does;

/** Calls the handler of a key; false: the table does not have the key. */
export const runKey = <Does extends string, Args extends unknown[]>(
  keys: readonly Key<Does>[],
  handlers: NoInfer<Handlers<Does, Args>>,
  name: string,
  ...args: Args
): boolean => {
  const does = findKey(keys, name);
  if (does !== undefined) handlers[does](...args);
  return does !== undefined;
};

/** Through a list, or a long text. */
export const moveKeys = defineKeys([
  { keys: ['Up', 'k'], does: 'up', text: 'row above' },
  { keys: ['Down', 'j'], does: 'down', text: 'row below' },
  { keys: ['PgUp', 'Ctrl-U', 'Ctrl-B'], does: 'pageUp', text: 'a page up' },
  { keys: ['PgDn', 'Ctrl-D', 'Ctrl-F'], does: 'pageDown', text: 'a page down' },
  { keys: ['Home', 'g'], does: 'first', text: 'first row' },
  { keys: ['End', 'G'], does: 'last', text: 'last row' },
]);

export type Move = DoesOf<typeof moveKeys>;

/** One handler for all moves. */
export const handleMoves = <Args extends unknown[]>(
  go: (move: Move, ...args: Args) => void,
): Handlers<Move, Args> => ({
  up: (...args) => go('up', ...args),
  down: (...args) => go('down', ...args),
  pageUp: (...args) => go('pageUp', ...args),
  pageDown: (...args) => go('pageDown', ...args),
  first: (...args) => go('first', ...args),
  last: (...args) => go('last', ...args),
});

/** The line at the top after a move through `length` lines of which `height` are shown. */
export const moveTop = (move: Move, top: number, length: number, height: number): number => {
  const last = Math.max(0, length - height);
  const wanted = {
    up: top - 1,
    down: top + 1,
    pageUp: top - height,
    pageDown: top + height,
    first: 0,
    last,
  }[move];
  return Math.max(0, Math.min(last, wanted));
};

/** Keys as this console has them. */
export const availableKeys = (keys: readonly Key[], readOnly: boolean): readonly Key[] =>
  keys.filter((key) => !(readOnly && (key.remedies || key.writes)));

const arrows: Readonly<Record<string, string>> = { Up: '↑', Down: '↓', Left: '←', Right: '→' };

/** Keys as people read them: `↑ k`. */
export const keysShown = ({ shown, keys }: Pick<Key, 'shown' | 'keys'>): string =>
  shown ?? keys.map((key) => arrows[key] ?? key).join(' ');

/** The first key that does something, for a text that names it. */
export const keyFor = (keys: readonly Key[], does: string): string =>
  keys.find((key) => key.does === does)?.keys[0] ?? '';

/** A key with its hint, for the foot of the screen or of a box. */
export type Hint = readonly [key: string, text: string];

/** `page`: which kind of page is shown; absent: keys of all kinds. */
export const hintsOf = (keys: readonly Key[], readOnly = false, page?: PageKind | 'other'): readonly Hint[] =>
  availableKeys(keys, readOnly).flatMap((key): readonly Hint[] =>
    key.hint === undefined ||
    (key.of !== undefined && page !== undefined && !key.of.some((kind) => kind === page))
      ? []
      : [[keysShown({ ...key, keys: key.keys.slice(0, 1) }), key.hint]],
  );
