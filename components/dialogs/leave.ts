import type { Context } from '../context.ts';
import { errorText, patch } from '../context.ts';
import { lookup } from '../keys.ts';
import type { Token } from '../tokens.ts';
import type { Leave } from '../ui.ts';
import { openRuns } from './run.ts';

/** Leaves, or asks first when a run goes on. */
export const quit = (context: Context): void => {
  if (openRuns(context.state().live).length === 0) context.ports.exit();
  else context.push({ kind: 'leave', stopping: false });
};

/** Keys of the question whether to leave. */
export const pressLeave = (context: Context, leave: Leave, token: Token): void => {
  const does = lookup('leave', token.name);
  if (does === 'cancel') context.replace(leave, undefined);
  if (does !== 'stop' || leave.stopping) return;
  patch(context, leave, { stopping: true });
  for (const run of openRuns(context.state().live)) {
    context.ports.mirror
      .request('stop', { run: run.id })
      .catch((error: unknown) => context.toast(`not stopped: ${errorText(error)}`, 'critical'));
  }
};

/** A person who stopped a run to leave leaves when it has ended. */
export const leaveWhenIdle = (context: Context): void => {
  const { ui, live } = context.state();
  // What is held undoes itself: nobody need wait for it.
  const busy = openRuns(live).filter(({ hold }) => hold?.state !== 'waiting');
  if (ui.overlays.some((one) => one.kind === 'leave' && one.stopping) && busy.length === 0)
    context.ports.exit();
};
