import { type Past, pastRuns as tellPastRuns } from '../audit/past-runs.ts';
import type { SharedRead } from '../audit/shared-past.ts';
import { tellRuns, type Told } from '../audit/told.ts';
import type { Refusal } from '../model/action.ts';
import type { PastRun } from '../model/past-run.ts';
import type { RunView } from '../model/run.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { age } from '../text/ages.ts';
import { sweep } from './acquire.ts';
import { type KnownPast, pastOf } from './cool-down.ts';
import { guard, refuse } from './guards.ts';
import { openItems } from './open-items.ts';
import type { EngineParts } from './parts.ts';
import { isInProgress, lookAgain, mayRunForMs, recoveredEntry } from './recover.ts';
import { recoveredView, waitingView } from './recovered-view.ts';
import type { Runs } from './runs.ts';
import { tellRecovered } from './tell-shared.ts';

/** What was done before, here and by colleagues, as far as it says what may be done now. */
export interface Done {
  /** The audit log's runs; throws `AuditUnreadable`. */
  told(): Promise<readonly Told[]>;
  /** Reads what the cool-down looks at: for each plan, and once more under its locks. */
  readPast(all: readonly Told[]): Promise<void>;
  /** What was read last. */
  past(): KnownPast;
  /** Why nothing may be done to these: it is not known what an earlier run did to one of them, and a look does not tell. */
  blockedBy(subjects: readonly Subject[]): Promise<Refusal | undefined>;
  /** See `Engine.recover`. */
  recover(): Promise<readonly RunView[]>;
  /** See `Engine.past`. */
  pastRuns(): Promise<readonly PastRun[]>;
}

/** What earlier runs left is not known, so nothing may be done. */
export class AuditUnreadable extends Error {}

export const createDone = (parts: EngineParts, runs: Runs): Done => {
  const { audit, clock } = parts;
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
    if (wrong) parts.log(`audit log ${audit.file}: line ${wrong.line} ${wrong.text}`);
    return tellRuns(parts.concerns ? records.filter(parts.concerns) : records);
  };

  /** Guards 10 and 15: a subject of which it is not known what was done to it. Looked at once more before saying no. */
  const blockedBy = async (subjects: readonly Subject[]): Promise<Refusal | undefined> => {
    const all = await told();
    const open = openItems(all);
    for (const subject of subjects) {
      const one = open.get(subjectKey(subject));
      if (one === undefined) continue;
      const what = `${one.action} on ${subject.id} by ${one.intent.operator}`;
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
      const now = await lookAgain(parts, one, all, runs.memory);
      if (now.outcome === 'unknown')
        return refuse(guard.unknown, `it is not known what ${what} did, and ${now.text}`);
      const written = await audit.append(recoveredEntry(one, now));
      if (!written.ok) return refuse(guard.audit, written.reason);
      await tellRecovered(parts, one, now.outcome);
    }
    return undefined;
  };

  const recover = async (): Promise<readonly RunView[]> => {
    const all = await told();
    const left = all.filter((one) => openItems(all).get(subjectKey(one.subject)) === one);
    const views: RunView[] = [];
    const waitMs = (one: Told): number => (one.detail.hold === undefined ? 0 : mayRunForMs(parts, one));
    const orphans = left.filter((one) => !isInProgress(parts, one, runs.active()));
    for (const one of orphans) if (waitMs(one) > 0) runs.add(waitingView(one, waitMs(one), clock.now()));
    for (const one of orphans.toSorted((a, b) => waitMs(a) - waitMs(b))) {
      const now = await lookAgain(parts, one, all, runs.memory);
      const written = await audit.append(recoveredEntry(one, now));
      if (!written.ok) parts.log(`recovery of ${one.run}: ${written.reason}`);
      else await tellRecovered(parts, one, now.outcome);
      const view = recoveredView(one, now, clock.now());
      runs.add(view);
      views.push(view);
    }
    await sweepLocks(parts, all);
    return views;
  };

  const pastRuns = async (): Promise<readonly PastRun[]> => {
    const polled = await parts.sharedActions?.poll();
    const all = await told();
    take(all, polled);
    return tellPastRuns(all, colleagues);
  };

  return { told, readPast, past: () => known, blockedBy, recover, pastRuns };
};

/** Locks of runs of this machine whose console has ended. The run was looked at again before, so its lock protects nothing. */
const sweepLocks = async (parts: EngineParts, all: readonly Told[]): Promise<void> => {
  const groups = new Set(all.slice(-500).flatMap(({ detail }) => detail.lockGroups));
  for (const group of groups) await sweep(parts, group);
};
