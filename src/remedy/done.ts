import { type Past, pastRuns as tellPastRuns } from '../audit/past-runs.ts';
import { problemText } from '../audit/audit-verify.ts';
import type { SharedRead } from '../audit/shared-past.ts';
import { tellRuns, type Told, isOpen, openItems } from '../audit/told.ts';
import type { Refusal } from '../model/action.ts';
import type { PastRun } from '../model/past-run.ts';
import type { RunView } from '../model/run.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { age } from '../text/ages.ts';
import { sweep } from './acquire.ts';
import { type KnownPast, pastOf } from './cool-down.ts';
import { guard, refuse } from './guards.ts';
import type { Later } from './later.ts';
import type { Judging, Settled } from './lock-verdict.ts';
import type { EngineParts } from './parts.ts';
import { createLooks, inTheWay } from './looks.ts';
import { isInProgress, mayRunForMs } from './recover.ts';
import { UNDO } from './revive.ts';
import type { Runs } from './runs.ts';
import { settleRun } from './settle-run.ts';

/** What was done before, here and by colleagues, as far as it says what may be done now. */
export interface Done {
  /** The audit log's runs; throws `AuditUnreadable`. */
  told(): Promise<readonly Told[]>;
  /** Reads what the cool-down looks at: for each plan, and once more under its locks. */
  readPast(all: readonly Told[]): Promise<void>;
  /** What was read last. */
  past(): KnownPast;
  /**
   * Why nothing may be done to these, nor be undone of this run: it is not known what an earlier run did to one of them, and a look
   * does not tell.
   */
  blockedBy(subjects: readonly Subject[], run?: string): Promise<Refusal | undefined>;
  /**
   * Whether all that a run had begun is known, so that its lock protects nothing any more (guards 12 and 15); looks again at what is
   * open when `look`. Only for a run whose console has ended.
   */
  settleRun(run: string, look: boolean): Promise<Settled>;
  /** See `Engine.recover`. */
  recover(only?: InTheWayOf): Promise<readonly RunView[]>;
  /** See `Engine.watch`. */
  watch(): () => void;
  /** See `Engine.past`. */
  pastRuns(): Promise<readonly PastRun[]>;
}

/** What is about to be done, so that what is in its way is looked at first. */
export interface InTheWayOf {
  /** An action's id, or `undo:RUN`. */
  action: string;
  subjects: readonly Subject[];
  /** Called with what is looked at, where there is any: it may take as long as readings settle. */
  tell(items: readonly Told[]): void;
}

/** What is not known is looked at again after so long, then half as often each time, ms. */
const FIRST_AGAIN_MS = 10_000;
const MOST_AGAIN_MS = 60_000;

/** What earlier runs left is not known, so nothing may be done. */
export class AuditUnreadable extends Error {}

