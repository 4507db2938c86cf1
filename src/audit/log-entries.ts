import type { Outcome } from '../model/action.ts';
import type { AuditRecord, LogEntry } from '../model/run.ts';
import { fold } from '../text/nodeset.ts';
import { isUndoable, loggedActions, addCarried, type LoggedAction } from './logged-actions.ts';

/** Worst first (the worst of several counts). */
const ranks: readonly Outcome[] = ['unknown', 'failed', 'undone', 'refused', 'done', 'nothing'];

/** The worst of several; of none `nothing`. */
export const worstOutcome = (outcomes: Iterable<Outcome>): Outcome => {
  const all = new Set(outcomes);
  return ranks.find((outcome) => all.has(outcome)) ?? 'nothing';
};

/**
 * A log as people read it, newest first: a run is one entry whatever its number of targets, and each record that belongs to no run
 * (a refusal, a shell, a seal) is one. Records that a seal carries of the log before it are entries of their own runs. `running` are
 * the runs of this console that have not ended.
 */
export const logEntries = (
  records: readonly AuditRecord[],
  running: ReadonlySet<string> = new Set(),
): readonly LogEntry[] => {
  const actions = Map.groupBy(loggedActions(records), ({ run }) => run);
  const byRun = Map.groupBy(addCarried(records), ({ run, hash }) => run ?? `record ${hash}`);
  return [...byRun.entries()]
    .map(([key, own]) => runEntry(own, actions.get(key) ?? [], running.has(key)))
    .toSorted((a, b) => b.at - a.at);
};

const runEntry = (
  records: readonly AuditRecord[],
  items: readonly LoggedAction[],
  underWay: boolean,
): LogEntry => {
  const [first] = records;
  const item = items[0];
  if (first === undefined || first.run === undefined || item === undefined) return recordEntry(records);
  const undone = items.filter((one) => one.undone).length;
  const outcomes = items.flatMap(({ outcome }): Outcome[] =>
    outcome === undefined ? (underWay ? [] : ['unknown']) : [outcome],
  );
  const missing = underWay ? 'no result yet' : 'no result was written';
  const told = items.filter(
    ({ outcome }) => items.length === 1 || (outcome !== 'done' && !(underWay && outcome === undefined)),
  );
  const progress = underWay && items.length > 1 ? [`${outcomes.length} with a result so far`] : [];
  return {
    run: first.run,
    ...whenAndWho(records),
    what: item.action,
    title: item.detail.title,
    on: fold(items.map(({ subject }) => subject.id)),
    ...(outcomes.length > 0 && { outcome: worstOutcome(outcomes) }),
    ...(underWay && { underWay }),
    ...(items.some(({ outcome }) => outcome === undefined) && { open: true as const }),
    text: [
      ...progress,
      ...told.map(({ subject, text = missing }) => (items.length > 1 ? `${subject.id}: ${text}` : text)),
    ].join('; '),
    ...(undone > 0 && { undone: undone === items.length ? ('whole' as const) : ('part' as const) }),
    undoText: item.detail.undoText,
    undoable: (underWay ? [] : items.filter(isUndoable)).map(({ subject }) => subject),
    targets: items.map(({ subject, outcome, text }) => ({
      subject,
      ...(outcome !== undefined && { outcome }),
      text: text ?? missing,
    })),
    commands: items.flatMap(({ detail }) =>
      detail.commands.map(({ host, script }) => `${host}: ${script.trimEnd()}`),
    ),
    records,
  };
};

const whenAndWho = (records: readonly AuditRecord[]) => {
  const times = records.map(({ at }) => Date.parse(at));
  return {
    at: Math.min(...times),
    endedAt: Math.max(...times),
    operator: records[0]?.operator ?? '',
    console: records[0]?.console.host ?? '',
  };
};

/** What is no run, or a run of which only a refusal was written. */
const recordEntry = (records: readonly AuditRecord[]): LogEntry => {
  const [first] = records;
  const kind = first?.kind ?? 'note';
  const texts = records.map(({ detail }) =>
    ['guard', 'group', 'owner', 'why', 'reason', 'text']
      .filter((name) => name !== 'guard' || !isNumbered(detail[name]))
      .map((name) => detail[name])
      .filter((one) => typeof one === 'string' && one !== '')
      .join(': '),
  );
  return {
    ...(first?.run !== undefined && { run: first.run }),
    ...whenAndWho(records),
    what: first?.action ?? kind,
    title: first?.action === undefined ? kindTitles[kind] : `${kindTitles[kind]}: ${first.action}`,
    on: first?.target ?? '',
    ...(first?.outcome !== undefined && { outcome: first.outcome }),
    text: texts.filter(Boolean).join('; '),
    undoable: [],
    targets: [],
    commands: [],
    records,
  };
};

/** `4 ownership`: a guard of docs/design.md, for who opens the raw record. */
const isNumbered = (guard: unknown): boolean => typeof guard === 'string' && /^\d+ /.test(guard);

const kindTitles: Readonly<Record<AuditRecord['kind'], string>> = {
  intent: 'intent',
  hold: 'held change',
  result: 'result',
  refused: 'refused',
  shell: 'shell opened',
  lockBroken: 'lock broken',
  recovered: 'settled later',
  note: 'note',
  sealed: 'log sealed',
};
