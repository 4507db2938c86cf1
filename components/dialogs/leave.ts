import { patch, type Context } from '../context.ts';
import { defineKeys, runKey } from '../keys.ts';
import { blank, cell, paintWrapped } from '../paint.ts';
import type { Leave } from '../ui.ts';
import { type Dialog, drawBox, innerWidth, keysLine } from './dialog.ts';
import { openRuns, requestStop } from './run/run.ts';

const keys = defineKeys([
  {
    keys: ['x'],
    does: 'stop',
    text: 'stop the run before its next target and leave when it has ended',
    hint: 'stop it and leave',
  },
  { keys: ['Esc', 'q'], does: 'cancel', text: 'stay', hint: 'stay', shown: 'Esc' },
]);

/** Leaves, or asks first when a run goes on. */
export const quit = (context: Context): void => {
  if (openRuns(context.state().live).length === 0) context.ports.exit();
  else context.push({ kind: 'leave', stopping: false });
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
  if (ui.overlays.some((overlay) => overlay.kind === 'leave' && overlay.stopping) && busy.length === 0)
    context.ports.exit();
};

/** The question whether to leave while a run is going on. */
export const leaveDialog: Dialog<Leave> = {
  keys,
  press: (context, leave, { name }) => {
    const cancel = (): void => context.replace(leave, undefined);
    runKey(keys, { cancel, stop: () => stopRuns(context, leave) }, name);
  },
  draw: ({ ports: { theme }, state }, { stopping }) => {
    const { size, live } = state();
    const width = innerWidth(size, 90);
    const lines = openRuns(live).map(({ hold, title }) => {
      const held = hold && `held: ${title}: leaving leaves its undo armed, ${hold.secondsLeft} s left`;
      return cell(theme, held ?? `still running: ${title}`, width, 'warning');
    });
    const what = stopping
      ? 'It stops before its next target; the console leaves when it has ended.'
      : 'Leaving now would leave its last step unread. Ctrl-C once more leaves at once: the next start reports what is true.';
    return drawBox(
      theme,
      'A run is going on',
      [...lines, ...paintWrapped(theme, what, width), blank(width), keysLine(theme, keys, width)],
      width,
      size,
    );
  },
};
