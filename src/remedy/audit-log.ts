import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { encodeHead, parseHead } from '../audit/audit-head.ts';
import { readLogState, NotRegular, READ_MS, readSettledState, type LogState } from '../audit/audit-read.ts';
import { countProblems, problemText } from '../audit/audit-problems.ts';
import { isWhole, EMPTY_LOG, type Verified, type Mark } from '../audit/audit-verify.ts';
import { createPatience, type Patience } from '../audit/patience.ts';
import { digest } from '../audit/trusted-part.ts';
import type { Clock } from '../model/ports.ts';
import type { AuditRecord } from '../model/run.ts';
import { thrownText } from '../text/thrown.ts';
import { appendTo } from './audit-write.ts';
import { makeBegun } from './begun.ts';
import { withFileLock } from './file-lock.ts';
import type { HeadCopy, SyslogCopy } from './head-copy.ts';
import { beginHead, writeHead } from './head-file.ts';
import type { ConsoleId, Operator } from './parts.ts';
import { createPublishing } from './publish-heads.ts';
import { sealCommand, folderProblem } from './state-folder.ts';

/** The log of a machine that has no place for one: nothing can be written, so nothing can be done (guard 14). */
export const noAuditLog = (why: string): AuditLog => {
  const reason = `audit log cannot be written: ${why}`;
  return {
    file: '',
    append: async () => ({ ok: false, reason }),
    // What was done before stands somewhere else: nothing is not what it says.
    read: async () => ({ ...EMPTY_LOG, problems: [{ line: 0, text: reason }] }),
    check: async () => reason,
    problem: () => reason,
    publish: async () => undefined,
    warnings: () => [],
  };
};

export type AuditEntry = Pick<AuditRecord, 'kind' | 'run' | 'action' | 'target' | 'outcome' | 'detail'>;

type Appended = { ok: true; record: AuditRecord } | { ok: false; reason: string };

/** The append-only, hash-chained record of what was done (guard 14). */
export interface AuditLog {
  readonly file: string;
  /**
   * On disk (fsync) when it resolves with `ok`. Nothing is written after what is not whole: a record more would make it look mended.
   * Never throws: a log that cannot be written is an answer.
   */
  append(entry: AuditEntry): Promise<Appended>;
  /**
   * Everything with what is wrong with it. What was found whole before is not checked line by line again unless `full`. Throws when
   * the file is there and cannot be read.
   */
  read(full?: boolean): Promise<Verified>;
  /** Whether the log is whole, is the one that colleagues' folder knows of, and could take a record now; the reason why not. */
  check(): Promise<string | undefined>;
  /** Why the last try failed, for the badge. */
  problem(): string | undefined;
  /** Writes the copies of heads that other machines keep. Never throws; what went wrong is in `warnings`. */
  publish(): Promise<void>;
  /** What the operator should know and what stops nothing. */
  warnings(): readonly string[];
}

export interface AuditParts {
  /** `.../faultline/SITE/audit.jsonl`; its folder is made (0700). */
  file: string;
  site: string;
  operator: Operator;
  console: ConsoleId;
  clock: Clock;
  /** A disk that does not answer for this long is a disk that cannot be written. Default 2 s. */
  deadlineMs?: number;
  /** Where a copy of the head goes; absent: nowhere. */
  copy?: HeadCopy;
  /** The syslog that gets each head; absent: none. */
  syslog?: SyslogCopy;
  /** What the first record of a log in another place than the configured one tells: why it is there, and the head of the old one. */
  describeMove?(): Promise<Readonly<Record<string, unknown>>>;
}

/** The log is not as it was left: nothing is done before somebody has looked. */
class NotWhole extends Error {}

const NOT_WHOLE = 'the audit log is damaged: ';

/** What is wrong with a log, and how to go on deliberately. */
export const damageText = (file: string, problems: Verified['problems']): string => {
  const first = problems[0];
  const count = countProblems(problems);
  const more = count > 1 ? ` (and ${count - 1} more)` : '';
  const what = first === undefined ? 'it is not whole' : `${problemText(first)}${more}`;
  return `${file}: ${what}; ${lookAndSeal(file)}`;
};

const lookAndSeal = (file: string): string =>
  `look at it (faultline audit verify), then go on with a new one: ${sealCommand(file)}`;

