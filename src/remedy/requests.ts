import { countProblems, problemText } from '../audit/audit-problems.ts';
import { logEntries } from '../audit/log-entries.ts';
import type { AuditRecord, LogEntry } from '../model/run.ts';
import type { RequestName, Requests } from '../model/wire.ts';
import { makeSafeDeep } from '../text/safe.ts';
import { count } from '../text/units.ts';
import type { AuditLog } from './audit-log.ts';
import type { Engine } from './engine.ts';

type RemedyRequest = Extract<
  RequestName,
  'actions' | 'menu' | 'plan' | 'confirm' | 'drop' | 'stop' | 'keep' | 'restore' | 'audit' | 'shell'
>;

/** What the screen asks of the engine; the worker answers requests of these names with these functions. */
export type RemedyRequests = {
  readonly [N in RemedyRequest]: (args: Requests[N]['in']) => Promise<Requests[N]['out']>;
};

/** Records that the audit view gets at once: newer ones are what a night needs. */
const MOST = 2_000;

/** The newest entries whose records are few enough to send at once. */
const newest = (entries: readonly LogEntry[]): readonly LogEntry[] => {
  let sum = 0;
  return entries.filter(({ records }) => (sum += records.length) <= MOST);
};

/** What a seal carries is told by its runs; a screen that shows it as well would be full of it. */
const withoutCarried = (record: AuditRecord): AuditRecord => {
  const { carried, ...detail } = record.detail;
  return Array.isArray(carried)
    ? { ...record, detail: { ...detail, carried: `${count(carried.length, 'record')} of the sealed log` } }
    : record;
};

/** Binds the engine and its log to the requests. Throws nothing but defects. */
export const remedyRequests = (engine: Engine, audit: AuditLog): RemedyRequests => ({
  actions: async () => engine.actions(),
  menu: ({ subjects, system }) => engine.menu(subjects, system),
  plan: ({ action, subjects, set, renews }) => engine.plan(action, subjects, set, renews),
  confirm: ({ plan, typed }) => engine.confirm(plan, typed),
  drop: async ({ plan }) => {
    engine.drop(plan);
    return {};
  },
  stop: async ({ run }) => {
    engine.stop(run);
    return {};
  },
  keep: ({ run, typed }) => engine.keep(run, typed),
  restore: ({ run }) => engine.restore(run),
  shell: async ({ host }) => {
    const written = await audit.append({ kind: 'shell', target: host, detail: { text: 'shell opened' } });
    return written.ok ? { written: true } : { refused: written.reason };
  },
  audit: async ({ since }) => {
    const { records, problems } = await audit.read(true);
    const running = new Set(engine.runs().flatMap(({ id, state }) => (state === 'running' ? [id] : [])));
    const chosen = logEntries(records, running).filter(
      ({ endedAt }) => since === undefined || endedAt >= since,
    );
    const first = problems[0];
    const count = countProblems(problems);
    return {
      entries: newest(chosen).map((entry) =>
        makeSafeDeep({ ...entry, records: entry.records.map(withoutCarried) }),
      ),
      verified: problems.length === 0,
      ...(first && {
        problem: `${problemText(first)}${count > 1 ? ` (and ${count - 1} more)` : ''}`,
      }),
    };
  },
});
