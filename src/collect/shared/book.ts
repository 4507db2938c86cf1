import type { Finding } from '../../model/finding.ts';
import type { Acked, Note, Notes } from '../../model/note.ts';
import { subjectKey, type Severity } from '../../model/subject.ts';
import type { Window } from '../../model/site.ts';
import { expand, fold } from '../../text/nodeset.ts';
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

/** Planned work that an operator announced from a console. */
export interface AnnouncedWindow extends Window {
  id: string;
  who: string;
}

/** Everything that consoles told each other. An event that comes twice counts once. */
export interface Book {
  /** Takes lines as read; gives whether anything is new. */
  add(lines: readonly Line[]): boolean;
  notes: Notes;
  /** Whether this finding is acknowledged: not when it got worse, is about more than it was, or the time is up. */
  acked(finding: Finding, now: number): Acked | undefined;
  /** Consoles seen lately, but for this one. */
  present(now: number, except: string): readonly Present[];
  /** Acknowledgements that are in force, whatever became of their findings. */
  acks(now: number): readonly AckEvent[];
  /** Planned work that goes on now. */
  windows(now: number): readonly AnnouncedWindow[];
  events(): readonly SharedEvent[];
  /** When any console last began this rule of the site's traffic, UTC ms. */
  traffic(rule: string): number | undefined;
  odd(): Readonly<Record<'broken' | 'newer', number>>;
  version(): number;
}

const weight: Readonly<Record<Severity, number>> = { critical: 2, warning: 1, notice: 0 };

/** The names that a finding is about, folded. */
export const namesOf = (finding: Pick<Finding, 'subject' | 'members'>): string =>
  finding.members?.length ? fold(finding.members.map(({ id }) => id)) : finding.subject.id;

const namesIn = (folded: string): ReadonlySet<string> => {
  try {
    return new Set(expand(folded));
  } catch {
    return new Set([folded]);
  }
};

/** An empty book. `nameNow`: what a finding's id of an older version is called now. */
export const createBook = (nameNow: (id: string) => string = (id) => id): Book => {
  const events = new Map<string, SharedEvent>();
  /** The last word on each finding. */
  const acks = new Map<string, AckEvent | UnackEvent>();
  const consoles: Consoles = new Map();
  const traffic = new Map<string, number>();
  const odd = { broken: 0, newer: 0 };
  const notes = createNotes();
  const windows = new Map<string, AnnouncedWindow>();
  const endedWindows = new Set<string>();
  let version = 0;

  const take = (event: SharedEvent): boolean => {
    if (event.kind === 'console') return takeConsole(event, consoles);
    if (events.has(event.id)) return false;
    events.set(event.id, event);
    if (event.kind === 'ack' || event.kind === 'unack') {
      const finding = nameNow(event.finding);
      if ((acks.get(finding)?.at ?? -1) <= event.at) acks.set(finding, { ...event, finding });
    } else if (event.kind === 'traffic') {
      traffic.set(event.rule, Math.max(event.at, traffic.get(event.rule) ?? 0));
    } else if (event.kind === 'window') {
      const { id, at, until, text, who, names } = event;
      windows.set(id, { id, who, from: at, to: until, text, subjects: [...namesIn(names)] });
    } else if (event.kind === 'windowEnd') {
      endedWindows.add(event.window);
    } else {
      notes.add(event);
    }
    return true;
  };

  return {
    add: (lines) => {
      let changed = false;
      for (const line of lines) {
        if ('odd' in line) {
          odd[line.odd] += 1;
          changed = true;
        } else changed = take(line.event) || changed;
      }
      if (changed) version += 1;
      return changed;
    },
    notes,
    acked: (finding, now) => {
      const ack = acks.get(finding.id);
      if (ack?.kind !== 'ack' || ack.until <= now || !covers(ack, finding)) return undefined;
      return { who: ack.who, text: ack.text, at: ack.at, until: ack.until };
    },
    present: (now, except) =>
      [...consoles]
        .filter(([from, one]) => from !== except && !one.left && now - one.at < PRESENT_MS)
        .map(([, { who, host, at }]) => ({ who, host, at })),
    acks: (now) => [...acks.values()].filter((one) => one.kind === 'ack').filter(({ until }) => until > now),
    windows: (now) => [...windows.values()].filter(({ id, to }) => to > now && !endedWindows.has(id)),
    events: () => [...events.values()],
    traffic: (rule) => traffic.get(rule),
    odd: () => odd,
    version: () => version,
  };
};

type Of<K extends SharedEvent['kind']> = Extract<SharedEvent, { kind: K }>;

type Consoles = Map<string, Present & { left: boolean }>;

/** The last word of each console counts; gives whether this is news. */
const takeConsole = ({ from, who, at, left }: Of<'console'>, consoles: Consoles): boolean => {
  const known = consoles.get(from);
  if (known && known.at >= at) return false;
  consoles.set(from, { who, host: from.split(' ')[0] ?? '', at, left });
  return true;
};

/** Whether what was acknowledged is still all there is: it got no worse and is about no more than it was. */
const covers = (ack: AckEvent, finding: Finding): boolean =>
  weight[finding.severity] <= weight[ack.severity] &&
  (namesOf(finding) === ack.names || namesIn(namesOf(finding)).isSubsetOf(namesIn(ack.names)));

/** Notes in the order in which they were written, whenever they came. */
const createNotes = (): Notes & { add(event: Of<'note' | 'repair'>): void } => {
  const bySubject = new Map<string, Note[]>();
  const all: Note[] = [];
  return {
    add: ({ id, kind, subject, part, text, who, at }) => {
      const note: Note = { id, kind, subject, text, who, at, ...(part !== undefined && { part }) };
      all.push(note);
      all.sort((a, b) => a.at - b.at);
      const key = subjectKey(subject);
      bySubject.set(
        key,
        [...(bySubject.get(key) ?? []), note].sort((a, b) => a.at - b.at),
      );
    },
    all: () => all,
    of: (subject) => bySubject.get(subjectKey(subject)) ?? [],
  };
};
