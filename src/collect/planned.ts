import type { Finding } from '../model/finding.ts';
import type { SiteView, Window } from '../model/site.ts';
import type { Subject } from '../model/subject.ts';
import { textOf, wordsOf } from '../model/words.ts';
import { moment } from '../text/ages.ts';
import { visible } from '../text/safe.ts';
import { cut, width } from '../text/width.ts';

/** Columns of a summary. */
export const SUMMARY = 100;

/** Planned work that was announced, whose names are asked for one by one. */
export interface Announced extends Pick<Window, 'from' | 'to'> {
  isOn(name: string): boolean;
}

/** A finding during planned work is worth knowing, not worth waking for: it becomes a notice that says until when. */
export const applyPlans = (
  finding: Finding,
  site: SiteView,
  now: number,
  announced: readonly Announced[] = [],
): Finding => {
  const until = plannedUntil(finding, site, now, announced);
  if (until === undefined) {
    const { plannedUntil: _over, ...rest } = finding;
    return rest;
  }
  const note = `, planned until ${moment(until, now)}`;
  return {
    ...finding,
    severity: 'notice',
    plannedUntil: until,
    summary: wordsOf(visible(cut(textOf(finding.summary), SUMMARY - width(note)) + note)),
  };
};

/** Planned only when all of it is: one node of a group outside the window keeps the finding as it is. */
const plannedUntil = (
  finding: Finding,
  site: SiteView,
  now: number,
  announced: readonly Announced[],
): number | undefined => {
  if (finding.plannedUntil !== undefined && finding.plannedUntil > now) return finding.plannedUntil;
  const fixed = site.windows.map(({ from, to, subjects }) => ({
    from,
    to,
    isOn: (name: string) => subjects.includes(name),
  }));
  const open = [...fixed, ...announced].filter((window) => window.from <= now && now < window.to);
  if (open.length === 0) return undefined;
  const subjects = finding.members?.length ? finding.members : [finding.subject];
  const ends = subjects.map((subject) =>
    Math.max(...open.filter((window) => covers(window, subject, site)).map((window) => window.to)),
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
