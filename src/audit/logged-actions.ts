import * as z from 'zod';
import type { Outcome } from '../model/action.ts';
import type { AuditRecord } from '../model/run.ts';
import { type Subject, subjectKinds, subjectKey } from '../model/subject.ts';
import { recordShape } from './audit-line.ts';

/**
 * Whether it is not known what came of it: no result was written, or one that says so (guards 10 and 15). An action that sends
 * no command (a check that only reads) leaves nothing open.
 */
export const isOpen = ({ outcome, detail, closed }: LoggedAction): boolean =>
  detail.commands.length > 0 && !closed && (outcome === undefined || outcome === 'unknown');

/** The newest open item of each subject. */
export const openActions = (actions: readonly LoggedAction[]): ReadonlyMap<string, LoggedAction> =>
  new Map(actions.filter(isOpen).map((one) => [subjectKey(one.subject), one]));

/**
 * Whether undoing it makes sense: its commands went out and took effect, nobody has undone it, and it is no undo itself. A held
 * change that nothing restored counts: before anything is sent it is read whether it still stands.
 */
export const isUndoable = (one: LoggedAction): boolean =>
  (one.outcome === 'done' || (one.outcome === 'failed' && one.detail.hold !== undefined)) &&
  !one.undone &&
  one.detail.undo !== null &&
  one.detail.undoes === undefined;

const carried = z.array(recordShape);

/** A record that seals a log is read once and asked about often; what it carries stays the same objects. */
const known = new WeakMap<AuditRecord, readonly AuditRecord[]>();

const carriedBy = (record: AuditRecord): readonly AuditRecord[] => {
  const found = known.get(record) ?? carried.safeParse(record.detail['carried']).data ?? [];
  known.set(record, found);
  return found;
};

/**
 * The records of a log with those of the sealed logs before it that still matter (what was open, and what was done in the last day),
 * in front of the record that carries them. Their numbers are those of the log they were written in.
 */
export const addCarried = (records: readonly AuditRecord[]): readonly AuditRecord[] =>
  records.flatMap((record) => (record.kind === 'sealed' ? [...carriedBy(record), record] : [record]));

/**
 * What the audit log tells of a held change. `change`, `keep` and `restore` are written before the first byte of theirs is sent,
 * the others tell what came of it. Logs of older versions have no `change`: an intent of this one says that it is written.
 */
export const holdPhases = [
  'armed',
  'change',
  'changed',
  'keep',
  'kept',
  'restore',
  'restored',
  'disarmed',
] as const;

export type HoldPhase = (typeof holdPhases)[number];

const command = z.object({
  host: z.string(),
  script: z.string(),
  stdin: z.string().exactOptional(),
  deadlineMs: z.number(),
  dialect: z
    .object({
      prompt: z.string(),
      pagerOff: z.array(z.string()),
      pager: z.string().exactOptional(),
      errors: z.array(z.string()),
    })
    .exactOptional(),
});

/** What an intent record says about its target: enough to look at it and to undo it in another process. */
const intentDetail = z.object({
  plan: z.string().exactOptional(),
  title: z.string(),
  verb: z.string(),
  danger: z.enum(['reversible', 'service', 'access']),
  subject: z.object({ kind: z.enum(subjectKinds), id: z.string() }),
  object: z.string().exactOptional(),
  parameters: z.record(z.string(), z.unknown()),
  exceeded: z.array(z.object({ guard: z.string(), reason: z.string() })),
  commands: z.array(command),
  boundMs: z.number(),
  verify: z.object({
    text: z.string(),
    reads: z.array(z.object({ probe: z.string(), host: z.string() })),
    deadlineMs: z.number(),
  }),
  before: z.array(z.string()).exactOptional(),
  undo: z.array(command).nullable(),
  was: z.unknown().exactOptional(),
  /** Of an undo: the plan of the run it undoes. */
  takesBack: z.string().exactOptional(),
  undoText: z.string(),
  hold: z
    .object({
      by: z.enum(['timer', 'device']),
      seconds: z.number(),
      text: z.string(),
      /** The phase `change` is written before the change is sent: without it nothing was. */
      writesChange: z.literal(true).exactOptional(),
      restored: z.object({
        text: z.string(),
        reads: z.array(z.object({ probe: z.string(), host: z.string() })),
        deadlineMs: z.number(),
      }),
    })
    .exactOptional(),
  lockGroups: z.array(z.string()),
  undoes: z.string().exactOptional(),
});

