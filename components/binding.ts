/** Where a key means something. A dialog's keys hide all others but those of `always`. */
export type Place =
  | 'always'
  | 'board'
  | 'zoom'
  | 'filter'
  | 'menu'
  | 'form'
  | 'jot'
  | 'shell'
  | 'confirm'
  | 'run'
  | 'notice'
  | 'leave'
  | 'pager'
  | 'palette';

/** A key as data: dispatch, the help, the bottom line and the README's table all come from it. */
export interface Binding {
  place: Place;
  /** Token names. */
  keys: readonly string[];
  /** What it does; the name under which the dispatcher knows it. */
  does: string;
  text: string;
  /** Short form for the bottom line; without one it is in the help only. */
  hint?: string;
  /** How the keys are written when the list of them is too long: `1-9`. */
  shown?: string;
  /** Not there in a read-only console: it changes something, or shows what only the remedies know. */
  remedies?: boolean;
  /** Not there in a read-only console: it writes for everybody. */
  writes?: boolean;
  /** In a pager: of a host's page only. */
  ofHost?: boolean;
}

/** A key in a place that is named around it. */
export type Key = Omit<Binding, 'place'>;

/** Through a list, or a long text. */
export const move: readonly Key[] = [
  { keys: ['Up', 'k'], does: 'up', text: 'row above' },
  { keys: ['Down', 'j'], does: 'down', text: 'row below' },
  { keys: ['PgUp', 'Ctrl-U', 'Ctrl-B'], does: 'pageUp', text: 'a page up' },
  { keys: ['PgDn', 'Ctrl-D', 'Ctrl-F'], does: 'pageDown', text: 'a page down' },
  { keys: ['Home', 'g'], does: 'first', text: 'first row' },
  { keys: ['End', 'G'], does: 'last', text: 'last row' },
];

export const at = (place: Place, list: readonly Key[]): Binding[] =>
  list.map((binding) => ({ place, ...binding }));
