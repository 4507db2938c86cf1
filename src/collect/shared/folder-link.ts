import type { Clock, Log } from '../../model/ports.ts';
import { decodeEvent } from './events.ts';
import type { Folder, Problem } from './folder.ts';
import type { LockSeen } from './lock-seen.ts';

/** What is wrong with the folder. `writing`: it can be read all the same; only a line that was written says that it is over. */
interface FolderTrouble {
  reason: string;
  /** UTC ms. */
  since: number;
  hangs: boolean;
  missing: boolean;
  writing: boolean;
}

export interface LinkSetup {
  /** Machine, process and a few random letters of this console. */
  from: string;
  readOnly: boolean;
  clock: Clock;
  log: Log;
  /** Lines that the others were not told yet, by id; those that were are taken out. */
  untold: Map<string, string>;
  /** The line that says that this console is there, or leaves. */
  presenceLine(left: boolean): string;
  learn(lines: readonly string[]): void;
  onChange(): void;
}

const POLL_MS = 10_000;
const PRESENCE_MS = 60_000;
/** After an answer that did not come, and twice as long after each further one: a hung mount must not collect our commands. */
const HUNG_MS = 60_000;
const HUNG_MOST_MS = 32 * HUNG_MS;
/** Whose files lie there is asked so often: accounts may have to be asked of a directory service. */
const OWNERS_MS = 10 * 60_000;

/** Our end of the shared folder: reads what is new, says that this console is there, tells the others what they were not told. */
export const createFolderLink = (folder: Folder, setup: LinkSetup) => {
  const { from, clock, onChange } = setup;
  const health = createHealth(setup);
  const inTurn = createTurns();
  const life = new AbortController();
  let locks: readonly LockSeen[] = [];
  let isReading = false;
  const owners = createOwners(folder, setup);

  const noteFailed = (problem: Problem, writing: boolean): void => {
    // What stood there a while ago is not known to stand there now.
    if (!writing) locks = [];
    health.failed(problem, writing);
  };
  const telling = createTelling(folder, setup, health, noteFailed);

  /** Gives whether the host answered in time. */
  const poll = async (): Promise<boolean> => {
    const read = await folder.read();
    if (!read.ok) {
      noteFailed(read, false);
      if (read.missing === true) await telling.catchUp();
      return !read.hangs;
    }
    telling.found(read.events);
    setup.learn([...read.events, ...read.consoles]);
    const seen = read.locks.filter((lock) => lock.from === '' || !from.startsWith(`${lock.from} `));
    const isNews = JSON.stringify(seen) !== JSON.stringify(locks);
    locks = seen;
    if (isNews) onChange();
    if (health.trouble()?.writing !== true) health.well();
    await telling.catchUp();
    await owners.ask();
    return true;
  };

  return {
    trouble: health.trouble,
    /** What is odd about whose files lie there. */
    owners: owners.odd,
    /** What other consoles are at work on. */
    locks: () => locks,
    /** Reads once, now. */
    read: () => inTurn(poll),
    /** One line for the others, not sent where the last command still hangs. */
    append: (line: string) => telling.append(line, inTurn),
    /** Reads again and again until `close`. */
    keepReading: (): Promise<void> => {
      isReading = true;
      const pollAndTell = async (): Promise<boolean> => {
        const answered = await poll();
        if (answered) await telling.presence(false);
        return answered;
      };
      return keepPolling(() => inTurn(pollAndTell), clock, life.signal);
    },
    close: async (): Promise<void> => {
      // Best effort: whoever does not say goodbye is gone after three minutes.
      if (isReading && !setup.readOnly && !health.trouble())
        await Promise.race([inTurn(() => telling.presence(true)), clock.sleep(500)]).catch(() => undefined);
      life.abort();
    },
  };
};

/** Again and again; less and less often while no answer comes. */
const keepPolling = async (poll: () => Promise<boolean>, clock: Clock, life: AbortSignal): Promise<void> => {
  let hungMs = HUNG_MS / 2;
  while (!life.aborted) {
    const answered = await poll();
    hungMs = answered ? HUNG_MS / 2 : Math.min(hungMs * 2, HUNG_MOST_MS);
    await clock.sleep(answered ? POLL_MS : hungMs, life);
  }
};

/** What is odd about whose files lie there, asked seldom. */
const createOwners = (folder: Folder, { clock, onChange }: LinkSetup) => {
  let odd: readonly string[] = [];
  let askedAt = -Infinity;
  return {
    odd: (): readonly string[] => odd,
    ask: async (): Promise<void> => {
      if (clock.mono() - askedAt < OWNERS_MS) return;
      askedAt = clock.mono();
      const now = (await folder.findOddOwners()) ?? ['the owners of its files could not be read'];
      if (now.join('\n') === odd.join('\n')) return;
      odd = now;
      onChange();
    },
  };
};

type Health = ReturnType<typeof createHealth>;

const createHealth = ({ clock, log, onChange }: LinkSetup) => {
  let trouble: FolderTrouble | undefined;
  return {
    trouble: (): FolderTrouble | undefined => trouble,
    failed: ({ reason, hangs, missing = false }: Problem, writing: boolean): void => {
      if (trouble?.reason !== reason) log(`shared folder: ${reason}`);
      trouble = { reason, hangs, missing, writing, since: trouble?.since ?? clock.now() };
      onChange();
    },
    well: (): void => {
      if (!trouble) return;
      trouble = undefined;
      log('shared folder: can be used again');
      onChange();
    },
  };
};

/** What this console writes by itself; nothing when it is read-only. */
const createTelling = (
  folder: Folder,
  { readOnly, clock, untold, presenceLine }: LinkSetup,
  health: Health,
  failed: Health['failed'],
) => {
  const inFolder = new Set<string>();
  let presentAt = -Infinity;
  return {
    append: async (line: string, inTurn: ReturnType<typeof createTurns>): Promise<{ ok: true } | Problem> => {
      const trouble = health.trouble();
      const written: { ok: true } | Problem = trouble?.hangs
        ? { ...trouble, ok: false }
        : await inTurn(() => folder.append(line));
      if (written.ok) health.well();
      else failed(written, health.trouble()?.writing ?? true);
      return written;
    },
    found: (lines: readonly string[]): void => {
      for (const line of untold.size > 0 ? lines : []) {
        const read = decodeEvent(line);
        if (read && 'event' in read) inFolder.add(read.event.id);
      }
    },
    /** What was kept here while the others could not be told. Ids make it harmless to say something twice. */
    catchUp: async (): Promise<void> => {
      for (const [id, line] of readOnly ? [] : untold) {
        if (!inFolder.has(id)) {
          const written = await folder.append(line);
          if (!written.ok) return failed(written, true);
          health.well();
        }
        untold.delete(id);
      }
    },
    presence: async (left: boolean): Promise<void> => {
      const trouble = health.trouble();
      // Who is on is the first thing that is written to a new folder.
      if (readOnly || (trouble?.writing === false && !trouble.missing)) return;
      if (!left && clock.mono() - presentAt < PRESENCE_MS) return;
      presentAt = clock.mono();
      const written = await folder.tellPresence(presenceLine(left));
      if (written.ok) health.well();
      else failed(written, true);
    },
  };
};

/** One command at a time: two of ours must not change places. */
const createTurns = (): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let queue: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  };
};
