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
  /** Keys of rows whose folded rows are shown. */
  open?: ReadonlySet<string>;
}

export interface Sort {
  block: string;
  column: string;
  down: boolean;
}

export const freshArea: Area = { position: 0, offset: Number.MAX_SAFE_INTEGER, filter: '', marks: new Set() };
