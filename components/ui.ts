import type { Block } from '../src/model/view.ts';
import { FINDINGS } from './findings.ts';
import type { Place } from './keys.ts';
import type { Data } from './mirror.ts';
import type { Overlay } from './overlays.ts';
import type { Style } from './theme.ts';

export interface Toast {
  text: string;
  style: Style;
  /** Monotonic ms. */
  until: number;
}

export interface Detail {
  key: string;
  blocks?: readonly Block[];
  error?: string;
  /** Monotonic ms of the answer. */
  at: number;
}

/** What the operator has set in one pane (or in the findings): kept while the pane is not looked at. */
export interface Area {
  /** Key of the row under the cursor; undefined until the cursor was moved: then it is the first row. */
  cursor?: string;
  /** Where that row was last, for when it goes away. */
  position: number;
  /** Lines between the top of the window and the cursor, so that nothing jumps when rows come above it. */
  offset: number;
  filter: string;
  sort?: Sort;
  marks: ReadonlySet<string>;
  /** Key of the row under the cursor that is acknowledged from here: it will sink, and the cursor stays where it was. */
  leaving?: string;
  /** Keys of rows whose folded rows are shown. */
  open?: ReadonlySet<string>;
}

export interface Sort {
  block: string;
  column: string;
  down: boolean;
}

/** Everything the operator has set: immutable, changed only by the handlers. */
export interface Ui {
  /** Pane id or `findings`. */
  focus: string;
  /** The pane that tabs show when the findings have the focus. */
  tab?: string;
  zoom: boolean;
  typingFilter: boolean;
  areas: Readonly<Record<string, Area>>;
  overlays: readonly Overlay[];
  /** Filters that were saved by name since the console was started. */
  saved: Readonly<Record<string, string>>;
  paused?: { data: Data; at: number };
  toast?: Toast;
  detail?: Detail;
}

export const freshUi: Ui = {
  focus: FINDINGS,
  zoom: false,
  typingFilter: false,
  areas: {},
  overlays: [],
  saved: {},
};

export const freshArea: Area = { position: 0, offset: Number.MAX_SAFE_INTEGER, filter: '', marks: new Set() };

export const areaOf = (ui: Ui, pane: string): Area => ui.areas[pane] ?? freshArea;

export const changeArea = (ui: Ui, pane: string, change: Partial<Area>): Ui => ({
  ...ui,
  areas: { ...ui.areas, [pane]: { ...areaOf(ui, pane), ...change } },
});

/** Where keys go. */
export const placeOf = (ui: Ui): Place => {
  const top = ui.overlays.at(-1);
  if (top) return top.kind;
  if (ui.typingFilter) return 'filter';
  return ui.zoom ? 'zoom' : 'board';
};