/** Opens nothing yet: each append opens, locks, reads what is new, writes, syncs and closes. Long because each method leaves behind what the next one must know: whether the log was whole, could be written, is the one that the shared folder knows of. */
// oxlint-disable-next-line max-lines-per-function -- each of its methods sets what the next one may do
export const createAuditLog = (parts: AuditParts): AuditLog => {
  const { file, clock, deadlineMs = 2_000, copy } = parts;
  const patience = createPatience((ms, signal) => clock.sleep(ms, signal));
  const log = createLogFile(parts, patience);
  let problem: string | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  /** Why it is not the log that the shared folder knows of. */
  let lost: string | undefined;

  /** One after the other in this process, each under the lock that other processes take too, none longer than the deadline. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(() => patience(work, deadlineMs));
    queue = turn.catch(() => undefined);
    return turn;
  };

  const attempt = async <T>(work: () => Promise<T>): Promise<T | { ok: false; reason: string }> => {
    try {
      // A log of years takes longer than a disk may be waited for; what is wrong with it is found again under the lock.
      if (log.known() === undefined) await log.look(false).catch(() => undefined);
      const value = await inTurn(work);
      problem = undefined;
      return value;
    } catch (error) {
      problem =
        error instanceof NotWhole
          ? `${NOT_WHOLE}${error.message}`
          : `audit log cannot be written: ${reasonOf(error, file)}`;
      return { ok: false, reason: problem };
    }
  };

  const checkLost = async (
    verified: Verified,
    mark: Promise<Mark | undefined> | undefined,
  ): Promise<string | undefined> => {
    const why = await copy?.findLost(verified, mark);
    lost = why && `${file}: ${why}; if that is right: ${sealCommand(file, true)}`;
    return lost && `${NOT_WHOLE}${lost}`;
  };

  const publish = createPublishing(parts, log, async (verified, mark) => {
    await checkLost(verified, mark);
    return lost === undefined;
  });

  return {
    file,
    append: async (entry) => {
      const moved = log.known()?.verified.records.length ? undefined : await parts.describeMove?.();
      const appended = await attempt(() =>
        log.locked(async (state) => {
          if (lost !== undefined) throw new NotWhole(lost);
          if (moved && state.verified.records.length === 0)
            await log.write(state, { kind: 'note', detail: moved });
          return log.write(log.known() ?? state, entry);
        }),
      );
      // What was begun is copied while it goes on; nothing waits for that.
      if (appended.ok && entry.kind === 'intent') void publish(false);
      return appended;
    },
    problem: () => problem,
    warnings: () => [...(copy?.warnings() ?? []), ...(parts.syslog?.warnings() ?? [])],
    publish: () => publish(true),
    read: async (full = false) => {
      try {
        const { verified } = await log.look(full);
        if (!isWhole(verified)) problem = `${NOT_WHOLE}${damageText(file, verified.problems)}`;
        return verified;
      } catch (error) {
        problem = `audit log cannot be read: ${reasonOf(error, file)}`;
        throw error;
      }
    },
    check: async () => {
      const later = copy?.read();
      const checked = await attempt(() => log.locked(async ({ verified }) => verified));
      if ('ok' in checked) return problem;
      return (problem = await checkLost(checked, later));
    },
  };
};

const reasonOf = (error: unknown, file: string): string => {
  if (error instanceof NotRegular) return `${error.message}; ${lookAndSeal(file)}`;
  return thrownText(error);
};

/** The file, and what is known of it. */
const createLogFile = (parts: AuditParts, patience: Patience) => {
  const { file, clock } = parts;
  let known: LogState | undefined;
  const take = (state: LogState): LogState => {
    if (!isWhole(state.verified)) throw new NotWhole(damageText(file, state.verified.problems));
    known = state;
    return state;
  };
  return {
    /** As it was when it was last found whole. */
    known: () => known,
    look: async (full: boolean): Promise<LogState> => {
      const state = await patience(() => readSettledState(file, known, full), READ_MS);
      if (isWhole(state.verified)) known = state;
      return state;
    },
    /** The lock, and in it the log as it is: whole, or it throws. */
    locked: async <T>(work: (state: LogState) => Promise<T>): Promise<T> => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const wrong = await folderProblem(file);
      if (wrong !== undefined) throw new Error(wrong);
      await beginHead(file);
      return withFileLock(`${file}.lock`, clock, async () => {
        const state = take(await readLogState(file, known, false));
        return work(isSettled(state) ? state : take(await settle(file, state)));
      });
    },
    write: async (state: LogState, entry: AuditEntry): Promise<Appended> => {
      const { record, state: after } = await appendTo(file, state, entry, parts);
      known = after;
      return { ok: true, record };
    },
  };
};

const isSettled = ({ head, traces }: LogState): boolean =>
  traces.begun && parseHead(head ?? '')?.point !== undefined;

/** Begins the two files that a log of this version has beside it; a log of the version before is accepted here, once. */
const settle = async (file: string, state: LogState): Promise<LogState> => {
  const { verified, bytes, hash } = state;
  const head = encodeHead({
    seq: verified.seq,
    lineHash: verified.end,
    point: { bytes, hash: digest(hash) },
  });
  if (head !== state.head) await writeHead(file, head);
  await makeBegun(file, verified.records);
  return readLogState(file, state, false);
};
