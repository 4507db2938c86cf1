import type { Outcome } from '../model/action.ts';
import type { AuditEntry } from './audit-log.ts';
import type { GuardNote } from './check-target.ts';
import type { HoldPhase } from '../audit/logged-actions.ts';
import { fold } from '../text/nodeset.ts';
import { makeSafe } from '../text/safe.ts';
import { sha256 } from '../audit/audit-line.ts';
import { boundOf, hashOf, type Command } from './commands.ts';
import type { Prepared, PreparedHold, PreparedTarget } from './prepared.ts';
import type { Sent } from './send-steps.ts';

const commandRecord = ({ host, script, stdin, deadlineMs, dialect }: Command): Record<string, unknown> => ({
  host,
  script,
  sha256: sha256(script),
  deadlineMs,
  ...(stdin !== undefined && { stdin }),
  ...(dialect !== undefined && { dialect }),
});

const head = (run: string, plan: Prepared, target: PreparedTarget): Omit<AuditEntry, 'kind' | 'detail'> => ({
  run,
  action: plan.action,
  target: target.subject.id,
});

/** All that is needed to say later what was about to be done, by whom and why, and to look and undo without this process. */
export const intentEntry = (
  run: string,
  plan: Prepared,
  target: PreparedTarget,
  confirmed: string,
  notes: readonly GuardNote[],
): AuditEntry => ({
  kind: 'intent',
  ...head(run, plan, target),
  detail: {
    plan: plan.id,
    planHash: plan.hash,
    title: plan.title,
    verb: plan.verb,
    danger: plan.danger,
    subject: target.subject,
    ...(target.object !== undefined && { object: target.object }),
    confirmed,
    because: plan.because,
    guards: notes,
    exceeded: plan.exceeded,
    parameters: plan.parameters,
    hash: hashOf(target.steps),
    commands: target.steps.map(commandRecord),
    boundMs: boundMsOf(target),
    verify: { text: target.verify.text, reads: target.verify.reads, deadlineMs: target.verify.deadlineMs },
    ...(target.before && { before: target.before }),
    undo: target.undo?.map(commandRecord) ?? null,
    ...(target.was !== undefined && { was: target.was }),
    ...(target.takesBack !== undefined && { takesBack: target.takesBack }),
    undoText: plan.undoText,
    ...(target.hold && { hold: holdRecord(target.hold) }),
    lockGroups: target.lockGroups,
    ...(plan.undoes !== undefined && { undoes: plan.undoes }),
  },
});

/** What may still happen after the intent without anybody's doing: the commands, and what is armed to undo them. ms. */
const boundMsOf = ({ steps, hold }: PreparedTarget): number =>
  boundOf(steps) + (hold === undefined ? 0 : boundOf(hold.arm) + hold.armed.deadlineMs + hold.seconds * 1000);

const holdRecord = (hold: PreparedHold): Record<string, unknown> => ({
  by: hold.by,
  seconds: hold.seconds,
  text: hold.text,
  writesChange: true,
  arm: hold.arm.map(commandRecord),
  keep: hold.keep.map(commandRecord),
  restore: hold.restore.map(commandRecord),
  restored: {
    text: hold.restored.text,
    reads: hold.restored.reads,
    deadlineMs: hold.restored.deadlineMs,
  },
});

export const holdEntry = (
  { run, plan }: { run: string; plan: Prepared },
  target: PreparedTarget,
  phase: HoldPhase,
  detail: Readonly<Record<string, unknown>> = {},
  sent?: Sent,
): AuditEntry => ({
  kind: 'hold',
  ...head(run, plan, target),
  detail: {
    phase,
    subject: target.subject,
    ...detail,
    ...(sent && { sent: sent.state, steps: sent.results }),
  },
});

export const resultEntry = (
  run: string,
  plan: Prepared,
  target: PreparedTarget,
  outcome: Outcome,
  end: { text: string; tookMs?: number; guard?: string },
  sent?: Sent,
): AuditEntry => ({
  kind: 'result',
  ...head(run, plan, target),
  outcome,
  detail: {
    subject: target.subject,
    ...(end.guard !== undefined && { guard: end.guard }),
    text: end.text,
    ...(sent && { sent: sent.state, steps: sent.results, ...(sent.changed && { changed: true }) }),
    ...(end.tookMs !== undefined && { verifiedAfterMs: end.tookMs }),
    ...(plan.undoes !== undefined && { undoes: plan.undoes }),
  },
});

/** A refusal before or after confirmation. */
export const refusedEntry = (
  about: { run?: string; action: string; target: string },
  refusal: { guard: string; reason: string },
  detail: Readonly<Record<string, unknown>> = {},
): AuditEntry => ({
  kind: 'refused',
  ...about,
  outcome: 'refused',
  detail: { guard: refusal.guard, text: refusal.reason, ...detail },
});

/** The targets that were asked for and are no part of the run, each with its reason. */
export const leftOutEntry = ({ action, leftOut }: Prepared, run: string): AuditEntry => ({
  kind: 'refused',
  run,
  action,
  target: makeSafe(fold(leftOut.map(({ subject }) => subject.id)), 500),
  outcome: 'refused',
  detail: {
    guard: 'left out',
    text: leftOut.map(({ subject, reason }) => `${subject.id}: ${reason}`).join('; '),
    leftOut,
  },
});
