import { toldGroups } from '../text/told-groups.ts';
import type { Facts } from '../model/fact.ts';
import type { Finding } from '../model/finding.ts';
import type { SiteView, Window } from '../model/site.ts';
import type { Subject } from '../model/subject.ts';
import { textOf, wordsOf } from '../model/words.ts';
import { clockTime } from '../text/ages.ts';
import { makeSafe } from '../text/safe.ts';
import { cut, width } from '../text/width.ts';
import { isWithout } from './dependencies.ts';

/** Columns of a summary. */
export const SUMMARY = 100;

/** Planned work that was announced, whose names are asked for one by one. */
export interface Announced extends Pick<Window, 'from' | 'to'> {
  isOn(name: string): boolean;
}

/** Where a finding stands: the site file, what hangs on what, and when. */
export interface Surroundings {
  site: SiteView;
  facts?: Facts;
  now: number;
  announced?: readonly Announced[];
}

/**
 * A finding during planned work is worth knowing, not worth waking for: it becomes a notice that says until when. Where it is planned only
 * as far as can be told (all that may be at fault is worked on) a warning is left.
 */
export const applyPlans = (finding: Finding, around: Surroundings): Finding => {
  const { now } = around;
  const surely = plannedUntil(finding, around);
  const until = surely ?? suspectedUntil(finding, around);
  if (until === undefined) {
    const { plannedUntil: _over, ...rest } = finding;
    return rest;
  }
  const note = `, planned until ${clockTime(until, now)}`;
  return {
    ...finding,
    severity: surely === undefined && finding.severity !== 'notice' ? 'warning' : 'notice',
    plannedUntil: until,
    summary: wordsOf(makeSafe(cut(textOf(finding.summary), SUMMARY - width(note)) + note)),
  };
};

/** Planned only when all of it is: one node of a group outside the window keeps the finding as it is. */
const plannedUntil = (finding: Finding, around: Surroundings): number | undefined => {
  if (finding.plannedUntil !== undefined && finding.plannedUntil > around.now) return finding.plannedUntil;
  const open = openWindows(around);
  if (open.length === 0) return undefined;
  const subjects = finding.members?.length ? finding.members : [finding.subject];
  const direct = endOf(subjects, open, (window, subject) => covers(window, subject, around.site));
  if (direct !== undefined) return direct;
  // What it goes without may hang on what is worked on: targets on their server, mounts on theirs.
  const ends = (finding.lacks ?? []).map(({ what, of, from }) =>
    endOf(from ?? of, open, (window, subject) =>
      isWithout(subject, what, (one) => covers(window, one, around.site), around),
    ),
  );
  return ends.length === 0 || ends.includes(undefined) ? undefined : Math.min(...ends.map((end) => end ?? 0));
};

/** All places where its fault may lie are worked on. */
const suspectedUntil = ({ suspects = [] }: Finding, around: Surroundings): number | undefined => {
  if (suspects.length === 0 || suspects.some(({ confidence }) => confidence === 'low')) return undefined;
  const subjects = suspects.map(({ subject }) => subject);
  return endOf(subjects, openWindows(around), (window, subject) => covers(window, subject, around.site));
};

const known = new WeakMap<Surroundings, readonly Announced[]>();

/** Looked up once for all findings of one moment. */
const openWindows = (around: Surroundings): readonly Announced[] => {
  const open = known.get(around) ?? listOpen(around);
  known.set(around, open);
  return open;
};

const listOpen = ({ site, facts, now, announced = [] }: Surroundings): readonly Announced[] => {
  const isOpen = ({ from, to }: Pick<Window, 'from' | 'to'>): boolean => from <= now && now < to;
  const fixed = site.windows.filter(isOpen).map(({ from, to, subjects, later }) => {
    const told = later && facts ? toldNames(later, site, facts) : undefined;
    return { from, to, isOn: (name: string) => subjects.includes(name) || told?.has(name) === true };
  });
  return [...fixed, ...announced.filter(isOpen)];
};

/** The names of sets as far as their groups are known now: what is not known plans nothing. */
const toldNames = (sets: readonly string[], site: SiteView, facts: Facts): ReadonlySet<string> => {
  const told = toldGroups(facts);
  return new Set(
    sets.flatMap((set) => {
      try {
        return site.expand(set, told);
      } catch (error) {
        if (error instanceof RangeError) return [];
        throw error;
      }
    }),
  );
};

/** When the first of these subjects is no longer in a window; undefined: one is in none. */
const endOf = (
  subjects: readonly Subject[],
  open: readonly Announced[],
  isOn: (window: Announced, subject: Subject) => boolean,
): number | undefined => {
  const ends = subjects.map((subject) =>
    Math.max(...open.filter((window) => isOn(window, subject)).map((window) => window.to)),
  );
  const first = Math.min(...ends);
  return Number.isFinite(first) ? first : undefined;
};

/** A window names subjects by id, by their host (`core3` for `core3:te3/46`) or by a location label (`rack:r7`). */
const covers = (window: Announced, subject: Subject, site: SiteView): boolean => {
  const host = subject.id.split(':')[0] ?? '';
  const location = site.host(subject.id)?.location ?? site.host(host)?.location ?? {};
  const labels = Object.entries(location).map(([label, value]) => `${label}:${value}`);
  return [subject.id, host, ...labels].some((name) => window.isOn(name));
};
