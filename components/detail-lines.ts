import { blockLines } from './dialogs/pager/lines.ts';
import { findingDetail } from './findings.ts';
import { fillLines, ruleLine } from './frame.ts';
import { detailKey } from './details.ts';
import type { Rect } from './layout.ts';
import { cell, type Painted } from './paint.ts';
import { detailTarget, type Focused, type State } from './state.ts';
import type { Theme } from './theme.ts';

/** The detail of the row under the cursor, beside or below a zoomed pane. */
export const detailLines = (
  theme: Theme,
  state: State,
  at: Focused | undefined,
  rect: Rect,
): readonly Painted[] => {
  const { width, height } = rect;
  const target = detailTarget(state, at);
  const name = target ? `${target.subject.kind} ${target.subject.id}` : 'detail';
  const rule = ruleLine(theme, name, { text: '', style: 'dim' }, width, false);
  if (!target) return fillLines([rule, cell(theme, '   no row, no detail', width, 'dim')], width, height);
  const { detail } = state.ui;
  const own = target.finding ? findingDetail(target.finding, state.data.findings ?? [], state.now) : [];
  const known = detail?.key === detailKey(target.system, target.subject) ? detail : undefined;
  const lines = [...blockLines(theme, [...own, ...(known?.blocks ?? [])], width, state.now)];
  if (known?.error !== undefined) lines.push(cell(theme, `   not known: ${known.error}`, width, 'warning'));
  else if (!known) lines.push(cell(theme, '   asking ...', width, 'dim'));
  const hidden = lines.length - (height - 1);
  if (hidden > 0)
    lines.splice(
      height - 2,
      lines.length,
      cell(theme, `   ${hidden + 1} more lines: Enter shows all`, width, 'dim'),
    );
  return fillLines([rule, ...lines], width, height);
};
