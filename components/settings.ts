import type { Bindings } from './keys.ts';

/** How a pane is shown, as its operator likes it. */
export interface PaneSettings {
  /** Columns by id or title, in this order; a table of the pane that has none of them stays as it is. */
  columns?: readonly string[] | undefined;
  /** The column to sort by at first; `-` before it: the other way round. */
  sort?: string | undefined;
}

/** What an operator has set for all sites, in a file of his own. */
export interface Settings {
  keys: Bindings;
  /** By pane id. */
  panes: Readonly<Record<string, PaneSettings>>;
  mouse: boolean;
  /** Filters by name. */
  filters: Readonly<Record<string, string>>;
}

export const plainSettings: Settings = { keys: {}, panes: {}, mouse: true, filters: {} };
