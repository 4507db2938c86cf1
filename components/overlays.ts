import type { LogEntry, PlanCard, RunView } from '../src/model/run.ts';
import type { Subject } from '../src/model/subject.ts';
import type { Block } from '../src/model/view.ts';
import type { EvidenceSource, RawEvidence } from '../src/model/evidence.ts';
import type { ActionName, MenuEntry, Requests, RunningJob } from '../src/model/wire.ts';
import type { HelpSection } from './help.ts';
import type { Style } from './theme.ts';

/** What an action is asked for: on which subjects, and what is known of its parameters. */
export interface Wanted {
  action: string;
  subjects: readonly Subject[];
  set: Readonly<Record<string, string>>;
}

/** An action as the menu has it. */
export interface MenuItem extends MenuEntry {
  /** Of something else than the rows' own subjects. */
  on?: readonly Subject[];
  /** What of its parameters the finding knows. */
  set?: Readonly<Record<string, string>>;
  /** A remedy of the finding that the menu was opened on. */
  own?: true;
}

export interface Menu {
  kind: 'menu';
  /** By which a reply finds the menu again, whatever was pressed meanwhile. */
  id: string;
  title: string;
  subjects: readonly Subject[];
  /** Whose pane or finding it is, where that is one. */
  system?: string;
  /** Ids of the findings it is about: what they offer comes first, all else is folded. */
  findings: readonly string[];
  /** Their remedies, the best first. */
  remedies: readonly Wanted[];
  /** What can be done by hand, for findings of which no remedy can be had. */
  byHand: readonly string[];
  /** What else the row is about, one by one. */
  beside?: readonly Subject[];
  /** Undefined while asked for; in the order in which they are drawn. */
  entries?: readonly MenuItem[];
  /** The chosen line by what it is (`keyOf`), so that nothing slips under a key; absent: none is chosen. */
  cursor?: string;
  /** A key was pressed: the choice is the operator's from now on. */
  touched?: true;
  /** All other actions of the subject are shown. */
  unfolded: boolean;
  /** Monotonic ms: asked last, and the choice moved by itself. */
  askedAt: number;
  movedAt?: number;
  asking: boolean;
  /** What is otherwise than when it was opened. */
  changed?: string;
  /** None of its findings is there any more. */
  gone?: true;
  /** What is waited for: `planning`. */
  busy?: string;
}

/** Text fields one below the other. */
interface Fields {
  title: string;
  fields: readonly { name: string; label: string; required: boolean }[];
  values: Readonly<Record<string, string>>;
  /** Index of the field that is typed into. */
  field: number;
  complaint?: string;
  /** What is waited for: `planning`. */
  busy?: string;
}

/** The options of an action. */
export interface Form extends Fields {
  kind: 'form';
  wanted: Wanted;
}

/** Something to write down for everybody: an acknowledgement, a note, planned work. Nothing runs by it. */
export interface Annotation extends Fields {
  kind: 'annotation';
  about: readonly string[];
  what:
    | { name: 'ack' | 'unack'; finding: string }
    | { name: 'note' | 'window' | 'windowEnd'; subjects: readonly Subject[] };
}

/** A plan that is read. It lives: it is made anew every few seconds, and what would be sent now is what is drawn. */
export interface Confirm {
  kind: 'confirm';
  card: PlanCard;
  /** What it was asked for, to ask for it anew. */
  wanted: Wanted;
  /** Monotonic ms at which what would be sent came to the screen. */
  openedAt: number;
  /** Monotonic ms at which it was asked for anew last. */
  askedAt: number;
  asking: boolean;
  typed: string;
  /** All of it is shown, byte for byte. */
  whole: boolean;
  top: number;
  /** The last line of what changes something was on the screen. */
  seenEnd: boolean;
  complaint?: string;
  /** Why it can't be confirmed now: a guard that does not hold, a collector that is gone. */
  blocked?: string;
  /** What would be sent is otherwise than it was: what, and when. */
  changed?: string;
  sending: boolean;
}

export interface RunBox {
  kind: 'run';
  run: string;
  title: string;
  top: number;
  output: boolean;
  stopping: boolean;
  /** During a hold: what was typed so far, that U was pressed once, what was wrong. */
  typed?: string;
  sure?: true;
  complaint?: string;
}

export interface Notice {
  kind: 'notice';
  title: string;
  lines: readonly string[];
  style: Style;
}

/** Before a shell on a host: nothing is opened yet. */
export interface ShellBox {
  kind: 'shell';
  host: string;
  /** Hosts of the row that the shell does not go to. */
  others: number;
}

/** The question whether to leave. */
export interface Leave {
  kind: 'leave';
  /** The site that comes next. */
  to?: string;
  /** A run is stopped, and the console leaves when it has ended. */
  stopping: boolean;
  /** Monotonic ms. */
  openedAt: number;
}

/** Raw answers, opened at what they say of `name`. */
export interface EvidencePage {
  type: 'evidence';
  answers: readonly RawEvidence[];
  sources: readonly EvidenceSource[];
  /** What the row or finding is about; empty: a pane. */
  name: string;
  /** Nothing is folded. */
  whole: boolean;
}

export type PagerContent =
  | { type: 'waiting'; text: string }
  | { type: 'blocks'; blocks: readonly Block[] }
  | EvidencePage
  /** One entry of the audit log; `raw`: its records as written. */
  | { type: 'entry'; entry: LogEntry; raw: boolean }
  | {
      type: 'help';
      sections: readonly HelpSection[];
      about?: { title: string; lines: readonly string[] };
    }
  | { type: 'lines'; lines: readonly string[] };

export interface Pager {
  kind: 'pager';
  title: string;
  content: PagerContent;
  top: number;
  search: string;
  typing: boolean;
  /** The page of this host. */
  host?: string;
  /** Stands above what is asked for: the finding that led here. */
  above?: () => readonly Block[];
  /** How a page of what is true now is filled, and when that was begun last (monotonic ms); absent: it does not change. */
  filled?: { by: (page: Pager) => Promise<PagerContent>; at: number };
  /** Line number of the place found. */
  hit?: number;
}

/** The audit log, a line for each run. */
export interface LogBox {
  kind: 'log';
  /** Undefined while asked for the first time. */
  log?: Requests['audit']['out'];
  error?: string;
  /** The entry under the cursor by what it is (`entryKey`); undefined: the newest. */
  cursor?: string;
  search: string;
  typing: boolean;
  /** The runs as they were when it was asked for: it is asked again when they moved. */
  runs: readonly RunView[];
}

/** What the collector knows that can be gone to by its name. */
export interface KnownNames {
  jobs: readonly RunningJob[];
  /** Absent until the collector has told. */
  actions?: readonly ActionName[];
}

export interface Palette {
  kind: 'palette';
  text: string;
  known: KnownNames;
  complaint?: string;
}

export type Overlay =
  Menu | Form | Annotation | ShellBox | Confirm | RunBox | Notice | Leave | Pager | LogBox | Palette;
