import type { Context } from './context.ts';
import { dialogKeys } from './dialogs/table.ts';
import { alwaysKeys, boardKeys, filterKeys, zoomKeys } from './key-tables.ts';
import { keysShown, type Key, type Place } from './keys.ts';
import { newPager } from './open.ts';
import { detailTarget, focusedPane, headOf } from './state.ts';
import { placeOf } from './ui.ts';

/** All places, in the order of the help. */
export const placeTitles: Readonly<Record<Place, string>> = {
  always: 'everywhere',
  board: 'board',
  zoom: 'zoomed pane',
  filter: 'filter',
  menu: 'action menu',
  form: 'options',
  annotation: 'acknowledgement, note',
  shell: 'shell on a host',
  confirm: 'confirmation',
  run: 'run',
  pager: 'evidence, run, help, host',
  log: 'audit log',
  palette: 'command',
  notice: 'message',
  leave: 'leaving',
};

const places = Object.keys(placeTitles) as Place[];

/** The keys of a place. */
export const keysAt = (place: Place): readonly Key[] => {
  if (place === 'always') return alwaysKeys;
  if (place === 'board') return boardKeys;
  if (place === 'zoom') return zoomKeys;
  return place === 'filter' ? filterKeys : dialogKeys(place);
};

export interface HelpSection {
  title: string;
  keys: readonly Key[];
}

/** The keys of one place, then those of all others; a message and the question on leaving say theirs themselves. */
export const helpSections = (
  place: Place,
  keysOf: (place: Place) => readonly Key[] = keysAt,
): readonly HelpSection[] => {
  const others = places.filter((other) => other !== place && other !== 'notice' && other !== 'leave');
  return [place, ...others].map((each) => ({ title: placeTitles[each], keys: keysOf(each) }));
};

/** The keys of this place, after what the system under the cursor has to say. */
export const openHelp = (context: Context): void => {
  const state = context.state();
  const system = detailTarget(state, focusedPane(state, context.lists))?.system ?? state.ui.focus;
  const { title = '', help: lines } = headOf(state.data, system) ?? {};
  const sections = helpSections(placeOf(state.ui), context.keys);
  context.push(newPager('Keys', { type: 'help', sections, ...(lines && { about: { title, lines } }) }));
};

/** The README's table: the keys of the board and of a zoomed pane, as Markdown. */
export const keyTable = (): string => {
  const placesOfKey = new Map<string, string[]>();
  for (const place of ['always', 'board', 'zoom'] as const)
    for (const key of keysAt(place)) {
      const start = `| \`${keysShown(key)}\` | ${key.text} |`;
      placesOfKey.set(start, [...(placesOfKey.get(start) ?? []), placeTitles[place]]);
    }
  const lines = [...placesOfKey].map(([start, titles]) => `${start} ${titles.join(', ')} |`);
  return ['| key | does | where |', '| --- | --- | --- |', ...lines].join('\n');
};
