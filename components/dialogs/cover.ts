import { visible } from '../../src/text/safe.ts';
import { wrap } from '../../src/text/width.ts';
import type { Context } from '../context.ts';
import { hintsOf } from '../keys.ts';
import { blank, cell, joined, safeWidth, type Painted } from '../paint.ts';
import type { State } from '../state.ts';
import type { Style, Theme } from '../theme.ts';
import type { Form, Menu, Notice, Overlay, Palette } from '../ui.ts';
import { boxed, hintLine, innerWidth, type Cover } from './box.ts';
import { confirmCover } from './confirm-view.ts';
import { jotCover } from './jot-view.ts';
import { pagerCover } from './pager.ts';
import { shellCover } from './shell-view.ts';
import { suggestions, type Commands } from './palette.ts';
import { openRuns, runCover } from './run.ts';

const prose = (theme: Theme, text: string, width: number, style: Style = 'plain'): readonly Painted[] =>
  wrap(visible(text), width).map((line) => cell(theme, line, width, style));

const keysLine = (theme: Theme, place: Overlay['kind'], width: number): Painted =>
  hintLine(
    theme,
    hintsOf(place, false).map((hint) => [hint.key, hint.text] as const),
    width,
  );

/** Draws an overlay over the screen. */
export const coverOf = (
  overlay: Overlay,
  state: State,
  context: Pick<Context, 'ports' | 'state'>,
  commands: Commands,
): Cover => {
  const { theme, readOnly } = context.ports;
  if (overlay.kind === 'menu') return menuCover(theme, overlay, state);
  if (overlay.kind === 'form') return formCover(theme, overlay, state);
  if (overlay.kind === 'shell') return shellCover(theme, overlay, state);
  if (overlay.kind === 'jot') return jotCover(theme, overlay, state);
  if (overlay.kind === 'confirm') return confirmCover(theme, overlay, state.size, state.mono);
  if (overlay.kind === 'run') return runCover(theme, overlay, state.live, state.size, state.now);
  if (overlay.kind === 'pager') return pagerCover(theme, overlay, state, readOnly);
  if (overlay.kind === 'palette')
    return paletteCover(theme, overlay, state, suggestions(context, overlay.text, commands));
  if (overlay.kind === 'notice') return noticeCover(theme, overlay, state);
  return leaveCover(theme, overlay.stopping, state);
};

const menuCover = (theme: Theme, menu: Menu, state: State): Cover => {
  const width = innerWidth(state.size, 120);
  const entries = menu.entries ?? [];
  // Titles name what is acted on, to their ends: which of two ports it is may stand in the last letters.
  const titles = Math.min(Math.max(24, ...entries.map(({ title }) => safeWidth(title))), width - 30);
  const room = width - titles - 16;
  // A reason that is cut is no reason: the chosen entry's stands below in full, in room that is kept for the longest.
  const whole = entries.map(({ text }) => (safeWidth(text) > room ? wrap(text, width - 2) : []));
  const below = Math.max(0, ...whole.map((lines) => lines.length));
  const most = Math.max(1, state.size.rows - 8 - below);
  const top = Math.max(0, Math.min(menu.cursor - Math.floor(most / 2), entries.length - most));
  const lines = entries.slice(top, top + most).map((entry, index) => {
    const cursor = top + index === menu.cursor;
    const style: Style = entry.available ? (cursor ? 'bold' : 'plain') : 'dim';
    return joined(
      cell(theme, cursor ? '> ' : entry.available ? '  ' : '- ', 2, cursor ? 'accent' : 'dim'),
      cell(theme, entry.title, titles, style),
      blank(2),
      cell(theme, entry.text, room, entry.available ? 'plain' : 'dim'),
      cell(
        theme,
        entry.available ? entry.danger : '',
        12,
        entry.danger === 'access' ? 'critical' : entry.danger === 'service' ? 'warning' : 'dim',
        'right',
      ),
    );
  });
  const waiting = menu.entries === undefined ? 'asking what can be done ...' : 'no actions for this';
  return boxed(
    theme,
    menu.title,
    [
      ...(lines.length > 0 ? lines : [cell(theme, waiting, width, 'dim')]),
      blank(width),
      ...Array.from({ length: below }, (_, at) =>
        cell(theme, `  ${whole[menu.cursor]?.[at] ?? ''}`, width, 'dim'),
      ),
      menu.busy === undefined
        ? keysLine(theme, 'menu', width)
        : cell(theme, `${menu.busy} ...`, width, 'dim'),
    ],
    width,
    state.size,
  );
};

