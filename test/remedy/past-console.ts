import { vi } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { AuditRecord, RunView } from '../../src/model/run.ts';
import type { AuditEntry } from '../../src/remedy/audit-log.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import { createPastActions } from '../../src/remedy/past-actions.ts';
import type { PreparedTarget } from '../../src/remedy/prepared.ts';
import type { Runs } from '../../src/remedy/runs.ts';
import { logged } from './logged.ts';
import { lookDesk, reads } from './look-desk.ts';
import { preparedTarget } from './prepared.ts';
import { fakeAction, node } from './world.ts';

const HOUR = 3_600_000;
let seq = 0;

/** The record of a drain of this node, begun at START by bob's console. */
export const intent = (
  run: string,
  id: string,
  detail: Partial<LoggedAction['detail']> = {},
): AuditRecord => ({
  ...logged().intent,
  seq: (seq += 1),
  run,
  action: 'fake.drain',
  target: id,
  detail: { ...logged({}, detail).detail, subject: node(id) },
});
const restored = { text: '', reads: [], deadlineMs: 1 };
/** An undo that is armed for two hours. */
export const hold = { by: 'timer' as const, seconds: 7200, text: '', restored };

/** A console an hour later, over a log of these records; every target reads as `verify` says, where it `isRemembered`. */
export const consoleOver = (
  records: AuditRecord[],
  {
    verify = reads('yes', 'is drained'),
    atMs = HOUR,
    isRemembered = true,
  }: { verify?: PreparedTarget['verify']; atMs?: number; isRemembered?: boolean } = {},
) => {
  const desk = lookDesk(atMs);
  const now = {
    off: undefined as string | undefined,
    problems: [] as { line: number; text: string }[],
    polled: {} as object,
  };
  const log = vi.fn();
  const publish = vi.fn(async () => undefined);
  const sweep = vi.fn<(group: string) => Promise<[]>>(async () => []);
  const retry = vi.fn(async () => undefined);
  const active = new Set<string>();
  const listeners = new Set<() => void>();
  const views: RunView[] = [];
  const parts = {
    ...desk.parts,
    actionSets: [{ system: 'fake', actions: [fakeAction({ wants: true })] }],
    operator: { name: 'alice', uid: 1000 },
    console: { host: 'adm1', pid: 1, version: '1', stamp: 'boot/1' },
    liveness: () => 'dead',
    locks: { sweep },
    sharedActions: { poll: async () => now.polled, tell: async () => undefined },
    log,
    audit: {
      file: '/state/audit.jsonl',
      read: vi.fn(async () => ({ records: [...records], problems: now.problems })),
      check: async () => now.off,
      publish,
      append: vi.fn(async (entry: AuditEntry) => {
        records.push({ ...logged().intent, ...entry, seq: (seq += 1) });
        return { ok: true };
      }),
    },
  } as unknown as EngineParts;
  const runs = {
    memory: { get: () => (isRemembered ? preparedTarget({ verify }) : undefined) },
    listActive: () => active,
    settle: (view: RunView) => void views.push(view),
    views: () => views,
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as unknown as Runs;
  const later = {
    retry,
    tell: async () => '',
    keep: async () => '',
    forget: () => undefined,
    badges: () => [],
  };
  const past = createPastActions(parts, runs, later, async () => ({
    parts: { ...parts, proofOfEnd: () => undefined },
    log: undefined,
    listActive: () => active,
  }));
  const written = () =>
    records.filter(({ kind }) => kind === 'recovered').map(({ target, outcome }) => `${target} ${outcome}`);
  return {
    ...desk,
    parts,
    past,
    now,
    log,
    publish,
    sweep,
    retry,
    active,
    listeners,
    views,
    written,
    records,
  };
};
