import { createAlerts } from './alerts.ts';
import type { Context, Ports } from './context.ts';
import { patch } from './context.ts';
import { pressBoard } from './board-keys.ts';
import { paletteCommands } from './commands.ts';
import { createDetails } from './details.ts';
import { expireConfirm, pressConfirm, resizedConfirm } from './dialogs/confirm.ts';
import { pasteForm, pressForm } from './dialogs/form.ts';
import { pasteJot, pressJot } from './dialogs/jot.ts';
import { leaveWhenIdle, pressLeave, quit } from './dialogs/leave.ts';
import { pressMenu } from './dialogs/menu.ts';
import { pressPager } from './dialogs/pager.ts';
import { pressPalette, type Commands } from './dialogs/palette.ts';
import { openRuns, pressRun } from './dialogs/run.ts';
import { edited } from './dialogs/text-field.ts';
import { lookup } from './keys.ts';
import { createLists, type Lists } from './lists.ts';
import { pressShell } from './shell.ts';
import type { Size, State } from './state.ts';
import type { Token } from './tokens.ts';
import { areaOf, freshUi, placeOf, withArea, type Overlay, type Ui } from './ui.ts';

/** The console without its drawing: a state, and what keys, ticks and sizes make of it. */
export interface Console {
  ports: Ports;
  lists: Lists;
  commands: Commands;
  state(): State;
  subscribe(listener: () => void): () => void;
  /** All key presses of one chunk of input. */
  press(tokens: readonly Token[]): void;
  paste(text: string): void;
  resize(size: Size): void;
  /** Once a second, and whenever a dialog's countdown moves. */
  tick(): void;
  /** A word at the foot of the screen. */
  say(text: string): void;
  close(): void;
}

/** A key seen again sooner than this is being held down (the first repeat comes after 250 to 660 ms). */
const HELD_MS = 700;
const TOAST_MS = 5000;

export const createConsole = (ports: Ports, size: Size): Console => {
  const lists = createLists(ports.theme, () => ports.clock.now());
  const listeners = new Set<() => void>();
  const told = new Set<string>();
  const keysSeen = new Map<string, number>();
  const second = (): number => Math.floor(ports.clock.now() / 1000) * 1000;
  const live = ports.mirror.snapshot();
  let state: State = { ui: freshUi, data: live, live, size, now: second(), mono: ports.clock.mono() };
  let settling = false;

  const publish = (next: Partial<State>): void => {
    const merged = { ...state, mono: ports.clock.mono(), ...next };
    state = { ...merged, data: merged.ui.paused?.data ?? merged.live };
    for (const listener of listeners) listener();
    // What follows from a change (asking for a detail) may change again, but not without end.
    if (settling) return;
    settling = true;
    details();
    settling = false;
  };
  const context: Context = {
    ports,
    lists,
    state: () => state,
    change: (change) => publish({ ui: change(state.ui) }),
    push: (overlay) => context.change((ui) => ({ ...ui, overlays: [...ui.overlays, overlay] })),
    replace: (old, next) =>
      context.change((ui) => ({
        ...ui,
        overlays: ui.overlays.flatMap((one) => (one === old ? (next ? [next] : []) : [one])),
      })),
    toast: (text, style = 'plain') =>
      context.change((ui) => ({ ...ui, toast: { text, style, until: ports.clock.mono() + TOAST_MS } })),
  };
  const details = createDetails(context);
  const commands = paletteCommands(context);
  const alerts = createAlerts();
  const unsubscribe = ports.mirror.subscribe(() => {
    const next = ports.mirror.snapshot();
    if (next.findings !== state.live.findings && ports.alerts) {
      const bytes = alerts(next.findings, next.strip?.site ?? '', ports.alerts());
      if (bytes !== '') ports.writeRaw(bytes);
    }
    publish({ live: next });
  });

  const pressOne = (token: Token, chunk: number): void => {
    const mono = ports.clock.mono();
    const held = token.repeat || mono - (keysSeen.get(token.name) ?? -Infinity) < HELD_MS;
    keysSeen.set(token.name, mono);
    if (always(context, token)) return;
    const top = state.ui.overlays.at(-1);
    if (top) pressOverlay(context, top, token, { held, chunk }, commands);
    else if (state.ui.typingFilter) pressFilter(context, token);
    else if (lookup(placeOf(state.ui), token.name) === 'quit') quit(context);
    else pressBoard(context, token);
  };

  return {
    ports,
    lists,
    commands,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    press: (tokens) => {
      for (const token of tokens) pressOne(token, tokens.length);
    },
    paste: (text) => pasted(context, text),
    resize: (size) => {
      const before = state.size;
      publish({ size });
      for (const overlay of state.ui.overlays)
        if (overlay.kind === 'confirm') resizedConfirm(context, overlay, before);
    },
    tick: () => {
      const mono = ports.clock.mono();
      const { toast, ...ui } = state.ui;
      publish({ now: second(), ui: toast && toast.until < mono ? ui : state.ui });
      for (const overlay of state.ui.overlays)
        if (overlay.kind === 'confirm') expireConfirm(context, overlay);
      showHeld(context);
      showLeft(context, told);
      leaveWhenIdle(context);
    },
    say: (text) => context.toast(text, 'warning'),
    close: unsubscribe,
  };
};

