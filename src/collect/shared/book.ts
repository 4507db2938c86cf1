import type { Finding } from '../../model/finding.ts';
import type { Acked, Note, Notes } from '../../model/note.ts';
import { subjectKey, type Severity } from '../../model/subject.ts';
import type { Window } from '../../model/site.ts';
import { createNameSet, type NameSet } from '../../text/name-set.ts';
import { expand, fold } from '../../text/nodeset.ts';
import { createDoubts, Latest, MOST, timesOf, type Doubts } from './bounds.ts';
import type { AckEvent, Line, SharedEvent, UnackEvent } from './events.ts';

/** A console that said that it is there. */
export interface Present {
  who: string;
  /** The machine. */
  host: string;
  at: number;
}

/** Consoles that said nothing for this long are gone; they say it every minute. */
export const PRESENT_MS = 3 * 60_000;

/** Lines that are no events, and events of a newer program; writers of lines that no console writes, and what is wrong with them. */
export interface Odd {
  broken: number;
  newer: number;
  doubts: readonly string[];
}

/** Planned work that an operator announced from a console. */
export interface AnnouncedWindow extends Omit<Window, 'subjects'> {
  id: string;
  who: string;
  /** Whether the work is on this name. */
  isOn(name: string): boolean;
}

/**
 * Everything that consoles told each other. An event that comes twice counts once. Of two words on one thing the one that was added
 * last counts: times are by the writers' clocks, or whatever somebody typed.
 */
export interface Book {
  /** Takes lines as read, at `now` by this console's clock; gives whether anything is new. */
  add(lines: readonly Line[], now: number): boolean;
  notes: Notes;
  /** Whether this finding is acknowledged: not when it got worse, is about more than it was, or the time is up. */
  findAck(finding: Finding, now: number): Acked | undefined;
  /** Consoles seen lately, but for this one. */
  listConsoles(now: number, except: string): readonly Present[];
  /** Acknowledgements that are in force, whatever became of their findings. */
  acks(now: number): readonly AckEvent[];
  /** Planned work that goes on now. */
  windows(now: number): readonly AnnouncedWindow[];
  events(): readonly SharedEvent[];
  /** When any console last began this rule of the site's traffic, UTC ms. */
  traffic(rule: string): number | undefined;
  listOdd(): Odd;
  version(): number;
}

const weight: Readonly<Record<Severity, number>> = { critical: 2, warning: 1, notice: 0 };

/** The names that a finding is about, folded. */
export const namesOf = (finding: Pick<Finding, 'subject' | 'members'>): string =>
  finding.members?.length ? fold(finding.members.map(({ id }) => id)) : finding.subject.id;

/** An empty book. `nameNow`: what a finding's id of an older version is called now. */
export const createBook = (nameNow: (id: string) => string = (id) => id): Book => {
  const events = new Latest<SharedEvent>(MOST.events);
  const acks = createAcks(nameNow);
  const consoles: Consoles = new Latest(MOST.others);
  const traffic = new Latest<number>(MOST.others);
  const odd = { broken: 0, newer: 0 };
  const doubts = createDoubts();
  const notes = createNotes();
  const windows = new Latest<AnnouncedWindow>(MOST.windows);
  const namesOfWork = createNames();
  let version = 0;

  const take = (read: SharedEvent, now: number): boolean => {
    if (read.kind === 'console') return takeConsole(read, { consoles, now, doubts });
    const known = events.get(read.id);
    if (known) return isWord(known) && acks.take(known);
    doubts.see(read, now);
    const event = { ...read, ...timesOf(read, now) };
    events.set(event.id, event);
    if (isWord(event)) {
      acks.take(event);
    } else if (event.kind === 'traffic') {
      traffic.set(event.rule, event.at);
    } else if (event.kind === 'window') {
      const { id, at, until, text, who } = event;
      windows.set(id, { id, who, from: at, to: until, text, isOn: namesOfWork(event.names) });
    } else if (event.kind === 'windowEnd') {
      windows.delete(event.window);
    } else {
      notes.add(event);
    }
    return true;
  };

  return {
    add: (lines, now) => {
      let changed = false;
      for (const line of lines) {
        if ('odd' in line) {
          odd[line.odd] += 1;
          changed = true;
        } else changed = take(line.event, now) || changed;
      }
      if (changed) version += 1;
      return changed;
    },
    notes,
    findAck: acks.acked,
    listConsoles: (now, except) =>
      [...consoles]
        .filter(([from, one]) => from !== except && !one.left && now - one.at < PRESENT_MS)
        .map(([, { who, host, at }]) => ({ who, host, at })),
    acks: acks.all,
    windows: (now) => [...windows.values()].filter(({ to }) => to > now),
    events: () => [...events.values()],
    traffic: (rule) => traffic.get(rule),
    listOdd: () => ({ ...odd, doubts: doubts.all() }),
    version: () => version,
  };
};