export const createDone = (
  parts: EngineParts,
  runs: Runs,
  later: Later,
  judging: () => Promise<Omit<Judging, 'settle'>>,
): Done => {
  const { audit, clock } = parts;
  const looks = createLooks(parts, runs, later);
  const startedMono = clock.mono();
  /** Guard 13: what was done lately, here and by colleagues; read every minute, for each plan and once more under its locks. */
  let known: KnownPast = { past: [] };
  let colleagues: readonly Past[] = [];
  /** What nobody could read takes nothing back of what was known, and says so. */
  const take = (all: readonly Told[], { past = colleagues, unclear }: SharedRead = {}): void => {
    if (unclear !== undefined && unclear !== known.unclear)
      parts.log(`the actions of colleagues: ${unclear}`);
    colleagues = past;
    const ours = new Set(all.map(({ run, subject }) => `${run} ${subjectKey(subject)}`));
    known = {
      // Of a run of this log the log knows better: what it says counts, whatever stands in the folder.
      past: [...pastOf(all), ...past.filter(({ run, subject }) => !ours.has(`${run} ${subject}`))],
      ...(unclear !== undefined && { unclear }),
    };
  };
  const readPast = async (all: readonly Told[]): Promise<void> =>
    take(all, await parts.sharedActions?.read());

  const told = async (): Promise<readonly Told[]> => {
    const { records, problems } = await audit.read().catch((error: unknown) => {
      throw new AuditUnreadable('the audit log cannot be read', { cause: error });
    });
    const wrong = problems[0];
    if (wrong) parts.log(`audit log ${audit.file}: ${problemText(wrong)}`);
    const all = tellRuns(parts.concerns ? records.filter(parts.concerns) : records);
    return wrong ? all.map((one): Told => ({ ...one, gaps: true })) : all;
  };

  /** Guards 10 and 15: a subject of which it is not known what was done to it. Looked at once more before saying no. */
  const blockedBy = async (subjects: readonly Subject[], run?: string): Promise<Refusal | undefined> => {
    const all = await told();
    for (const one of inTheWay([...openItems(all).values()], all, subjects, run)) {
      const what = `${one.action} on ${one.subject.id} by ${one.intent.operator}`;
      if (isInProgress(parts, one, runs.active()))
        return refuse(guard.once, `${what} is still under way (pid ${one.intent.console.pid})`);
      const left = mayRunForMs(parts, one);
      if (left > 0)
        return refuse(
          guard.unknown,
          one.detail.hold === undefined
            ? `it is not known what ${what} did, and it may go on for ${age(left)}`
            : `${what} was left while it was held: unless it was kept it is undone within ${age(left)}`,
        );
      const now = await looks.at(one, all);
      if (now.unwritten !== undefined) return refuse(guard.audit, now.unwritten);
      if (now.outcome === 'unknown' && now.closed !== true)
        return refuse(guard.unknown, `it is not known what ${what} did, and ${now.text}`);
    }
    return undefined;
  };

  const settle: Done['settleRun'] = async (run, look) => {
    const all = await told();
    const lookOnce = async (one: Told): Promise<{ outcome: string } | { unknown: string }> => {
      const [view] = await looks.until([one], all);
      const now = (await told()).find(
        ({ run: of, subject }) => of === run && subjectKey(subject) === subjectKey(one.subject),
      );
      return now === undefined || isOpen(now)
        ? { unknown: view?.result ?? `it is not known what ${one.action} did to ${one.subject.id}` }
        : { outcome: now.outcome ?? 'unknown' };
    };
    return settleRun(parts, run, all, look ? lookOnce : undefined);
  };

  let swept = false;
  let saidOff: string | undefined;
  const recover: Done['recover'] = async (only) => {
    const off = await audit.check();
    if (off !== undefined && off !== saidOff) parts.log(`recovery: ${off}`);
    saidOff = off;
    const all = await told();
    const open = looks.open(all);
    if (only) {
      // What an armed undo will end is not waited for: whoever asks is told at once when that is over.
      const chosen = inTheWay(open, all, only.subjects, UNDO.exec(only.action)?.[1]).filter(
        (one) => one.detail.hold === undefined || mayRunForMs(parts, one) === 0,
      );
      if (chosen.length > 0) only.tell(chosen);
      const views = await looks.until(chosen, all);
      await looks.glance(
        open.filter((one) => !chosen.includes(one)),
        all,
        startedMono,
      );
      return views;
    }
    const views = await looks.until(open, all);
    // From a log that is not whole it can't be told which locks protect nothing.
    if (off !== undefined) return views;
    await later.retry();
    if (!swept) await sweepLocks(parts, all, { ...(await judging()), settle: (run) => settle(run, false) });
    if (!swept || views.length > 0) await audit.publish();
    swept = true;
    return views;
  };

  /** Begins with what earlier consoles left; then whatever is not known is looked at again by itself, later and later. */
  const watch = (): (() => void) => {
    const life = new AbortController();
    let wake = new AbortController();
    let known = 0;
    const quiet = runs.onChange(() => {
      const unknown = runs.views().filter(({ state }) => state === 'unknown').length;
      if (unknown > known) wake.abort();
      known = unknown;
    });
    const loop = async (): Promise<void> => {
      let pauseMs = FIRST_AGAIN_MS;
      while (!life.signal.aborted) {
        wake = new AbortController();
        const left = await recover().catch((error: unknown) => {
          parts.log(`recovery: ${error instanceof Error ? error.message : String(error)}`);
          return [];
        });
        const isOpen = left.some(({ state }) => state === 'unknown');
        await clock.sleep(isOpen ? pauseMs : MOST_AGAIN_MS, AbortSignal.any([wake.signal, life.signal]));
        pauseMs = wake.signal.aborted ? FIRST_AGAIN_MS : Math.min(MOST_AGAIN_MS, pauseMs * 2);
      }
    };
    void loop();
    return () => {
      quiet();
      life.abort();
    };
  };

  const pastRuns = async (): Promise<readonly PastRun[]> => {
    const polled = await parts.sharedActions?.poll();
    const all = await told();
    take(all, polled);
    // It answers: what could not be done there may be possible now.
    if (polled?.past) await later.retry();
    return tellPastRuns(all, colleagues);
  };

  return { told, readPast, past: () => known, blockedBy, settleRun: settle, recover, watch, pastRuns };
};

/** Locks of runs whose console has ended, where what they had begun is known: such a lock protects nothing. */
const sweepLocks = async (parts: EngineParts, all: readonly Told[], judging: Judging): Promise<void> => {
  const groups = new Set(all.slice(-500).flatMap(({ detail }) => detail.lockGroups));
  for (const group of groups) await sweep(parts, group, judging);
};