const formCover = (theme: Theme, form: Form, state: State): Cover => {
  const width = innerWidth(state.size, 100);
  const fields = form.entry.prompts.flatMap((prompt, index) => {
    const here = index === form.field;
    const value = `${form.values[prompt.name] ?? ''}${here ? '_' : ''}`;
    // The end of a long text is what is being typed.
    const room = width - 4;
    const shown = value.length > room ? `…${value.slice(value.length - room + 1)}` : value;
    return [
      cell(theme, `${prompt.label}${prompt.required ? ' (required)' : ''}`, width, here ? 'bold' : 'dim'),
      joined(
        cell(theme, here ? '> ' : '  ', 2, 'accent'),
        cell(theme, shown, width - 2, here ? 'accent' : 'plain'),
      ),
    ];
  });
  const foot =
    form.busy === undefined ? keysLine(theme, 'form', width) : cell(theme, `${form.busy} ...`, width, 'dim');
  return boxed(
    theme,
    form.entry.title,
    [...fields, cell(theme, form.complaint ?? '', width, 'warning'), foot],
    width,
    state.size,
  );
};

const noticeCover = (theme: Theme, notice: Notice, state: State): Cover => {
  const width = innerWidth(state.size, 100);
  const [first = '', ...rest] = notice.lines;
  const lines = [
    ...prose(theme, first, width, notice.style),
    ...rest.flatMap((line) => prose(theme, line, width)),
  ];
  return boxed(
    theme,
    notice.title,
    [...lines.slice(0, state.size.rows - 6), blank(width), keysLine(theme, 'notice', width)],
    width,
    state.size,
  );
};

const leaveCover = (theme: Theme, stopping: boolean, state: State): Cover => {
  const width = innerWidth(state.size, 90);
  const runs = openRuns(state.live);
  const lines = runs.map((run) => {
    const held =
      run.hold && `held: ${run.title}: leaving leaves its undo armed, ${run.hold.secondsLeft} s left`;
    return cell(theme, held ?? `still running: ${run.title}`, width, 'warning');
  });
  const what = stopping
    ? 'It stops before its next target; the console leaves when it has ended.'
    : 'Leaving now would leave its last step unread. Ctrl-C once more leaves at once: the next start reports what is true.';
  return boxed(
    theme,
    'A run is going on',
    [...lines, ...prose(theme, what, width), blank(width), keysLine(theme, 'leave', width)],
    width,
    state.size,
  );
};

/** The palette stands above the bottom line, its suggestions over it. */
const paletteCover = (theme: Theme, palette: Palette, state: State, offered: readonly string[]): Cover => {
  const width = state.size.columns;
  const shown = offered.slice(0, Math.max(0, Math.min(8, state.size.rows - 4)));
  const lines = [
    cell(theme, '─'.repeat(width), width, 'dim'),
    ...shown.map((text) => cell(theme, `  ${text}`, width, 'dim')),
    ...(palette.complaint === undefined
      ? [cell(theme, `:${palette.text}_`, width, 'accent')]
      : prose(theme, `:${palette.text}   ${palette.complaint}`, width, 'warning')),
  ];
  return {
    left: 0,
    top: Math.max(0, state.size.rows - 1 - lines.length),
    width,
    height: lines.length,
    lines,
  };
};
