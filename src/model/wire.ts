import type { ParameterPrompt } from './action.ts';
import type { EvidenceSource, RawEvidence } from './evidence.ts';
import type { RankedFinding } from './finding.ts';
import type { Failure, FailureKind } from './reading.ts';
import type { LogEntry, PlanCard, RunView } from './run.ts';
import type { Site } from './site.ts';
import type { Severity, Sign, Subject, SubjectKind } from './subject.ts';
import type { Block, Row } from './view.ts';
import type { Safe, SafeData, SafeText } from '../text/safe.ts';
import type { Words } from './words.ts';

/** A failing or silent source as a pane's title shows it. */
export interface SourceLine {
  probe: string;
  host: string;
  state: 'never' | 'fresh' | 'stale' | 'failed' | 'notAsked';
  /** UTC ms of the last good reading. */
  goodAt?: number;
  nextAt?: number;
  failingSince?: number;
  /** How its last question failed. */
  failure?: FailureKind;
  message?: string;
  said?: Failure['said'];
  /** The interval in force, where it is stretched. */
  slowedToMs?: number;
  everyMs: number;
}

/** Strip: what is true of the whole site. */
export interface Strip {
  site: string;
  readOnly: boolean;
  counts: Readonly<Record<Severity, number>>;
  /** UTC ms of the oldest last-good reading on the screen; those asked more seldom than once a minute and on time count only where there are no others. Absent before the first. */
  oldestAt?: number;
  /** Findings that somebody knows of: not in `counts`. */
  acked?: number;
  /** `alice on adm2`: other consoles seen in the last minutes. */
  others?: readonly string[];
  /** `shared folder: none`, `history in /var/tmp`, `actions off: audit log cannot be written`. */
  badges: readonly string[];
}

/** A pane without its rows: rows travel apart, keyed. */
export interface PaneHead {
  id: string;
  /** `1 Slurm` without the number. */
  title: string;
  summary: string;
  sign: Sign;
  wall: string;
  sources: readonly SourceLine[];
  /** Hosts that are asked for it, where not all of their sources are listed. */
  hosts?: number;
  /** No host of the site is asked for it: nothing of it is waited for, nothing unknown. */
  absent?: true;
  /** It shows what others read: no source of its own is waited for. */
  watchesAll?: true;
  notUnderstood: number;
  /** The blocks with tables' rows left out. */
  blocks: readonly Block[];
  /** What `?` says above the keys. */
  help?: readonly string[];
}

/** Changed rows of one table. `order` is sent when rows came, went or moved. */
export interface RowsDelta {
  pane: string;
  block: string;
  upsert: readonly Safe<Row>[];
  remove: readonly string[];
  order?: readonly string[];
}

/** What a finding was about until somebody acted on it. */
export interface Fixed {
  id: string;
  system: string;
  /** What the finding said last. */
  summary: Words;
  subject: Subject;
  members: readonly Subject[];
  /** Names of the members, folded. */
  on: string;
  /** UTC ms at which it was gone. */
  at: number;
  run: string;
  /** `resume`. */
  verb: string;
  operator: string;
}

/** Collector to screen. One in flight: the next goes out after `ack`; changes merge meanwhile. */
export interface Update {
  type: 'update';
  seq: number;
  now: number;
  strip?: Safe<Strip>;
  heads?: readonly Safe<PaneHead>[];
  rows?: readonly RowsDelta[];
  /** All findings, worst first, when any changed. */
  findings?: readonly Safe<RankedFinding>[];
  /** What was cured in the last hour, newest first, when that changed. */
  fixed?: readonly Safe<Fixed>[];
  runs?: readonly Safe<RunView>[];
}

/** A menu entry: an action on the chosen subjects. */
export interface MenuEntry {
  action: string;
  title: string;
  danger: 'reversible' | 'service' | 'access';
  available: boolean;
  /** Note when available, reason when not. */
  text: string;
  prompts: readonly ParameterPrompt[];
}

/** Where a job runs. */
export interface RunningJob {
  id: string;
  nodes: readonly string[];
}

/** An action by its id, and what it is done to. */
export interface ActionName {
  action: string;
  title: string;
  system: string;
  kind: SubjectKind;
}

/** Where something that an operator wrote went: to everybody, or only here (and why), or why nowhere. */
export type Jotted = { kept: 'shared' } | { kept: 'here'; problem?: string } | { refused: string };

