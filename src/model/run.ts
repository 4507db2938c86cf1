import type { Danger, Outcome } from './action.ts';
import type { Subject } from './subject.ts';

export interface CommandLine {
  host: string;
  line: string;
  stdin?: true;
  /** It only writes down what the others did. */
  note?: true;
  /** It changes nothing that anybody would miss: it arms an undo, writes down, or is of a script that names its lines which change something. */
  folded?: true;
}

/** A plan as the dialog shows it: data only, every text made safe. `hash` is over the exact bytes that will be sent. */
export interface PlanCard {
  id: string;
  action: string;
  title: string;
  verb: string;
  site: string;
  danger: Danger;
  targets: readonly Subject[];
  /** `ctl1 as hpcops`. */
  where: string;
  /** Every command line, exactly as sent, in order, those that arm an undo first; `stdin`: a line of standard input. */
  commands: readonly CommandLine[];
  /** What is read in place of any command. */
  measures?: string;
  /** The change is undone unless it is kept: what would be sent then. */
  hold?: {
    by: 'timer' | 'device';
    seconds: number;
    text: string;
    keep: readonly CommandLine[];
    restore: readonly CommandLine[];
  };
  /** What users will notice. */
  users: string;
  because: readonly string[];
  leftOut: readonly { id: string; reason: string }[];
  /** What was checked, and is again right before it is sent. */
  guards: readonly { id: string; text: string }[];
  /** UTC ms of the oldest reading that they rest on. */
  readAt?: number;
  /** What nobody could check, and guards that are exceeded: never among `guards`. */
  unchecked?: readonly { id: string; text: string }[];
  afterwards: string;
  undo: string;
  /** What `--confirm` and the dialog want typed: `y`, the target, or verb and target. */
  confirmText: string;
  /** Not before this many ms after opening. */
  armedAfterMs: number;
  hash: string;
}

export type StepState =
  | 'waiting'
  | 'checking'
  | 'sent'
  | 'reading back'
  | 'held'
  | 'verified'
  | 'nothing'
  | 'undone'
  | 'refused'
  | 'failed'
  | 'unknown'
  | 'not reached';

/** A change that is held: it undoes itself unless it is kept. Every text is safe. */
export interface HoldView {
  /** Id of the target. */
  target: string;
  by: 'timer' | 'device';
  /** `waiting` for the operator; `keeping`, `restoring`: asked for; `ending`: time is up, it is read whether it was restored. */
  state: 'waiting' | 'keeping' | 'restoring' | 'ending';
  /** Whole seconds until it is undone. */
  secondsLeft: number;
  /** `a timer on admin1 restores te3/46 after 120 s`. */
  text: string;
  /** What must be typed to keep it: `keep`. */
  typed: string;
  watched: readonly string[];
  /** Whether the watched readings speak for keeping, and why; absent before the first. */
  good?: { ok: boolean; text: string };
  /** Readings of the watch so far, and how many of the last ones in a row were good. */
  watches: number;
  goodInARow: number;
}

export interface TargetView {
  id: string;
  state: StepState;
  text: string;
  ms?: number;
  output?: string;
  /** While it is read back: UTC ms by which what is waited for comes of itself. */
  endsAt?: number;
}

/** A run as it goes: one line per target. */
export interface RunView {
  id: string;
  title: string;
  state: 'running' | Outcome;
  startedAt: number;
  endedAt?: number;
  targets: readonly TargetView[];
  /** Set while a change is held. */
  hold?: HoldView;
  /** One sentence: what is true now and what to look at. */
  result?: string;
  /** Done as far as it goes at once: on some target it is begun and not over, as the result says. */
  goesOn?: true;
  /** Begun by a console that ended before it could tell what came of it: nobody waits for it here, so it is shown without being asked for. */
  left?: true;
}

/** One record of the audit log as written (one JSON line). */
export interface AuditRecord {
  seq: number;
  /** ISO 8601 UTC. */
  at: string;
  monoMs: number;
  /** SHA-256 of the previous line, hex; of the first: 64 zeros. */
  prev: string;
  kind: 'intent' | 'hold' | 'result' | 'refused' | 'shell' | 'lockBroken' | 'recovered' | 'note' | 'sealed';
  operator: string;
  uid: number;
  /**
   * `stamp` (boot id and start time) tells the process from a later one of the same number; `spaces` are the namespaces these count
   * in, `machine` is a hash of the machine id.
   */
  console: {
    host: string;
    pid: number;
    version: string;
    stamp?: string;
    spaces?: string;
    machine?: string;
  };
  site: string;
  run?: string;
  action?: string;
  target?: string;
  outcome?: Outcome;
  /** Whatever else belongs to the kind: evidence, guards, commands, hash, exit codes, output, verification, undo. */
  detail: Readonly<Record<string, unknown>>;
  /** SHA-256 of this line without this field, hex: an edit is found in the line it was made in, in the last one too. */
  hash: string;
}

/** What an audit log tells as people read it: a run with all its records, or a record that belongs to none (a refusal, a shell, a seal). */
export interface LogEntry {
  /** `r-5f0c2a91be77`: what `act undo:RUN` wants; absent: no run. */
  run?: string;
  /** UTC ms of its first and of its last record. */
  at: number;
  endedAt: number;
  operator: string;
  /** Host of the console. */
  console: string;
  /** Id of the action, or the kind of the record. */
  what: string;
  title: string;
  /** Names of the targets, folded. */
  on: string;
  /** The worst of its targets. */
  outcome?: Outcome;
  /** Of some target no result was written. */
  open?: true;
  /** A run of this console that has not ended: what has no result yet is to come. */
  underWay?: true;
  /** What came of it, or why not; of many targets of those only that are not simply done. */
  text: string;
  /** A later run took it back. */
  undone?: 'whole' | 'part';
  undoText?: string;
  /** What of it an undo makes sense for. */
  undoable: readonly Subject[];
  targets: readonly { subject: Subject; outcome?: Outcome; text: string }[];
  /** `ctl1: scontrol update ...`, as sent. */
  commands: readonly string[];
  /** Oldest first. */
  records: readonly AuditRecord[];
}

/** One target of one run that somebody began, here or on a colleague's console. */
export interface PastRun {
  run: string;
  /** `stop-creates`. */
  verb: string;
  subject: Subject;
  operator: string;
  /** UTC ms at which it was begun. */
  at: number;
  /** Absent: no result is known here (a colleague's run, or one under way). */
  outcome?: Outcome;
}

/** What operators did lately: the audit log of this machine, and what colleagues told in the shared folder. */
export interface PastRuns {
  /** Oldest first; undone ones, and those of which nothing came, are left out. */
  runsOf(subject: Subject): readonly PastRun[];
}
