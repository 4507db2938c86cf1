import type { z } from 'zod';
import type { Dialect } from './answer.ts';
import type { SiteView } from './site.ts';
import type { Judgement } from './system.ts';
import type { Subject, SubjectKind } from './subject.ts';
import type { Hold } from './hold.ts';

/** `reversible`: y; `service`: type the target; `access`: type verb and target, armed after 2 s. */
export type Danger = 'reversible' | 'service' | 'access';

/** A parameter the dialog asks for and `act --set name=value` (or `--reason`) gives. */
export interface ParameterPrompt {
  name: string;
  label: string;
  required: boolean;
  /** What stands there at first. */
  initial?: string;
  /** The number of the guard that the typed reason exceeds. */
  exceeds?: string;
}

/** How an action stands in the menu. Whether it can be had, and why not, is told by its plan and its guards (src/remedy/offer.ts). */
export interface InMenu<P = unknown> {
  /** What stands beside its title when it can be had; `open`: the targets on which something is left to do. */
  note: string | ((plan: Plan, context: PlanContext, open: readonly PlanTarget[]) => string);
  /** Why nothing is left to do, by default in the first target's own words. */
  whyDone?: string;
  /** With which parameters the plan is tried, the first that can be had counts; by default with none. */
  tryWith?(subjects: readonly Subject[], context: PlanContext): readonly P[] | Refusal;
  /** What it acts on is typed in its dialog, so that no plan can be tried before: why it can't be had at all, or its note. */
  askTyped?(subjects: readonly Subject[], context: PlanContext): string | Refusal;
  /** What it asks for on these subjects besides its own. */
  prompts?(plan: Plan, context: PlanContext): readonly ParameterPrompt[];
}

/** A line in which a tool or its daemon says that nothing was done. */
export interface RefusalLine {
  /** RegExp source of the whole line, with the case it has. */
  text: string;
  /** Where it is known from, and why nothing was done by then. */
  source: string;
  /** Only with this exit code. */
  exit?: number;
}

/**
 * The words of one tool that prove that a command did nothing. An exit code proves nothing: a client that gives up says the same as
 * one that was refused. So each line of an answer must be one of these, and one of them a refusal; else what it did is not known.
 */
export interface Refusals {
  tool: string;
  lines: readonly RefusalLine[];
  /** RegExp sources of whole lines that may stand beside a refusal and say neither. */
  beside?: readonly string[];
  /** So many lines must refuse: a command that sets several things says so of each. By default 1. */
  atLeast?: number;
  /** Of a device: RegExp sources of lines that change nothing by themselves (they open a mode, or edit what is not committed). */
  harmless?: readonly string[];
}

/**
 * One command on one host. What is shown is what is sent. `refusals`: what proves that it did nothing, should it not exit 0. `note`: it only writes down that the others were done, so it is sent after
 * them and not when one of them said no; what becomes of it says nothing of what they did. `changes`: of a long script on standard
 * input the words that mark its lines which change something; these are shown first and the others folded. Absent: all of it is shown.
 */
export type Step =
  | {
      host: string;
      argv: readonly string[];
      stdin?: string;
      changes?: readonly string[];
      deadlineMs?: number;
      refusals?: Refusals;
      note?: true;
    }
  | { host: string; lines: readonly string[]; dialect: Dialect; deadlineMs?: number; refusals?: Refusals };

/** A probe on a host, to be asked again. */
export interface Reread {
  probe: string;
  host: string;
}

/** One named precondition, checked live against fresh readings right before execution. */
export interface Guard {
  /** Number in docs/design.md (Guards) and its name: `4 ownership`. */
  id: string;
  /** What must be so, one line, shown in the dialog among what was checked: nothing that its `check` does not look at. */
  text: string;
  /** What belongs to it and nobody can look at here, and why: shown as not checked. */
  unchecked?: string;
  reads: readonly Reread[];
  /**
   * It looks at rows that it knows by name and counts none: lines of an answer that were not understood can't make it pass. Without
   * this an answer that was understood in part does not count as read.
   */
  ownRow?: true;
  /** Absolute guards can't be exceeded. */
  absolute: boolean;
  check(live: Judgement): GuardResult;
}

/** `againMs`: what it reads says more when it is read once more, no sooner than this: a rate needs two samples. */
export type GuardResult = { ok: true; text: string } | { ok: false; text: string; againMs?: number };

/** What must be so afterwards, by an independent reading. */
export interface Verification {
  text: string;
  reads: readonly Reread[];
  deadlineMs: number;
  /** Looked at again no sooner than this: for readings that signal a daemon, when it may take minutes. */
  everyMs?: number;
  /** UTC ms by which what is waited for comes of itself: the run counts down to it. */
  endsAt?: number;
  /**
   * `yes`: verified; `wait`: not yet; `no`: it will not come; `unread`: the readings came and do not tell of it, which is neither: an undo
   * is judged by the same words the other way round. `goesOn`, of a `yes`: what is begun and not over, which the text says too
   * (`2 jobs still run`).
   */
  check(live: Judgement): { state: 'yes' | 'wait' | 'no' | 'unread'; text: string; goesOn?: string };
  /** When "it is not so" is the last word on a command whose outcome is not known. By default after 30 s of such readings. */
  settles?: Settling;
}