/** Questions the screen asks; each has one reply. */
export interface Requests {
  /** `system`: whose pane or finding it is; volumes of two systems are called alike. */
  menu: { in: { subjects: readonly Subject[]; system?: string }; out: readonly MenuEntry[] };
  plan: {
    /** `renews`: the id of a plan that is being read. */
    in: {
      action: string;
      subjects: readonly Subject[];
      set: Readonly<Record<string, string>>;
      renews?: string;
    };
    out: { card: PlanCard } | { refused: { guard: string; reason: string } };
  };
  /** Starts the run; its progress comes with updates. */
  confirm: {
    in: { plan: string; typed: string };
    out: { run: string } | { refused: { guard: string; reason: string } };
  };
  /** Drops a plan that was not confirmed. */
  drop: { in: { plan: string }; out: Record<string, never> };
  /** Stops a run before its next target. */
  stop: { in: { run: string }; out: Record<string, never> };
  /** During a hold: what was typed must be `keep`. */
  keep: {
    in: { run: string; typed: string };
    out: { keeping: true } | { refused: { guard: string; reason: string } };
  };
  /** During a hold: undoes the change now. */
  restore: { in: { run: string }; out: { restoring: true } | { refused: { guard: string; reason: string } } };
  /** Writes to the audit log that a shell is opened on a host. */
  shell: { in: { host: string }; out: { written: true } | { refused: string } };
  /** `system`: of the pane or finding; `members`: the single subjects of a group. */
  detail: {
    in: { system: string; subject: Subject; members?: readonly Subject[] };
    out: readonly Block[];
  };
  /** `whole`: nothing is folded, and earlier answers are there, too. */
  evidence: {
    in: { sources: readonly EvidenceSource[]; whole?: boolean };
    out: readonly RawEvidence[];
  };
  audit: {
    in: { since?: number };
    /** Newest first. */
    out: { entries: readonly LogEntry[]; verified: boolean; problem?: string };
  };
  read: { in: { pane?: string; host?: string }; out: { asked: number } };
  /** What every system and the connection know of one host. */
  host: {
    /** `kernel`: what any host is asked on demand only, as its kernel's messages, is asked first. */
    in: { host: string; kernel?: boolean };
    out: readonly Block[];
  };
  /** State changes, findings, notes and actions since then; absent: the last hour. */
  changed: { in: { since?: number }; out: readonly Block[] };
  /** The names of a set that names groups of a system, as they are now; `why`: they are not known. */
  expand: { in: { set: string }; out: { names: readonly string[] } | { why: string } };
  /** Jobs that run, each with its nodes. */
  jobs: { in: Record<string, never>; out: readonly RunningJob[] };
  /** All actions there are; what can be done on a subject now is in its menu. */
  actions: { in: Record<string, never>; out: readonly ActionName[] };
  /** Where a job or a user's jobs run, and what is wrong there. */
  look: { in: { job?: string; user?: string }; out: readonly Block[] };
  /** Asks a pane every 2 s for 10 minutes, or ends that. */
  watch: { in: { pane: string }; out: { until?: number } };
  /** Acknowledges a finding for so long (`4h`), with the reason. */
  ack: { in: { finding: string; text: string; lasts: string }; out: Jotted };
  unack: { in: { finding: string }; out: Jotted };
  /** Planned work on these subjects for so long; findings there are notices meanwhile. */
  window: { in: { subjects: readonly Subject[]; text: string; lasts: string }; out: Jotted };
  /** Ends what was announced on any of these subjects. */
  windowEnd: { in: { subjects: readonly Subject[] }; out: Jotted };
  /** A note on each subject; with `part` it is a repair of that part. */
  note: { in: { subjects: readonly Subject[]; text: string; part?: string }; out: Jotted };
}

export type RequestName = keyof Requests;

/** What the screen hands to a worker as `workerData` when it starts it: plain data. */
export interface WorkerStart {
  site: Site;
  env: Readonly<Record<string, string>>;
  /** `memory`: nothing is written (demo, tests). */
  history: 'disk' | 'memory';
}

/** What a thread is doing: putting a question, or reading its answer. */
export interface Doing {
  probe: string;
  host: string;
}

/** What a thread did when it stood still, how often in a row, and for how long it is not to be asked, ms. */
export interface Choked extends Doing {
  tries: number;
  restMs: number;
}

export type ToWorker =
  | { type: 'ack'; seq: number }
  /** The first one. `choked`: what made threads before this one stand still. */
  | { type: 'start'; start: WorkerStart; choked?: readonly Choked[] }
  | { type: 'stop' }
  | { [N in RequestName]: { type: 'request'; id: number; name: N; args: Requests[N]['in'] } }[RequestName];

export type FromWorker =
  | Update
  | { type: 'ready' }
  /** A line for the program's log. */
  | { type: 'log'; line: string }
  | { type: 'reply'; id: number; ok: true; value: SafeData }
  | { type: 'reply'; id: number; ok: false; error: SafeText };
