import { columnProblems, firstSort } from './arrange.ts';
import { createAlerts } from './alerts.ts';
import { pressBoard } from './board-keys.ts';
import { paletteCommands } from './commands.ts';
import type { Commands, Context, Ports } from './context.ts';
import { createDetails } from './details.ts';
import { refreshLog } from './dialogs/log/log.ts';
import { resizeConfirm } from './dialogs/confirm/confirm.ts';
import { renewConfirm } from './dialogs/confirm/renew.ts';
import { askToLeave, leaveWhenIdle } from './dialogs/leave.ts';
import { refreshMenu } from './dialogs/menu/ask.ts';
import { FINDINGS } from './findings.ts';
import { refillPage } from './open.ts';
import { openRun, openRuns } from './dialogs/run/run.ts';
import { dialogOf } from './dialogs/table.ts';
import { boundKeys, tableName } from './bindings.ts';
import { alwaysKeys, filterKeys } from './key-tables.ts';
import { keyFor, runKey, type Key, type Place } from './keys.ts';
import { createLists, type Lists } from './list.ts';
import type { MouseEvent } from './mouse.ts';
import { keepPlace } from './move.ts';
import { pointAt, type LastClick } from './point.ts';
import type { PaneSettings } from './settings.ts';
import { headOf, type Size, type State } from './state.ts';
import { editText, type Token } from './tokens.ts';
import { areaOf, freshUi, placeOf, changeArea } from './ui.ts';

/** The console without its drawing: a state, and what keys, ticks and sizes make of it. */
export interface Console {
  ports: Ports;
  lists: Lists;
  commands: Commands;
  keys: Context['keys'];
  state(): State;
  subscribe(listener: () => void): () => void;
  /** All key presses of one chunk of input. */
  press(tokens: readonly Token[]): void;
  paste(text: string): void;
  point(event: MouseEvent): void;
  resize(size: Size): void;
  /** Once a second, and whenever a dialog's countdown moves. */
  tick(): void;
  /** A word at the foot of the screen, after those that are there. */
  say(text: string): void;
  close(): void;
}

/** A key seen again sooner than this is being held down (the first repeat comes after 250 to 660 ms). */
const HELD_MS = 700;
const TOAST_MS = 5000;

/** Long because its parts share one state: publishing, the context of the handlers, keys, sizes and ticks. */
// oxlint-disable-next-line max-lines-per-function -- its parts share one state
export const createConsole = (ports: Ports, size: Size): Console => {
  const lists = createLists(
    () => ports.theme,
    ports.settings,
    () => ports.clock.now(),
  );
  const listeners = new Set<() => void>();
  const shownLeft = new Set<string>();
  const unsettled = new Map(Object.entries(ports.settings.panes));
  const keysSeen = new Map<string, number>();
  const second = (): number => Math.floor(ports.clock.now() / 1000) * 1000;
  const live = ports.mirror.snapshot();
  let state: State = { ui: freshUi, data: live, live, size, now: second(), mono: ports.clock.mono() };
  let settling = false;
  let lastClick: LastClick = { at: -Infinity };

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
  const keys = (place: Place): readonly Key[] => boundKeys(place, ports.settings.keys);
  const context: Context = {
    ports,
    lists,
    commands: paletteCommands,
    keys,
    state: () => state,
    change: (change) => publish({ ui: change(state.ui) }),
    push: (overlay) => context.change((ui) => ({ ...ui, overlays: [...ui.overlays, overlay] })),
    replace: (old, next) =>
      context.change((ui) => ({
        ...ui,
        overlays: ui.overlays.flatMap((overlay) => (overlay === old ? (next ? [next] : []) : [overlay])),
      })),
    toast: (text, style = 'plain') =>
      context.change((ui) => ({ ...ui, toast: { text, style, until: ports.clock.mono() + TOAST_MS } })),
  };
  const unsaid: string[] = [];
  const sayNext = (): void => {
    const text = state.ui.toast === undefined ? unsaid.shift() : undefined;
    if (text !== undefined) context.toast(text, 'warning');
  };
  const say = (text: string): void => {
    unsaid.push(text);
    sayNext();
  };
  const details = createDetails(context);
  const alerts = createAlerts();
  const unsubscribe = ports.mirror.subscribe(() => {
    const next = ports.mirror.snapshot();
    if (next.findings !== state.live.findings && ports.alerts) {
      const bytes = alerts(next.findings, next.strip?.site ?? '', ports.alerts());
      if (bytes !== '') ports.writeRaw(bytes);
    }
    const before = state;
    publish({ live: next });
    for (const problem of settle(context, unsettled)) say(`your settings: ${problem}`);
    const ui = keepPlace(before, state, lists);
    if (ui !== state.ui) publish({ ui });
  });

  const pressKey = (pressed: Token, chunk: number): void => {
    const mono = ports.clock.mono();
    const held = pressed.repeat || mono - (keysSeen.get(pressed.name) ?? -Infinity) < HELD_MS;
    keysSeen.set(pressed.name, mono);
    if (pressAlways(context, pressed)) return;
    const top = state.ui.overlays.at(-1);
    const token = inTable(context, pressed);
    if (top) dialogOf(top).press(context, top, token, { held, chunk });
    else if (state.ui.typingFilter) pressFilter(context, token);
    else pressBoard(context, token);
  };

  return {
    ports,
    lists,
    commands: paletteCommands,
    keys,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    press: (tokens) => {
      for (const token of tokens) pressKey(token, tokens.length);
    },
    paste: (text) => paste(context, text),
    point: (event) => {
      lastClick = pointAt(context, event, lastClick);
    },
    resize: (size) => {
      // As many of the rows above the cursor as there is room for: the worst stand on top.
      publish({ size, ui: changeArea(state.ui, FINDINGS, { offset: Number.MAX_SAFE_INTEGER }) });
      for (const overlay of state.ui.overlays)
        if (overlay.kind === 'confirm') resizeConfirm(context, overlay);
    },
    tick: () => {
      const { toast, ...ui } = state.ui;
      publish({ now: second(), ui: toast && toast.until < ports.clock.mono() ? ui : state.ui });
      sayNext();
      for (const overlay of state.ui.overlays) if (overlay.kind === 'confirm') renewConfirm(context, overlay);
      refreshMenu(context);
      refreshLog(context);
      refillPage(context);
      showHeld(context);
      showLeft(context, shownLeft);
      leaveWhenIdle(context);
    },
    say,
    close: unsubscribe,
  };
};

