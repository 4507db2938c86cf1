import type { AlertSettings } from './alerts.ts';
import type { Key, Place } from './keys.ts';
import type { Mirror } from './mirror.ts';
import type { Lists } from './list.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';
import type { Theme, Style } from './theme.ts';
import type { KnownNames, Overlay } from './overlays.ts';
import type { Ui } from './ui.ts';

/** What the console needs of the world: all of it can be faked. */
export interface Ports {
  mirror: Mirror;
  /** `:theme` puts another in its place. */
  theme: Theme;
  /** What the operator has set in a file of his own. */
  settings: Settings;
  clock: { now(): number; mono(): number };
  /** Names of hosts, for the palette. */
  hosts(): readonly string[];
  /** The names of a set of hosts, by the groups of the site file. Throws RangeError that says what is wrong. */
  expand(set: string): readonly string[];
  readOnly: boolean;
  /** Bytes that move no cursor: the clipboard sequence. */
  writeRaw(text: string): void;
  insideTmux: boolean;
  /** Ctrl-Z: gives the terminal back and stops the process until it is continued. */
  suspend(): void;
  /** The drawing hands over how the terminal is given back; returns how to take that away again. */
  attach(giveBack: (stopped: () => Promise<void>) => Promise<void>): () => void;
  /** Gives the terminal to a shell on a host; resolves when it has ended. Absent: there are no shells. */
  shell?(host: string): Promise<void>;
  /** Writes a ticket's text into a file and gives its name. */
  saveTicket?(name: string, text: string): Promise<string>;
  /** Writes a filter into the operator's own settings; gives the file. Rejects with the reason and what to write by hand. */
  saveFilter?(name: string, filter: string): Promise<string>;
  /** What to do on a new critical finding; absent: nothing. */
  alerts?(): AlertSettings;
  /** Leaves; `to`: for another site, by its name. */
  exit(to?: string): void;
  /** Names of the operator's other sites; absent: this console stays where it is. */
  sites?(): readonly string[];
  /** Starts a stopped collector again. */
  restart(): void;
  /** Lines of the program's own log, newest last. */
  log(): readonly string[];
}

/** What can be typed after `:`. Of actions on machines only their menu opens by it. */
export interface PaletteCommand {
  name: string;
  text: string;
  /** What may follow. */
  words?(context: Pick<Context, 'ports' | 'state'>): readonly string[];
  /** Some of what may follow what is typed so far (`word`): there is more than this console knows of. */
  hints?(context: Pick<Context, 'ports' | 'state'>, known: KnownNames, word: string): readonly Completion[];
  /** What is wrong with a word, where `words` do not say it; undefined: nothing. */
  check?(context: Context, word: string, known: KnownNames): string | undefined;
  /** `word` is empty or was checked against `words`. */
  run(context: Context, word: string, known: KnownNames): void;
}

/** What a line can be completed to, and what that is. */
export interface Completion {
  word: string;
  note?: string;
}

export type Commands = readonly PaletteCommand[];

/** What handlers of keys work with. */
export interface Context {
  ports: Ports;
  lists: Lists;
  /** Handed in: they open pagers and move the focus, which the dialogs need not know. */
  commands: Commands;
  /** The keys of a place as this operator has them. */
  keys(place: Place): readonly Key[];
  state(): State;
  change(change: (ui: Ui) => Ui): void;
  push(overlay: Overlay): void;
  /** Replaces one overlay, found by identity of what it was; nothing happens when it is gone. */
  replace(old: Overlay, next: Overlay | undefined): void;
  toast(text: string, style?: Style): void;
}

/** Changes an overlay that is still there. */
export const patch = <T extends Overlay>(context: Context, overlay: T, change: Partial<T>): T => {
  const next: T = { ...overlay, ...change };
  context.replace(overlay, next);
  return next;
};

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether an overlay is still on the screen: replies may come after it was closed. */
export const isOpen = (context: Context, overlay: Overlay): boolean =>
  context.state().ui.overlays.includes(overlay);

/** For a request that failed: what did not happen, and why. */
export const toastError =
  (context: Context, what: string, style: Style = 'warning') =>
  (error: unknown): void =>
    context.toast(`${what}: ${errorText(error)}`, style);