/** One target of one run as the audit log tells it. */
export interface LoggedAction {
  run: string;
  action: string;
  subject: Subject;
  intent: AuditRecord;
  detail: z.infer<typeof intentDetail>;
  /** Absent: nothing was written after the intent. */
  outcome?: Outcome;
  /** Text of the result or recovery. */
  text?: string;
  /** A later run has undone it. */
  undone: boolean;
  /** Its commands got through to the host, or may have, whatever came of it. */
  reached: boolean;
  /** What its only command did was not known when its result was written. */
  lost?: boolean;
  /** It will never be known what came of it: nothing waits for that any more. */
  closed?: boolean;
  /** Records of it may be missing, as its log was damaged: that something is not written proves nothing. */
  gaps?: true;
  /** What is written of a held change so far; each the UTC ms at which it was. */
  held: Partial<Record<HoldPhase, number>>;
}

/** Records are read once and asked about often. */
const parsed = new WeakMap<AuditRecord, z.infer<typeof intentDetail> | 'other'>();

const detailOf = (record: AuditRecord): z.infer<typeof intentDetail> | undefined => {
  const known = parsed.get(record) ?? intentDetail.safeParse(record.detail).data ?? 'other';
  parsed.set(record, known);
  return known === 'other' ? undefined : known;
};

const phaseOf = (record: AuditRecord): HoldPhase | undefined =>
  holdPhases.find((phase) => phase === record.detail['phase']);

/** Every intent of the log, and those that it carries of a sealed one, with what came of it, oldest first. */
export const loggedActions = (records: readonly AuditRecord[]): readonly LoggedAction[] => {
  const loggedByKey = new Map<string, LoggedAction>();
  for (const record of addCarried(records)) {
    if (record.kind === 'sealed' && record.detail['wrongCount'] !== 0)
      for (const one of loggedByKey.values()) one.gaps = true;
    if (record.run === undefined || record.target === undefined) continue;
    const key = `${record.run} ${record.target}`;
    if (record.kind === 'intent') {
      const detail = detailOf(record);
      if (detail === undefined) continue;
      const { run, action = '' } = record;
      loggedByKey.set(key, {
        run,
        action,
        subject: detail.subject,
        intent: record,
        detail,
        undone: false,
        reached: false,
        held: {},
      });
      continue;
    }
    const one = loggedByKey.get(key);
    const phase = record.kind === 'hold' ? phaseOf(record) : undefined;
    if (one && phase) one.held[phase] = Date.parse(record.at);
    if (one === undefined || (record.kind !== 'result' && record.kind !== 'recovered')) continue;
    if (record.outcome !== undefined) one.outcome = record.outcome;
    const sent = record.detail['sent'];
    if (sent === 'accepted' || sent === 'uncertain' || record.detail['changed'] === true) one.reached = true;
    // It was not known, was read until it was, and was not carried out.
    if (record.kind === 'recovered' && record.outcome === 'failed' && one.lost) one.reached = false;
    if (record.kind === 'result') one.lost = sent === 'uncertain' && record.detail['changed'] !== true;
    if (record.detail['closed'] === true) one.closed = true;
    if (typeof record.detail['text'] === 'string') one.text = record.detail['text'];
    const undone =
      one.detail.undoes === undefined ? undefined : loggedByKey.get(`${one.detail.undoes} ${record.target}`);
    if (undone && record.outcome === 'done') undone.undone = true;
  }
  return [...loggedByKey.values()];
};

/** Whether its commands took effect, or may have. */
export const mayHaveTakenEffect = ({ outcome, detail, undone, reached }: LoggedAction): boolean => {
  if (detail.commands.length === 0 || detail.undoes !== undefined || undone) return false;
  if (outcome === 'refused' || outcome === 'nothing' || outcome === 'undone') return false;
  return outcome !== 'failed' || reached;
};
