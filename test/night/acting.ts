import { join } from 'node:path';
import { actionSets } from '../../src/registries/actions.ts';
import type { Collector } from '../../src/collect/collector.ts';
import type { RunView } from '../../src/model/run.ts';
import type { Subject } from '../../src/model/subject.ts';
import { createAuditLog, type AuditLog } from '../../src/remedy/audit-log.ts';
import { createEngine, type Engine } from '../../src/remedy/engine.ts';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import type { LockStore } from '../../src/remedy/lock-store.ts';
import { createLocks } from '../../src/remedy/locks.ts';
import type { ConsoleId } from '../../src/remedy/parts.ts';
import type { FakeClock } from '../collect/helpers/fake-clock.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { realTime } from '../remedy/time.ts';

/** Consoles one after the other, on one state folder: each with an engine of its own that has only the log of those before. */
export interface Consoles {
  audit: AuditLog;
  next(): Engine;
}

/** What is under way on this machine's disk: meanwhile the fake clock stands still, or locks would expire under an fsync. */
const onDisk = { works: 0 };

const counted = <T>(work: Promise<T>): Promise<T> => {
  onDisk.works += 1;
  return work.finally(() => void (onDisk.works -= 1));
};

const operator = { name: 'alice', uid: 1000 };

export const consolesOn = (collector: Collector): Consoles => {
  const folder = emptyFolder('acting');
  let ids = 0;
  const newId = (): string => `${(ids += 1)}`;
  const console: ConsoleId = { host: 'adm1', pid: process.pid, version: '0.0.0', stamp: 'test' };
  /** Each console has its own: one that goes on would know what it wrote itself. */
  const newAudit = (): AuditLog => {
    const log = createAuditLog({
      file: join(folder, 'audit.jsonl'),
      site: 'demo',
      operator,
      console,
      clock: realTime,
    });
    return {
      file: log.file,
      problem: log.problem,
      append: (entry) => counted(log.append(entry)),
      read: (full) => counted(log.read(full)),
      check: () => counted(log.check()),
      publish: () => counted(log.publish()),
      warnings: log.warnings,
    };
  };
  const store = createLocalStore(join(folder, 'locks'), realTime, newId);
  const local: LockStore = {
    where: store.where,
    look: (name) => counted(store.look(name)),
    put: (name, text) => counted(store.put(name, text)),
    remove: (name, text) => counted(store.remove(name, text)),
  };
  return {
    audit: newAudit(),
    next: () =>
      createEngine({
        site: collector.site,
        actionSets,
        reader: collector,
        transports: collector.transports,
        audit: newAudit(),
        locks: createLocks({
          site: 'demo',
          local,
          operator,
          console,
          clock: collector.clock,
          makeId: newId,
        }),
        clock: collector.clock,
        operator,
        console,
        log: () => undefined,
        liveness: () => 'dead',
        proofOfEnd: () => undefined,
        makeId: newId,
      }),
  };
};

/** What takes time on the fake clock, whose time goes on while it is waited for. */
export const waitFor = async <T>(clock: FakeClock, work: Promise<T>): Promise<T> => {
  const over = new AbortController();
  const done = work.finally(() => over.abort());
  done.catch(() => undefined);
  while (!over.signal.aborted) {
    // Other looks at the disk are short; they get a moment, too.
    do await new Promise((resolve) => setTimeout(resolve, 1));
    while (onDisk.works > 0);
    await clock.advance(50);
  }
  return done;
};

/** Plans, confirms and waits for its end; a held change is kept. Throws with the words of what refuses. */
export const carryOut = async (
  engine: Engine,
  clock: FakeClock,
  { action, subject, set = {} }: { action: string; subject: Subject; set?: Record<string, string> },
): Promise<RunView> => {
  const planned = await waitFor(clock, engine.plan(action, [subject], set));
  if ('refused' in planned) throw new Error(`${action}: ${planned.refused.guard}: ${planned.refused.reason}`);
  const { id, confirmText, armedAfterMs } = planned.card;
  await clock.advance(armedAfterMs);
  const stop = engine.onChange(() => {
    const [view] = engine.runs();
    if (view?.hold?.state === 'waiting') void engine.keep(view.id, 'keep');
  });
  const confirmed = await waitFor(clock, engine.confirm(id, confirmText));
  if ('refused' in confirmed) throw new Error(`${action}: ${confirmed.refused.reason}`);
  const view = await waitFor(clock, engine.awaitEnd(confirmed.run));
  stop();
  return view;
};