const pressAlways = (context: Context, { name }: Token): boolean => {
  const handlers = {
    suspend: () => context.ports.suspend(),
    interrupt: () => {
      // The second Ctrl-C in a row leaves whatever goes on: the engine is safe against that, and says so on the next start.
      if (context.state().ui.overlays.at(-1)?.kind === 'leave') context.ports.exit();
      else askToLeave(context);
    },
  };
  return runKey(alwaysKeys, handlers, name);
};

/** A key of the operator's own is the one that it stands for; in a text it is what is written on it. */
const inTable = ({ state, ports }: Context, token: Token): Token => {
  const { ui } = state();
  const top = ui.overlays.at(-1);
  const isText = top !== undefined && 'typing' in top && top.typing;
  return isText ? token : { ...token, name: tableName(placeOf(ui), ports.settings.keys, token.name) };
};

/** What the operator has set for a pane is taken up, or found wanting, when its first table is there. */
const settle = (context: Context, unsettled: Map<string, PaneSettings>): readonly string[] => {
  const found: string[] = [];
  for (const [id, wanted] of unsettled) {
    const { data } = context.state();
    const head = id === FINDINGS && data.findings === undefined ? undefined : headOf(data, id);
    const problems = head && columnProblems(head, wanted);
    if (!head || !problems) continue;
    unsettled.delete(id);
    const sort = firstSort(head, wanted);
    if (sort) context.change((ui) => changeArea(ui, id, { sort }));
    found.push(...problems);
  }
  return found;
};

/** A change that is held wants to be seen: its box comes back when it was closed before. */
const showHeld = (context: Context): void => {
  const { ui, live } = context.state();
  const held = openRuns(live).find(({ hold }) => hold?.state === 'waiting');
  if (held && ui.overlays.length === 0) openRun(context, held);
};

/** What an earlier console left behind: shown once while it is waited for, and once with what came of it. */
const showLeft = (context: Context, shown: Set<string>): void => {
  const { ui, live } = context.state();
  const left = live.runs.find((run) => run.left && !shown.has(`${run.id} ${run.state}`));
  if (left === undefined || ui.overlays.length > 0) return;
  shown.add(`${left.id} ${left.state}`);
  openRun(context, left);
};

const setFilter = (context: Context, filter: string): void =>
  context.change((ui) => changeArea(ui, ui.focus, { filter }));

const pressFilter = (context: Context, token: Token): void => {
  const accept = (): void => context.change((ui) => ({ ...ui, typingFilter: false }));
  const cancel = (): void => {
    accept();
    setFilter(context, '');
  };
  if (runKey(filterKeys, { accept, cancel }, token.name)) return;
  const { ui } = context.state();
  const filter = editText(areaOf(ui, ui.focus).filter, token);
  if (filter !== undefined) setFilter(context, filter);
};

/** Pasted text goes into text fields only; a confirmation and single keys never see it. */
const paste = (context: Context, text: string): void => {
  const { ui } = context.state();
  const top = ui.overlays.at(-1);
  if (top) dialogOf(top).paste?.(context, top, text);
  else if (ui.typingFilter) setFilter(context, `${areaOf(ui, ui.focus).filter}${text.replace(/\s+/g, ' ')}`);
  else
    context.toast(
      `a paste does nothing here: press ${keyFor(context.keys('board'), 'filter')} or ${keyFor(context.keys('board'), 'palette')} first`,
    );
};
