import { problemText } from '../audit/audit-problems.ts';
import { isOpen, type LoggedAction, loggedActions, openActions } from '../audit/logged-actions.ts';
import { pastRuns } from '../audit/past-runs.ts';
import type { Refusal } from '../model/action.ts';
import type { PastRun, RunView } from '../model/run.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { age } from '../text/ages.ts';
import { thrownText } from '../text/thrown.ts';
import { sweep } from './acquire.ts';
import { guard, refuse } from './guards.ts';
import type { Later } from './later.ts';
import type { Judging, Settled } from './lock-verdict.ts';
import { createLooks, findInTheWay, type Looks } from './looks.ts';
import type { EngineParts } from './parts.ts';
import { createRecentPast, type RecentPast } from './recent-past.ts';
import { isInProgress, longestRunMs } from './recover.ts';
import { UNDO } from './revive.ts';
import type { Runs } from './runs.ts';
import { settleRun } from './settle-run.ts';

/** What was done before, here and by colleagues, as far as it says what may be done now. */
export interface PastActions {
  /** Our own audit log; throws `AuditUnreadable`. */
  read(): Promise<readonly LoggedAction[]>;
  /** What the cool-down looks at: read for each plan, and once more under its locks. */
  recent: RecentPast;
  /**
   * Why nothing may be done to these, nor be undone of this run: it is not known what an earlier run did to one of them, and a look
   * does not tell.
   */
  findBlock(subjects: readonly Subject[], run?: string): Promise<Refusal | undefined>;
  /**
   * Whether all that a run had begun is known, so that its lock protects nothing any more (guards 12 and 15); looks again at what is
   * open when `look`. Only for a run whose console has ended.
   */
  settle(run: string, look: boolean): Promise<Settled>;
  /** See `Engine.recover`. */
  recover(only?: InTheWayOf): Promise<readonly RunView[]>;
  /** See `Engine.watch`. */
  watch(): () => void;
  /** See `Engine.past`. */
  runs(): Promise<readonly PastRun[]>;
}

/** What is about to be done, so that what is in its way is looked at first. */
export interface InTheWayOf {
  /** An action's id, or `undo:RUN`. */
  action: string;
  subjects: readonly Subject[];
  /** Called with what is looked at, where there is any: it may take as long as readings settle. */
  tell(items: readonly LoggedAction[]): void;
}

/** What is not known is looked at again after so long, then half as often each time, ms. */
const FIRST_AGAIN_MS = 10_000;
const MOST_AGAIN_MS = 60_000;

/** What earlier runs left is not known, so nothing may be done. */
export class AuditUnreadable extends Error {}

/** What the parts of this file share. */
interface Shared {
  parts: EngineParts;
  runs: Runs;
  later: Later;
  looks: Looks;
  judging(): Promise<Omit<Judging, 'settle'>>;
}

export const createPastActions = (
  parts: EngineParts,
  runs: Runs,
  later: Later,
  judging: () => Promise<Omit<Judging, 'settle'>>,
): PastActions => {
  const shared: Shared = { parts, runs, later, looks: createLooks(parts, runs, later), judging };
  const recent = createRecentPast(parts);
  const recover = createRecovery(shared);
  return {
    read: () => readLog(parts),
    recent,
    findBlock: (subjects, run) => findBlock(shared, subjects, run),
    settle: (run, look) => settle(shared, run, look),
    recover,
    watch: () => watchOpen(shared, recover),
    runs: async () => {
      const polled = await parts.sharedActions?.poll();
      const all = await readLog(parts);
      recent.take(all, polled);
      // It answers: what could not be done there may be possible now.
      if (polled?.past) await later.retry();
      return pastRuns(all, recent.colleagues());
    },
  };
};

const readLog = async ({ audit, log, concerns }: EngineParts): Promise<readonly LoggedAction[]> => {
  const { records, problems } = await audit.read().catch((error: unknown) => {
    throw new AuditUnreadable('the audit log cannot be read', { cause: error });
  });
  const wrong = problems[0];
  if (wrong) log(`audit log ${audit.file}: ${problemText(wrong)}`);
  const all = loggedActions(concerns ? records.filter(concerns) : records);
  return wrong ? all.map((one): LoggedAction => ({ ...one, gaps: true })) : all;
};

