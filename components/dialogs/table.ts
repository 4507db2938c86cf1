import { defineKeys, runKey, type Key } from '../keys.ts';
import { blank, paintWrapped } from '../paint.ts';
import type { Notice, Overlay } from '../overlays.ts';
import { annotationDialog } from './annotation.ts';
import { confirmDialog } from './confirm/confirm.ts';
import { drawBox, innerWidth, keysLine, type Dialog } from './dialog.ts';
import { leaveDialog } from './leave.ts';
import { logDialog } from './log/log.ts';
import { menuDialog } from './menu/menu.ts';
import { formDialog } from './menu/plan.ts';
import { pagerDialog } from './pager/pager.ts';
import { paletteDialog } from './palette.ts';
import { runDialog } from './run/run.ts';
import { shellDialog } from './shell.ts';

const noticeKeys = defineKeys([
  { keys: ['Esc', 'Enter', 'q'], does: 'cancel', text: 'close', hint: 'close', shown: 'Esc' },
]);

/** A message that waits until it was read. */
const noticeDialog: Dialog<Notice> = {
  keys: noticeKeys,
  press: (context, notice, { name }) => {
    runKey(noticeKeys, { cancel: () => context.replace(notice, undefined) }, name);
  },
  draw: ({ ports: { theme }, state }, { title, lines: [first = '', ...rest], style }) => {
    const { size } = state();
    const width = innerWidth(size, 100);
    const lines = [
      ...paintWrapped(theme, first, width, style),
      ...rest.flatMap((line) => paintWrapped(theme, line, width)),
    ];
    const kept = lines.slice(0, size.rows - 6);
    return drawBox(theme, title, [...kept, blank(width), keysLine(theme, noticeKeys, width)], width, size);
  },
};

const dialogs: { readonly [Kind in Overlay['kind']]: Dialog<Extract<Overlay, { kind: Kind }>> } = {
  menu: menuDialog,
  form: formDialog,
  annotation: annotationDialog,
  shell: shellDialog,
  confirm: confirmDialog,
  run: runDialog,
  notice: noticeDialog,
  leave: leaveDialog,
  pager: pagerDialog,
  log: logDialog,
  palette: paletteDialog,
};

export const dialogOf = (overlay: Overlay): Dialog<Overlay> => dialogs[overlay.kind];

export const dialogKeys = (kind: Overlay['kind']): readonly Key[] => dialogs[kind].keys;
