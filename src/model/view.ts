import type { Sign, Subject } from './subject.ts';

/** One cell. `age` is a UTC ms instant: the screen turns it into `4 s`, `6 min`, `3 d` and keeps it counting. */
export interface Cell {
  text: string;
  sign?: Sign;
  /** The text shows the sign itself: it is not put before it. */
  showsSign?: true;
  age?: number;
  /** UTC ms: the screen shows the time of day, `14:45`, and after a day how long ago it is. */
  at?: number;
  /** What to sort by when the text does not do. */
  sort?: number | string;
  /** Its course over the last hour: drawn before the text. */
  trend?: Trend;
  /** A share, 0 to 1: drawn as a bar before the text. */
  share?: number;
  /** How bad it is beside the other cells of its grid, 0 (good) to 4: drawn as a shade before the text. */
  heat?: Heat;
}

/** The steps of a heat map, from good to bad. */
export type Heat = 0 | 1 | 2 | 3 | 4;

/** Heights from 0 (none) to 7, the oldest first, one for every five minutes; null: nobody looked. */
export type Trend = readonly (number | null)[];

export interface Column {
  id: string;
  title: string;
  align?: 'left' | 'right';
  /** Columns of width; `grow` shares what is left. */
  min: number;
  grow?: number;
  /** It grows to no more than this. */
  most?: number;
  /** Higher goes first when the pane is narrow; 0 never goes. */
  drop?: number;
}

/** One row; its key is its identity: the cursor, marks and changes go by it. */
export interface Row {
  key: string;
  subject?: Subject;
  /** The single subjects behind a group row; actions apply to them. */
  members?: readonly Subject[];
  /** What the row is about besides, as a link's other end: its actions stand behind those of the subject. */
  beside?: readonly Subject[];
  sign?: Sign;
  /** Rows from a reading that is too old or whose source fails: drawn dim with the stale sign. */
  stale?: boolean;
  /** Somebody knows of it: drawn dim, with its own sign. */
  dim?: true;
  /** Key of the row of the same table below which it is folded; drawn when that one is open, or a filter is set. */
  under?: string;
  /** The latest note on it: the row gets a mark, and the filter finds it. */
  note?: string;
  cells: Readonly<Record<string, Cell>>;
  /** Further words that the filter finds. */
  search?: string;
  /** Where the raw answers behind this row are: evidence. */
  sources?: readonly { probe: string; host: string }[];
}

export interface TableBlock {
  type: 'table';
  id: string;
  title?: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** What stands there when there are no rows and the source is good: `no nodes out of service`. */
  empty: string;
}

export interface GridBlock {
  type: 'grid';
  id: string;
  title?: string;
  columns: readonly string[];
  rows: readonly { key: string; title: string; cells: readonly Cell[]; subject?: Subject }[];
  empty: string;
  /** What the shades of the cells mean, from good to bad: `all came back`, `up to 5 % lost`. */
  scale?: readonly [string, string, string, string, string];
  /** The action that reads a row anew, where that takes one because it puts traffic on the network: `r` opens its dialog. */
  again?: string;
}

export interface ChartBlock {
  type: 'chart';
  id: string;
  title: string;
  /** `Gbit/s`, `errors/s`. */
  unit: string;
  series: readonly { name: string; points: readonly { at: number; value: number }[] }[];
}

export interface FactsBlock {
  type: 'facts';
  id: string;
  title?: string;
  facts: readonly { name: string; cell: Cell; source?: string }[];
}

export interface TextBlock {
  type: 'text';
  id: string;
  title?: string;
  lines: readonly Cell[];
}

/** One end of a cable: its name and state, what it sends and what it receives. */
export interface CableEnd {
  name: Cell;
  sends: Cell;
  receives: Cell;
}

/** The two ends of a cable and what runs between them: side by side where there is room, else one below the other. */
export interface CableBlock {
  type: 'cable';
  id: string;
  title?: string;
  left: CableEnd;
  right: CableEnd;
  /** Which of the three to look at first; the verdict says the same in words. */
  suspect?: 'left' | 'cable' | 'right';
  verdict: string;
}

export type Block = TableBlock | GridBlock | ChartBlock | FactsBlock | TextBlock | CableBlock;

/** A system's pane as data. The frame (rows, age, failing sources, lines not understood) is added by the collector. */
export interface PaneView {
  /** `200 nodes, 20 out of service`. */
  summary: string;
  sign: Sign;
  /** One word group for the wall: `179/200 up`. */
  wall: string;
  blocks: readonly Block[];
}