/**
 * A daemon that hung carries out what waited for it when it goes on, so a reading that shows nothing proves nothing by itself: it has
 * to stay so for `ms` of readings in a row, while whoever could still carry it out is seen to answer.
 */
export interface Settling {
  ms: number;
  /** Read besides what the verification reads. */
  reads?: readonly Reread[];
  /** Who may still carry it out and is not seen to answer; undefined: all answer. */
  whyPending?(live: Judgement): string | undefined;
}

export interface PlanTarget {
  subject: Subject;
  /** What of the subject is acted on where that is finer than the subject: a path of a volume. Guard 13 counts each apart. */
  object?: string;
  steps: readonly Step[];
  guards: readonly Guard[];
  /** Already in the wanted state: the outcome is `nothing`. Reads what the guards read. */
  whyAlreadyDone(live: Judgement): string | undefined;
  verify: Verification;
  /** What was there when the plan was made, where the verification tells by it what is new: written down for other processes, too. */
  before?: readonly string[];
  /** Null: can't be undone, `undoText` of the plan says why. Made as `Action.undoOf` makes it. */
  undo: readonly Step[] | null;
  /** What `Action.undoOf` has to know of the moment before: values as JSON holds them, never commands. The audit log keeps it. */
  was?: unknown;
  /** What must be so before `undo` is sent by a plan of its own, besides that it still stands. */
  undoGuards?: readonly Guard[];
  /**
   * The undo that is armed before the change. Without one where guard 9 wants it, the action's own guard `9 armed undo` refuses
   * (absolute unless the site allows it for that device). Plans made anew while it is held must have the same bytes.
   */
  hold?: Hold;
  /** Locks taken while it runs: `partition batch`. */
  lockGroups: readonly string[];
}

/** An action bound to its targets and to the readings it rests on. */
export interface Plan {
  action: string;
  /** `Resume 17 nodes`. */
  title: string;
  verb: string;
  danger: Danger;
  targets: readonly PlanTarget[];
  leftOut: readonly { subject: Subject; reason: string }[];
  /** What is read in place of any command, where the reading itself is the work. */
  measures?: string;
  /** What users will notice of it, one line; beginning with who. */
  users: string;
  /** Why: lines with the readings it rests on. */
  because: readonly string[];
  afterwards: string;
  undoText: string;
  /** Parameters as they were given, for the audit log. */
  parameters: Readonly<Record<string, unknown>>;
  /** Guards exceeded with a typed reason. */
  exceeded: readonly { guard: string; reason: string }[];
}

export interface Refusal {
  refused: true;
  guard: string;
  reason: string;
}

export interface PlanContext {
  judgement: Judgement;
  /** The operator's login name, checked against `[A-Za-z0-9._-]`. */
  operator: string;
  /** The machine that this program runs on: what carries its own session is left alone. `macs`: `00:1c:73:00:00:49`. */
  self?: { host: string; macs: readonly string[] };
  /** Guards that the operator exceeds: the guard's number to the typed reason. Those the plan makes use of go into `Plan.exceeded`. */
  exceed?: Readonly<Record<string, string>>;
  /**
   * The plan is made to look at what an earlier run of it did, not to send anything: that it is done already, or that somebody has
   * changed it since, is no reason to refuse. `before`: of that run's `PlanTarget`.
   */
  looksBack?: { before: readonly string[] };
}

/** What undoes an action on one target, made anew. */
export interface WayBack {
  steps: readonly Step[];
  /** What the record does not tell, and what stands in its place: one line each for the card. */
  because?: readonly string[];
}

/** A remediation that a system offers. Pure: gives plans, runs nothing. */
export interface Action<P = unknown> {
  id: string;
  verb: string;
  title: string;
  subject: SubjectKind;
  /** Whether the menu offers it on this subject of its kind at all; absent: on each. */
  appliesTo?(subject: Subject): boolean;
  danger: Danger;
  /** Of `Plan`, where its plan says nothing else. */
  users: string;
  parameters: z.ZodType<P>;
  prompts: readonly ParameterPrompt[];
  /** May be done as often as wished (a measurement, a check): guard 13 does not hold it up. */
  repeatable?: true;
  menu: InMenu<P>;
  plan(subjects: readonly Subject[], parameters: P, context: PlanContext): Plan | Refusal;
  /**
   * The undo of what a run of this action did to a subject, from values: what the log holds as commands is never sent. `was`: what
   * `PlanTarget.was` held then, unchecked; undefined in logs of older versions, and where it is not what this version writes the same.
   * Read in the state after the change. Absent: no plan of this action has an undo.
   */
  undoOf?(subject: Subject, was: unknown, context: PlanContext): WayBack | Refusal;
}

/** A system's actions: known to the registry of actions only, so that read-only programs never load them. */
export interface ActionSet {
  system: string;
  actions: readonly Action[];
  /** What its actions run by `sudo -n` on hosts of each role, as sudoers compares it: `lctl set_param *`. */
  asRoot?: Readonly<Record<string, readonly string[]>>;
  /** The actions that the file of this site brings; absent: the same everywhere. */
  onSite?(site: SiteView): readonly Action[];
}

export type Outcome = 'done' | 'nothing' | 'undone' | 'failed' | 'refused' | 'unknown';