type Of<K extends SharedEvent['kind']> = Extract<SharedEvent, { kind: K }>;

const isWord = (event: SharedEvent): event is AckEvent | UnackEvent =>
  event.kind === 'ack' || event.kind === 'unack';

const createAcks = (nameNow: (id: string) => string) => {
  /** The last word on each finding. */
  const words = new Latest<AckEvent | UnackEvent>(MOST.acks);
  return {
    /** What stands in the file after it counts, so one that was known before it was read there takes its place. */
    take: (event: AckEvent | UnackEvent): boolean => {
      const finding = nameNow(event.finding);
      const last = words.get(finding);
      words.set(finding, last?.id === event.id ? last : { ...event, finding });
      return last?.id !== event.id;
    },
    acked: (finding: Finding, now: number): Acked | undefined => {
      const ack = words.get(finding.id);
      if (ack?.kind !== 'ack' || ack.until <= now || !covers(ack, finding)) return undefined;
      return { who: ack.who, text: ack.text, at: ack.at, until: ack.until };
    },
    all: (now: number): readonly AckEvent[] =>
      [...words.values()].filter((one) => one.kind === 'ack').filter(({ until }) => until > now),
  };
};

/** `seen`: when each of its latest lines was written, or read first if that was before. */
type Consoles = Map<string, Present & { left: boolean; seen: Latest<number> }>;

/** The last word of each console counts; gives whether this is news. Its file is read again each time, so `now` is that of the first. */
const takeConsole = (
  event: Of<'console'>,
  { consoles, now, doubts }: { consoles: Consoles; now: number; doubts: Doubts },
): boolean => {
  const { id, from, who, left } = event;
  const known = consoles.get(from);
  const at = known?.seen.get(id) ?? Math.min(event.at, now);
  const seen = known?.seen ?? new Latest<number>(MOST.others);
  if (!seen.has(id)) doubts.see(event, now);
  seen.set(id, at);
  consoles.set(from, { who, host: from.split(' ')[0] ?? '', at, left, seen });
  return known?.at !== at || known.left !== left;
};

/** Who asks for names of planned work: a name is looked up once, until there is other work. */
const createNames = () => {
  const sets = new Latest<NameSet>(MOST.windows);
  const known = new Map<string, ReadonlySet<NameSet>>();
  const setsWith = (name: string): ReadonlySet<NameSet> => {
    const found = known.get(name) ?? new Set([...sets.values()].filter((one) => one.has(name)));
    if (known.size > MOST.events) known.clear();
    known.set(name, found);
    return found;
  };
  return (folded: string): ((name: string) => boolean) => {
    const one = sets.get(folded) ?? createNameSet(folded);
    if (!sets.has(folded)) known.clear();
    sets.set(folded, one);
    return (name) => setsWith(name).has(one);
  };
};

/** Whether what was acknowledged is still all there is: it got no worse and is about no more than it was. */
const covers = (ack: AckEvent, finding: Finding): boolean => {
  if (weight[finding.severity] > weight[ack.severity]) return false;
  const now = namesOf(finding);
  if (now === ack.names) return true;
  if (coverage.get(ack)?.now !== now) {
    const names = finding.members?.length ? finding.members.map(({ id }) => id) : namesIn(now);
    const known = createNameSet(ack.names);
    coverage.set(ack, { now, all: names.every((name) => known.has(name)) });
  }
  return coverage.get(ack)?.all === true;
};

/** What `covers` found last: thousands of names need no second look at each update. */
const coverage = new WeakMap<AckEvent, { now: string; all: boolean }>();

/** Of a subject that stands for several; its id is ours, what was acknowledged may be anybody's. */
const namesIn = (folded: string): readonly string[] => {
  try {
    return expand(folded);
  } catch {
    return [folded];
  }
};

/** Notes in the order in which they came: of each subject, and in all, the latest. */
const createNotes = (): Notes & { add(event: Of<'note' | 'repair'>): void } => {
  const bySubject = new Latest<Latest<Note>>(MOST.notes);
  const all = new Latest<Note>(MOST.notes);
  let list: readonly Note[] | undefined;
  return {
    add: ({ id, kind, subject, part, text, who, at }) => {
      const note: Note = { id, kind, subject, text, who, at, ...(part !== undefined && { part }) };
      all.set(id, note);
      list = undefined;
      const key = subjectKey(subject);
      const own = bySubject.get(key) ?? new Latest<Note>(MOST.ofSubject);
      bySubject.set(key, own.set(id, note));
    },
    listAll: () => (list ??= [...all.values()]),
    notesOf: (subject) => [...(bySubject.get(subjectKey(subject))?.values() ?? [])],
  };
};
