import { hintsOf } from '../keys.ts';
import { blank, cell } from '../paint.ts';
import type { State } from '../state.ts';
import type { Theme } from '../theme.ts';
import type { ShellBox } from '../ui.ts';
import { boxed, hintLine, innerWidth, type Cover } from './box.ts';

/** To which host the shell goes, before it is opened. */
export const shellCover = (theme: Theme, { host, others }: ShellBox, state: State): Cover => {
  const width = innerWidth(state.size, 80);
  const lines = [
    cell(theme, `ssh ${host}`, width, 'bold'),
    blank(width),
    cell(theme, 'What is typed there is not guarded and not recorded; that it was opened is.', width),
    cell(theme, 'The console waits, and reads this host again when the shell ends.', width),
    ...(others > 0
      ? [cell(theme, `The row is about ${others} more hosts; the shell goes to this one.`, width, 'dim')]
      : []),
    blank(width),
    hintLine(
      theme,
      hintsOf('shell', false).map((hint) => [hint.key, hint.text] as const),
      width,
    ),
  ];
  return boxed(theme, `Shell on ${host}`, lines, width, state.size);
};
