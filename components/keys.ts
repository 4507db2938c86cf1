import type { Binding, Place } from './binding.ts';
import { bindings } from './bindings.ts';

/** What a key does in a place; keys of `always` come first everywhere. */
export const lookup = (place: Place, key: string): string | undefined =>
  bindings.find((one) => (one.place === 'always' || one.place === place) && one.keys.includes(key))?.does;

/** Bindings of a place as this console has them. */
export const bindingsOf = (place: Place, readOnly: boolean): readonly Binding[] =>
  bindings.filter((one) => one.place === place && !(readOnly && (one.remedies || one.writes)));

const arrows: Readonly<Record<string, string>> = { Up: '↑', Down: '↓', Left: '←', Right: '→' };

/** Keys as people read them: `↑ k`. */
export const keysShown = (binding: Binding): string =>
  binding.shown ?? binding.keys.map((key) => arrows[key] ?? key).join(' ');

/** The bottom line: first key and hint of each. */
export const hintsOf = (
  place: Place,
  readOnly: boolean,
  ofHost = false,
): readonly { key: string; text: string }[] =>
  bindingsOf(place, readOnly).flatMap((one) =>
    one.hint === undefined || (one.ofHost && !ofHost)
      ? []
      : [{ key: one.shown ?? arrows[one.keys[0] ?? ''] ?? one.keys[0] ?? '', text: one.hint }],
  );

export const placeTitles: Readonly<Record<Place, string>> = {
  always: 'everywhere',
  board: 'board',
  zoom: 'zoomed pane',
  filter: 'filter',
  menu: 'action menu',
  form: 'options',
  jot: 'acknowledgement, note',
  shell: 'shell on a host',
  confirm: 'confirmation',
  run: 'run',
  notice: 'message',
  leave: 'leaving',
  pager: 'evidence, audit log, help, host',
  palette: 'command',
};

/** The README's table: the keys of the board and of a zoomed pane, as Markdown. */
export const keyTable = (): string => {
  const places = new Map<string, string[]>();
  for (const one of bindings) {
    if (!['always', 'board', 'zoom'].includes(one.place)) continue;
    const head = `| \`${keysShown(one)}\` | ${one.text} |`;
    places.set(head, [...(places.get(head) ?? []), placeTitles[one.place]]);
  }
  const lines = [...places].map(([head, where]) => `${head} ${where.join(', ')} |`);
  return ['| key | does | where |', '| --- | --- | --- |', ...lines].join('\n');
};