/** Guards 10 and 15: a subject of which it is not known what was done to it. Looked at once more before saying no. */
const findBlock = async (
  { parts, runs, looks }: Shared,
  subjects: readonly Subject[],
  run?: string,
): Promise<Refusal | undefined> => {
  const all = await readLog(parts);
  for (const one of findInTheWay([...openActions(all).values()], all, subjects, run)) {
    const what = `${one.action} on ${one.subject.id} by ${one.intent.operator}`;
    if (isInProgress(parts, one, runs.listActive()))
      return refuse(guard.once, `${what} is still under way (pid ${one.intent.console.pid})`);
    const left = longestRunMs(parts, one);
    if (left > 0)
      return refuse(
        guard.unknown,
        one.detail.hold === undefined
          ? `outcome unknown: ${what}, which may go on for ${age(left)}`
          : `${what} was left while the change was held: it is undone within ${age(left)} unless it was kept`,
      );
    const now = await looks.lookAt(one, all);
    if (now.unwritten !== undefined) return refuse(guard.audit, now.unwritten);
    if (now.outcome === 'unknown' && now.closed !== true)
      return refuse(guard.unknown, `outcome unknown: ${what}; ${now.text}`);
  }
  return undefined;
};

const settle = async ({ parts, looks }: Shared, run: string, look: boolean): Promise<Settled> => {
  const all = await readLog(parts);
  const lookOnce = async (one: LoggedAction): Promise<{ outcome: string } | { unknown: string }> => {
    const [view] = await looks.lookUntil([one], all);
    const now = (await readLog(parts)).find(
      (other) => other.run === run && subjectKey(other.subject) === subjectKey(one.subject),
    );
    return now === undefined || isOpen(now)
      ? { unknown: view?.result ?? `outcome unknown: ${one.action} on ${one.subject.id}` }
      : { outcome: now.outcome ?? 'unknown' };
  };
  return settleRun(parts, run, all, look ? lookOnce : undefined);
};

/** Looks at what earlier consoles left; the first time that the log is whole it frees locks of consoles that are no more, too. */
const createRecovery = (shared: Shared): PastActions['recover'] => {
  const { parts, later, looks } = shared;
  const { audit } = parts;
  const startedMono = parts.clock.mono();
  let swept = false;
  let saidOff: string | undefined;
  return async (only) => {
    const off = await audit.check();
    if (off !== undefined && off !== saidOff) parts.log(`recovery: ${off}`);
    saidOff = off;
    const all = await readLog(parts);
    const open = looks.listOpen(all);
    if (only) {
      // What an armed undo will end is not waited for: whoever asks is told at once when that is over.
      const chosen = findInTheWay(open, all, only.subjects, UNDO.exec(only.action)?.[1]).filter(
        (one) => one.detail.hold === undefined || longestRunMs(parts, one) === 0,
      );
      if (chosen.length > 0) only.tell(chosen);
      const views = await looks.lookUntil(chosen, all);
      const others = open.filter((one) => !chosen.includes(one));
      await looks.glance(others, all, startedMono);
      return views;
    }
    const views = await looks.lookUntil(open, all);
    // From a log that is not whole it can't be told which locks protect nothing.
    if (off !== undefined) return views;
    await later.retry();
    if (!swept) await sweepLocks(shared, all);
    if (!swept || views.length > 0) await audit.publish();
    swept = true;
    return views;
  };
};

/** Locks of runs whose console has ended, where what they had begun is known: such a lock protects nothing. */
const sweepLocks = async (shared: Shared, all: readonly LoggedAction[]): Promise<void> => {
  const judging = { ...(await shared.judging()), settle: (run: string) => settle(shared, run, false) };
  const groups = new Set(all.slice(-500).flatMap(({ detail }) => detail.lockGroups));
  for (const group of groups) await sweep(shared.parts, group, judging);
};

/** Begins with what earlier consoles left; then whatever is not known is looked at again by itself, later and later. */
const watchOpen = ({ parts, runs }: Shared, recover: PastActions['recover']): (() => void) => {
  const life = new AbortController();
  let wake = new AbortController();
  let known = 0;
  const ignoreEnd = runs.onChange(() => {
    const unknown = runs.views().filter(({ state }) => state === 'unknown').length;
    if (unknown > known) wake.abort();
    known = unknown;
  });
  const loop = async (): Promise<void> => {
    let pauseMs = FIRST_AGAIN_MS;
    while (!life.signal.aborted) {
      wake = new AbortController();
      const left = await recover().catch((error: unknown) => {
        parts.log(`recovery: ${thrownText(error)}`);
        return [];
      });
      const isLeft = left.some(({ state }) => state === 'unknown');
      const pause = isLeft ? pauseMs : MOST_AGAIN_MS;
      await parts.clock.sleep(pause, AbortSignal.any([wake.signal, life.signal]));
      pauseMs = wake.signal.aborted ? FIRST_AGAIN_MS : Math.min(MOST_AGAIN_MS, pauseMs * 2);
    }
  };
  void loop();
  return () => {
    ignoreEnd();
    life.abort();
  };
};