const always = (context: Context, token: Token): boolean => {
  const does = token.name.startsWith('Ctrl-') ? lookup('always', token.name) : undefined;
  if (does === 'suspend') context.ports.suspend();
  if (does === 'interrupt') {
    // The second Ctrl-C in a row leaves whatever goes on: the engine is safe against that, and says so on the next start.
    if (context.state().ui.overlays.at(-1)?.kind === 'leave') context.ports.exit();
    else quit(context);
  }
  return does !== undefined;
};

/** A change that is held wants to be seen: its box comes back when it was closed before. */
const showHeld = (context: Context): void => {
  const { ui, live } = context.state();
  const held = openRuns(live).find(({ hold }) => hold?.state === 'waiting');
  if (held === undefined || ui.overlays.length > 0) return;
  context.push({ kind: 'run', run: held.id, title: held.title, top: 0, output: false, stopping: false });
};

/** What an earlier console left behind: shown once while it is waited for, and once with what came of it. */
const showLeft = (context: Context, told: Set<string>): void => {
  const { ui, live } = context.state();
  const left = live.runs.find((run) => run.left && !told.has(`${run.id} ${run.state}`));
  if (left === undefined || ui.overlays.length > 0) return;
  told.add(`${left.id} ${left.state}`);
  context.push({ kind: 'run', run: left.id, title: left.title, top: 0, output: false, stopping: false });
};

const pressOverlay = (
  context: Context,
  overlay: Overlay,
  token: Token,
  press: { held: boolean; chunk: number },
  commands: Commands,
): void => {
  if (overlay.kind === 'menu') pressMenu(context, overlay, token);
  else if (overlay.kind === 'form') pressForm(context, overlay, token);
  else if (overlay.kind === 'jot') pressJot(context, overlay, token);
  else if (overlay.kind === 'shell') pressShell(context, overlay, lookup('shell', token.name));
  else if (overlay.kind === 'confirm') pressConfirm(context, overlay, token, press);
  else if (overlay.kind === 'run') pressRun(context, overlay, token);
  else if (overlay.kind === 'leave') pressLeave(context, overlay, token);
  else if (overlay.kind === 'pager') pressPager(context, overlay, token);
  else if (overlay.kind === 'palette') pressPalette(context, overlay, token, commands);
  else if (lookup('notice', token.name) === 'cancel') context.replace(overlay, undefined);
};

const pressFilter = (context: Context, token: Token): void => {
  const { ui } = context.state();
  const does = lookup('filter', token.name);
  const done = (change: (old: Ui) => Ui): void =>
    context.change((old) => ({ ...change(old), typingFilter: false }));
  if (does === 'accept') done((old) => old);
  else if (does === 'cancel') done((old) => withArea(old, old.focus, { filter: '' }));
  else {
    const filter = edited(areaOf(ui, ui.focus).filter, token);
    if (filter !== undefined) context.change((old) => withArea(old, old.focus, { filter }));
  }
};

/** Pasted text goes into text fields only; a confirmation and single keys never see it. */
const pasted = (context: Context, text: string): void => {
  const { ui } = context.state();
  const top = ui.overlays.at(-1);
  const line = text.replace(/\s+/g, ' ');
  if (top?.kind === 'form') pasteForm(context, top, text);
  else if (top?.kind === 'jot') pasteJot(context, top, text);
  else if (top?.kind === 'palette') context.replace(top, { kind: 'palette', text: `${top.text}${line}` });
  else if (top?.kind === 'pager' && top.typing) patch(context, top, { search: `${top.search}${line}` });
  else if (top?.kind === 'confirm') patch(context, top, { complaint: 'pastes are ignored here: type it' });
  else if (!top && ui.typingFilter)
    context.change((old) => withArea(old, old.focus, { filter: `${areaOf(old, old.focus).filter}${line}` }));
};
