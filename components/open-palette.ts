import type { Context } from './context.ts';
import type { KnownNames, Palette } from './overlays.ts';
import { errorText, patch } from './context.ts';

/** `:`. What the collector knows by name comes a moment later, and is completed from then on. */
export const openPalette = (context: Context): void => {
  context.push({ kind: 'palette', text: '', known: { jobs: [] } });
  const { mirror } = context.ports;
  const add = (names: Partial<KnownNames>): void => {
    const now = context.state().ui.overlays.find((one): one is Palette => one.kind === 'palette');
    if (now) patch(context, now, { known: { ...now.known, ...names } });
  };
  const fail = (error: unknown): void => context.toast(`names not known: ${errorText(error)}`, 'warning');
  mirror.request('jobs', {}).then((jobs) => add({ jobs }), fail);
  if (!context.ports.readOnly) mirror.request('actions', {}).then((actions) => add({ actions }), fail);
};
