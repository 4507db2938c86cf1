import { patch, type Context } from '../context.ts';
import { defineKeys, runKey } from '../keys.ts';
import { blank, cell, paintWrapped } from '../paint.ts';
import { LEAST } from '../layout.ts';
import type { Token } from '../tokens.ts';
import type { Leave } from '../overlays.ts';
import { type Dialog, type Press, drawBox, innerWidth, keysLine } from './dialog.ts';
import { openRuns, requestStop } from './run/run.ts';

const keys = defineKeys([
  {
    keys: ['x'],
    does: 'stop',
    text: 'stop the run before its next target and leave when it has ended',
    hint: 'stop it and leave',
  },
  { keys: ['y', 'q'], does: 'leave', text: 'leave, when no run is going on', hint: 'leave' },
  { keys: ['Esc', 'Enter', 'n'], does: 'cancel', text: 'stay', hint: 'stay', shown: 'Esc' },
]);

/** A second `q` that comes so soon was pressed: a key that is held repeats after 250 ms at the earliest, as keyboards are set. */
const TWICE_MS = 200;

const isBusy = (context: Pick<Context, 'state'>): boolean => openRuns(context.state().live).length > 0;

/** Asks whether to leave; a window that is too small to ask in is left at once when no run goes on. */
export const askToLeave = (context: Context): void => {
  const { size } = context.state();
  if (size.columns < LEAST.columns || size.rows < LEAST.rows) leave(context);
  else openQuestion(context);
};

/** Leaves, for another site if one is named, or asks first when a run goes on. */
export const leave = (context: Context, to?: string): void => {
  if (isBusy(context)) openQuestion(context, to);
  else context.ports.exit(to);
};

const openQuestion = (context: Context, to?: string): void =>
  context.push({
    kind: 'leave',
    stopping: false,
    openedAt: context.ports.clock.mono(),
    ...(to !== undefined && { to }),
  });

/** A held key, and keys that came in one chunk (a paste), leave nothing. */
const confirm = (
  context: Context,
  { openedAt, to }: Leave,
  { alone, repeat }: Token,
  { held }: Press,
): void => {
  const isTwice = !repeat && context.ports.clock.mono() - openedAt < TWICE_MS;
  if (isBusy(context)) context.toast('a run is going on: x stops the run, then leaves', 'warning');
  else if (alone && (isTwice || !held)) context.ports.exit(to);
  else context.toast('held and pasted keys do not leave: press y', 'warning');
};

const stopRuns = (context: Context, leave: Leave): void => {
  if (leave.stopping) return;
  patch(context, leave, { stopping: true });
  for (const { id } of openRuns(context.state().live)) requestStop(context, id);
};

/** A person who stopped a run to leave leaves when it has ended. */
export const leaveWhenIdle = (context: Context): void => {
  const { ui, live } = context.state();
  // What is held undoes itself: nobody need wait for it.
  const busy = openRuns(live).filter(({ hold }) => hold?.state !== 'waiting');
  const question = ui.overlays.find((overlay) => overlay.kind === 'leave');
  if (question?.stopping === true && busy.length === 0) context.ports.exit(question.to);
};

/** The question whether to leave, and what goes on. */
export const leaveDialog: Dialog<Leave> = {
  keys,
  press: (context, leave, token, press) => {
    const cancel = (): void => context.replace(leave, undefined);
    const handlers = {
      cancel,
      leave: () => confirm(context, leave, token, press),
      stop: () => isBusy(context) && stopRuns(context, leave),
    };
    runKey(keys, handlers, token.name);
  },
  draw: ({ ports: { theme }, state }, { stopping }) => {
    const { size, live } = state();
    const width = innerWidth(size, 90);
    const isIdle = openRuns(live).length === 0;
    const shown = keysLine(
      theme,
      keys.filter(({ does }) => does !== (isIdle ? 'stop' : 'leave')),
      width,
    );
    if (isIdle && !stopping) {
      const text = 'No run is going on: nothing is left half done.';
      return drawBox(
        theme,
        'Leave faultline?',
        [...paintWrapped(theme, text, width), blank(width), shown],
        width,
        size,
      );
    }
    const lines = openRuns(live).map(({ hold, title }) => {
      const held = hold && `held: ${title}: leaving leaves its undo armed, ${hold.secondsLeft} s left`;
      return cell(theme, held ?? `still running: ${title}`, width, 'warning');
    });
    const what = stopping
      ? 'It stops before its next target; the console leaves when it has ended.'
      : 'Leaving now leaves the result of its last step unread. Ctrl-C again leaves at once; the next start reads it and reports.';
    return drawBox(
      theme,
      'A run is going on',
      [...lines, ...paintWrapped(theme, what, width), blank(width), shown],
      width,
      size,
    );
  },
};
