import type { Clock, Log } from '../../model/ports.ts';
import { folderBadges, folderProblems, type FolderState } from './badges.ts';
import { createBook, type Book } from './book.ts';
import { decodeEvent, encodeEvent, FORM, type SharedEvent } from './events.ts';
import type { Folder } from './folder.ts';
import { createFolderLink } from './folder-link.ts';
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
export interface Shared extends Pick<
  Book,
  'notes' | 'findAck' | 'acks' | 'windows' | 'version' | 'traffic' | 'listOdd'
> {
  readonly where: string | undefined;
  start(): void;
  /** Reads once, now. */
  readNow(): Promise<void>;
  /** Tells the others, or keeps it here until they can be told. Never throws. */
  add(event: Own<SharedEvent>): Promise<Kept>;
  /** `alice on adm2`: other consoles seen in the last minutes. */
  listOthers(now: number): readonly string[];
  /** What other consoles are at work on. */
  locks(): readonly LockSeen[];
  events(): readonly SharedEvent[];
  badges(): readonly string[];
  /** Of the badges those that say why what colleagues wrote may not be all. */
  problems(): readonly string[];
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
  makeId(): string;
  /** What a finding's id of an older version is called now. */
  nameNow?(id: string): string;
}

/** Longer in the past than this, what was kept here is not told to the others any more. */
const TELL_MS = 30 * 86_400_000;

/** Nothing is read before `start` or `readNow`. */
export const createShared = (setup: SharedSetup): Shared => {
  const { folder, writer, readOnly, clock, makeId: newId } = setup;
  const book = createBook(setup.nameNow);
  const listeners = new Set<() => void>();
  /** Lines that the others were not told yet, by id. */
  const untold = new Map<string, string>();
  let version = 0;
  const onChange = (): void => {
    version += 1;
    listeners.forEach((listener) => listener());
  };
  const learn = (lines: readonly string[]): void => {
    const read = lines.flatMap((line) => decodeEvent(line) ?? []);
    if (book.add(read, clock.now())) onChange();
  };
  const stamp = () => ({ v: FORM, id: newId(), at: clock.now(), ...writer }) as const;
  const presenceLine = (left: boolean): string => encodeEvent({ ...stamp(), kind: 'console', left });
  const link =
    folder &&
    createFolderLink(folder, { ...setup, from: writer.from, untold, presenceLine, learn, onChange });
  const kept = createKept(setup, untold, learn);
  let reading: Promise<void> | undefined;
  const state = (): FolderState => ({
    named: folder !== undefined,
    problem: link?.trouble(),
    localProblem: kept.problem(),
    locks: link?.locks() ?? [],
    odd: book.listOdd(),
    owners: link?.owners() ?? [],
  });

  return {
    ...book,
    where: folder?.where,
    version: () => version,
    locks: () => link?.locks() ?? [],
    onChange: (listener) => void listeners.add(listener),
    start: () => {
      reading ??= kept.read().then(() => link?.keepReading());
    },
    readNow: async () => {
      await kept.read();
      await link?.read();
    },
    add: async (event) => {
      if (readOnly) return { where: 'nowhere', problem: 'this console is read-only' };
      // The type says which fields belong together; spreading loses it.
      const line = encodeEvent({ ...stamp(), ...event } as SharedEvent);
      const read = decodeEvent(line);
      if (!read || !('event' in read))
        return { where: 'nowhere', problem: 'it holds forbidden characters, or ends before it starts' };
      await kept.read();
      const appended = await link?.append(line);
      learn([line]);
      return appended?.ok ? { where: 'shared' } : kept.keep(line, read.event.id, appended?.reason);
    },
    listOthers: (now) => nameConsoles(book.listConsoles(now, writer.from)),
    badges: () => folderBadges(state(), clock.now()),
    problems: () => folderProblems(state(), clock.now()),
    close: async () => link?.close(),
  };
};

/** What is kept on this machine: until the others can be told, or for good where the site names no folder. */
const createKept = (
  { folder, local, clock, log }: SharedSetup,
  untold: Map<string, string>,
  learn: (lines: readonly string[]) => void,
) => {
  let problem: string | undefined;
  let reading: Promise<void> | undefined;
  return {
    problem: () => problem,
    /** Reads it once; later calls wait for that. */
    read: (): Promise<void> =>
      (reading ??= local.read().then((lines) => {
        for (const line of lines) {
          const read = decodeEvent(line);
          if (read && 'event' in read && clock.now() - read.event.at < TELL_MS)
            untold.set(read.event.id, line);
        }
        learn(lines);
      })),
    /** `why`: why the others could not be told. */
    keep: async (line: string, id: string, why?: string): Promise<Kept> => {
      if (folder) untold.set(id, line);
      problem = await local.append(line);
      if (problem !== undefined) {
        log(`events cannot be kept on this machine: ${problem}`);
        return { where: 'nowhere', problem: [why, problem].filter(Boolean).join('; ') };
      }
      return { where: 'here', ...(why !== undefined && { problem: why }) };
    },
  };
};

const nameConsoles = (consoles: ReturnType<Book['listConsoles']>): readonly string[] => [
  ...new Set(consoles.map(({ who, host }) => `${who} on ${host}`)),
];
