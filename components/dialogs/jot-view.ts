import { visible } from '../../src/text/safe.ts';
import { wrap } from '../../src/text/width.ts';
import { hintsOf } from '../keys.ts';
import { blank, cell, joined } from '../paint.ts';
import type { State } from '../state.ts';
import type { Theme } from '../theme.ts';
import type { Jot } from '../ui.ts';
import { boxed, hintLine, innerWidth, type Cover } from './box.ts';

/** What it is about, the fields, a complaint, the keys. */
export const jotCover = (theme: Theme, jot: Jot, state: State): Cover => {
  const width = innerWidth(state.size, 100);
  const about = jot.about.flatMap((text) =>
    wrap(visible(text), width).map((line) => cell(theme, line, width)),
  );
  const fields = jot.fields.flatMap((field, index) => {
    const here = index === jot.field;
    const value = visible(`${jot.values[field.name] ?? ''}${here ? '_' : ''}`);
    // The end of a long text is what is being typed.
    const room = width - 4;
    const shown = value.length > room ? `…${value.slice(value.length - room + 1)}` : value;
    return [
      cell(theme, field.label, width, here ? 'bold' : 'dim'),
      joined(
        cell(theme, here ? '> ' : '  ', 2, 'accent'),
        cell(theme, shown, width - 2, here ? 'accent' : 'plain'),
      ),
    ];
  });
  const complaint = wrap(visible(jot.complaint ?? ''), width).map((line) =>
    cell(theme, line, width, 'warning'),
  );
  const hints = hintsOf('jot', false).map((hint) => [hint.key, hint.text] as const);
  const foot = jot.busy ? cell(theme, 'writing ...', width, 'dim') : hintLine(theme, hints, width);
  const lines = [...about, blank(width), ...fields, ...complaint, foot];
  return boxed(theme, jot.title, lines.slice(-(state.size.rows - 2)), width, state.size);
};
