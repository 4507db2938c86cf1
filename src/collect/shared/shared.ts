import type { Clock, Log } from '../../model/ports.ts';
import { folderBadges } from './badges.ts';
import { createBook, type Book } from './book.ts';
import { decodeEvent, encodeEvent, FORM, type SharedEvent } from './events.ts';
import type { Folder, Problem } from './folder.ts';
import type { LocalEvents } from './local.ts';
import type { LockSeen } from './lock-seen.ts';

/** Who writes, from where: `adm2 4242 9f3c` is machine, process and a few random letters. */
export interface Writer {
  who: string;
  from: string;
}

/** Where an event was kept. */
export type Kept =
  { where: 'shared' } | { where: 'here'; problem?: string } | { where: 'nowhere'; problem: string };

type Own<E> = E extends unknown ? Omit<E, 'v' | 'id' | 'at' | 'who' | 'from'> : never;

/** What consoles tell each other: acknowledgements, notes, who is on. */
export interface Shared extends Pick<Book, 'notes' | 'acked' | 'acks' | 'windows' | 'version' | 'traffic'> {
  readonly where: string | undefined;
  start(): void;
  /** Reads once, now. */
  readNow(): Promise<void>;
  /** Tells the others, or keeps it here until they can be told. Never throws. */
  add(event: Own<SharedEvent>): Promise<Kept>;
  /** `alice on adm2`: other consoles seen in the last minutes. */
  others(now: number): readonly string[];
  /** What other consoles are at work on. */
  locks(): readonly LockSeen[];
  events(): readonly SharedEvent[];
  badges(): readonly string[];
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

export interface SharedSetup {
  /** Absent: the site names none. */
  folder?: Folder;
  local: LocalEvents;
  writer: Writer;
  /** Reads only: the wall, a read-only console. */
  readOnly: boolean;
  clock: Clock;
  log: Log;
  newId(): string;
  /** What a finding's id of an older version is called now. */
  nameNow?(id: string): string;
}

const POLL_MS = 10_000;
const PRESENCE_MS = 60_000;
/** After an answer that did not come, and twice as long after each further one: a hung mount must not collect our commands. */
const HUNG_MS = 60_000;
const HUNG_MOST_MS = 32 * HUNG_MS;
/** Longer in the past than this, what was kept here is not told to the others any more. */
const TELL_MS = 30 * 86_400_000;

/** Nothing is read before `start` or `readNow`. */
export const createShared = (setup: SharedSetup): Shared => {
  const { folder, local, writer, readOnly, clock, log, newId } = setup;
  const book = createBook(setup.nameNow);
  const listeners = new Set<() => void>();
  const life = new AbortController();
  /** Lines that the others were not told yet, by id. */
  const untold = new Map<string, string>();
  /** `writing`: it can be read all the same; only a line that was written says that it is over. */
  let problem:
    { reason: string; since: number; hangs: boolean; missing: boolean; writing: boolean } | undefined;
  let localProblem: string | undefined;
  let localRead: Promise<void> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let toldAt = -Infinity;
  let locks: readonly LockSeen[] = [];
  let wake = new AbortController();

  let version = 0;
  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const learn = (lines: readonly string[]): void => {
    const read = lines.flatMap((line) => decodeEvent(line) ?? []);
    if (book.add(read)) changed();
  };
  /** One command at a time: two of ours must not change places. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const failed = ({ reason, hangs, missing = false }: Problem, writing: boolean): void => {
    // What stood there a while ago is not known to stand there now.
    if (!writing) locks = [];
    if (problem?.reason !== reason) log(`shared folder: ${reason}`);
    problem = { reason, hangs, missing, writing, since: problem?.since ?? clock.now() };
    changed();
  };
  const well = (): void => {
    if (!problem) return;
    problem = undefined;
    log('shared folder: can be used again');
    changed();
  };

  const readLocal = (): Promise<void> =>
    (localRead ??= local.read().then((lines) => {
      for (const line of lines) {
        const read = decodeEvent(line);
        if (read && 'event' in read && clock.now() - read.event.at < TELL_MS) untold.set(read.event.id, line);
      }
      learn(lines);
    }));

  /** What was kept here while the others could not be told. Ids make it harmless to say something twice. */
  const catchUp = async (target: Folder, known: ReadonlySet<string>): Promise<void> => {
    for (const [id, line] of untold) {
      if (!known.has(id)) {
        const written = await target.append(line);
        if (!written.ok) return failed(written, true);
        well();
      }
      untold.delete(id);
    }
  };

  const inFolder = new Set<string>();
  /** Gives whether the host answered in time. */
  const poll = async (target: Folder): Promise<boolean> => {
    const read = await target.read();
    if (!read.ok) {
      failed(read, false);
      if (read.missing === true && !readOnly) await catchUp(target, inFolder);
      return !read.hangs;
    }
    for (const line of read.events) {
      const one = untold.size > 0 ? decodeEvent(line) : undefined;
      if (one && 'event' in one) inFolder.add(one.event.id);
    }
    learn([...read.events, ...read.consoles]);
    const seen = read.locks.filter(({ from }) => from === '' || !writer.from.startsWith(`${from} `));
    const news = JSON.stringify(seen) !== JSON.stringify(locks);
    locks = seen;
    if (news) changed();
    if (problem?.writing !== true) well();
    if (!readOnly) await catchUp(target, inFolder);
    return true;
  };

  const presence = async (target: Folder, left: boolean): Promise<void> => {
    // Who is on is the first thing that is written to a new folder.
    if (readOnly || (problem?.writing === false && !problem.missing)) return;
    if (!left && clock.mono() - toldAt < PRESENCE_MS) return;
    toldAt = clock.mono();
    const line = encodeEvent({ ...stamp(), kind: 'console', left });
    const written = await target.tellPresence(line);
    if (written.ok) well();
    else failed(written, true);
  };

  const stamp = () => ({ v: FORM, id: newId(), at: clock.now(), ...writer }) as const;

  const loop = async (target: Folder): Promise<void> => {
    let hungMs = HUNG_MS / 2;
    while (!life.signal.aborted) {
      const answered = await inTurn(async () => {
        const good = await poll(target);
        if (good) await presence(target, false);
        return good;
      });
      wake = new AbortController();
      hungMs = answered ? HUNG_MS / 2 : Math.min(hungMs * 2, HUNG_MOST_MS);
      await clock.sleep(answered ? POLL_MS : hungMs, AbortSignal.any([wake.signal, life.signal]));
    }
  };

  const keepHere = async (line: string, id: string, why?: string): Promise<Kept> => {
    if (folder) untold.set(id, line);
    localProblem = await local.append(line);
    if (localProblem !== undefined) {
      log(`events cannot be kept on this machine: ${localProblem}`);
      return { where: 'nowhere', problem: [why, localProblem].filter(Boolean).join('; ') };
    }
    return { where: 'here', ...(why !== undefined && { problem: why }) };
  };

  let looping: Promise<void> | undefined;
  return {
    where: folder?.where,
    notes: book.notes,
    acked: book.acked,
    acks: book.acks,
    windows: book.windows,
    traffic: book.traffic,
    version: () => version,
    events: book.events,
    locks: () => locks,
    onChange: (listener) => void listeners.add(listener),
    start: () => {
      looping ??= readLocal().then(() => folder && loop(folder));
    },
    readNow: async () => {
      await readLocal();
      if (folder) await inTurn(() => poll(folder));
    },
    add: async (event) => {
      if (readOnly) return { where: 'nowhere', problem: 'this console is read-only' };
      // The type says which fields belong together; spreading loses it.
      const line = encodeEvent({ ...stamp(), ...event } as SharedEvent);
      const read = decodeEvent(line);
      if (!read || !('event' in read))
        return { where: 'nowhere', problem: 'it holds what no line may hold, or ends before it starts' };
      await readLocal();
      const { id } = read.event;
      if (!folder) {
        const kept = await keepHere(line, id);
        learn([line]);
        return kept;
      }
      const written: { ok: true } | Problem = problem?.hangs
        ? { ...problem, ok: false }
        : await inTurn(() => folder.append(line));
      learn([line]);
      if (written.ok) {
        well();
        return { where: 'shared' };
      }
      failed(written, !problem || problem.writing);
      return keepHere(line, id, written.reason);
    },
    others: (now) => [...new Set(book.present(now, writer.from).map(({ who, host }) => `${who} on ${host}`))],
    badges: () =>
      folderBadges(
        { named: folder !== undefined, problem, localProblem, locks, odd: book.odd() },
        clock.now(),
      ),
    close: async () => {
      if (folder && looping && !readOnly && !problem) {
        // Best effort: whoever does not say goodbye is gone after three minutes.
        await Promise.race([inTurn(() => presence(folder, true)), clock.sleep(500)]).catch(() => undefined);
      }
      life.abort();
      wake.abort();
    },
  };
};
