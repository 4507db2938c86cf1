import { type LoggedAction, openActions } from '../audit/logged-actions.ts';
import type { RunView } from '../model/run.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import type { EngineParts } from './parts.ts';
import {
  isInProgress,
  lookAgain,
  longestRunMs,
  recoveredEntry,
  settlingKey,
  type Recovered,
  type SettlingSince,
} from './recover.ts';
import type { Later } from './later.ts';
import { recoveredView, waitingView } from './recovered-view.ts';
import { findAction } from './make-plan.ts';
import { UNDO } from './revive.ts';
import type { Runs } from './runs.ts';
import { tellRecovered } from './tell-shared.ts';

/** What is not so yet and may still come is looked at this often, ms. */
const SETTLING_EVERY_MS = 5_000;

/** How a look ended; `unwritten`: why it could not be written down. */
export type Look = Recovered & { unwritten?: string };

/** Looks at what earlier runs left open, and writes down each last word. */
export interface Looks {
  /** One look; joins one that is under way. */
  lookAt(one: LoggedAction, all: readonly LoggedAction[]): Promise<Look>;
  /** Looks at all of these until each has its last word or can't be read; gives how they are on the screen. */
  lookUntil(items: readonly LoggedAction[], all: readonly LoggedAction[]): Promise<readonly RunView[]>;
  /** The open items that nobody is at work on. */
  listOpen(all: readonly LoggedAction[]): readonly LoggedAction[];
  /** Takes what was read anyway since this monotonic moment: what shows there as done is written down, nothing is asked. */
  glance(items: readonly LoggedAction[], all: readonly LoggedAction[], sinceMono: number): Promise<void>;
}

export const createLooks = (parts: EngineParts, runs: Runs, later: Later): Looks => {
  const since: SettlingSince = new Map();
  const underWay = new Map<string, Promise<Look>>();
  /** Written down as not known by this process: once is enough. */
  const said = new Set<string>();

  const note = async (one: LoggedAction, now: Recovered): Promise<Look> => {
    const key = settlingKey(one);
    const isLast = now.outcome !== 'unknown' || now.closed === true;
    const isSaid = said.has(key) || one.outcome === 'unknown';
    if (!isLast && (isSaid || now.settlesInMs !== undefined)) return now;
    const written = await parts.audit.append(recoveredEntry(one, now));
    if (!written.ok) return { ...now, unwritten: written.reason };
    said.add(key);
    await tellRecovered(parts, later, one, now.outcome);
    if (isLast) runs.settle(recoveredView(one, now, parts.clock.now()));
    return now;
  };

  const lookAt = (one: LoggedAction, all: readonly LoggedAction[], asReadSince?: number): Promise<Look> => {
    const key = settlingKey(one);
    const known = underWay.get(key);
    if (known) return known;
    const look = lookAgain(parts, one, all, {
      memory: runs.memory,
      since,
      ...(asReadSince !== undefined && { asReadSince }),
    })
      .then((now) => (asReadSince !== undefined && now.outcome !== 'done' ? now : note(one, now)))
      .finally(() => underWay.delete(key));
    underWay.set(key, look);
    return look;
  };

  const open = (all: readonly LoggedAction[]): readonly LoggedAction[] =>
    [...openActions(all).values()].filter((one) => !isInProgress(parts, one, runs.listActive()));

  return {
    lookAt: (one, all) => lookAt(one, all),
    lookUntil: (items, all) => lookUntilSettled(parts, runs, items, (one) => lookAt(one, all)),
    listOpen: open,
    glance: async (items, all, sinceMono) => {
      for (const one of items)
        if (isOurs(parts, one, all) && one.detail.hold === undefined && longestRunMs(parts, one) === 0)
          await lookAt(one, all, sinceMono);
    },
  };
};

const lookUntilSettled = async (
  parts: EngineParts,
  runs: Runs,
  items: readonly LoggedAction[],
  look: (one: LoggedAction) => Promise<Look>,
): Promise<readonly RunView[]> => {
  const waitMs = (one: LoggedAction): number =>
    one.detail.hold === undefined ? 0 : longestRunMs(parts, one);
  for (const one of items) if (waitMs(one) > 0) runs.settle(waitingView(one, waitMs(one), parts.clock.now()));
  const views = new Map<LoggedAction, RunView>();
  let left = items.toSorted((a, b) => waitMs(a) - waitMs(b));
  for (;;) {
    const settling: LoggedAction[] = [];
    for (const one of left) {
      const now = await look(one);
      if (now.unwritten !== undefined) parts.log(`recovery of ${one.run}: ${now.unwritten}`);
      if (now.settlesInMs !== undefined) settling.push(one);
      const unwritten = now.unwritten === undefined ? '' : '; this could not be written to the audit log';
      const view = recoveredView(one, { ...now, text: now.text + unwritten }, parts.clock.now());
      runs.settle(view);
      views.set(one, view);
    }
    if (settling.length === 0) return [...views.values()];
    left = settling;
    await parts.clock.sleep(SETTLING_EVERY_MS);
  }
};

/** Whether its action is one that this console has. */
const isOurs = (parts: EngineParts, { action, run }: LoggedAction, all: readonly LoggedAction[]): boolean => {
  const undone = UNDO.exec(action)?.[1];
  const base = undone === undefined ? undefined : all.find((one) => one.run === undone && one.run !== run);
  return findAction(parts, base?.action ?? action) !== undefined;
};

/** The open items on these subjects, and on those of the run that is to be undone. */
export const findInTheWay = (
  items: readonly LoggedAction[],
  all: readonly LoggedAction[],
  subjects: readonly Subject[],
  undone?: string,
): readonly LoggedAction[] => {
  const ofRun = undone === undefined ? [] : all.filter(({ run }) => run === undone);
  const keys = new Set([...subjects, ...ofRun.map(({ subject }) => subject)].map(subjectKey));
  return items.filter(({ subject }) => keys.has(subjectKey(subject)));
};
