import type { Finding, RankedFinding } from '../../model/finding.ts';
import type { Note, Notes } from '../../model/note.ts';
import type { Severity } from '../../model/subject.ts';

/** Notes shown at a finding: a night needs the latest. */
const MOST = 20;

/** Notes on what a finding is about, on its members and on their hosts' ports, newest first. */
export const notesOn = (finding: Pick<Finding, 'subject' | 'members'>, notes: Notes): readonly Note[] => {
  if (notes.all().length === 0) return [];
  const found = [finding.subject, ...(finding.members ?? [])].flatMap((subject) => notes.of(subject));
  return [...new Set(found)].toSorted((a, b) => b.at - a.at).slice(0, MOST);
};

const order: readonly Severity[] = ['notice', 'warning', 'critical'];

/** The worst of a finding and all that it explains: a critical effect must not hide behind an acknowledged mild cause. */
export const worstSeverity = (finding: RankedFinding, all: readonly RankedFinding[]): Severity => {
  let worst = order.indexOf(finding.severity);
  const under = new Set([finding.id]);
  // Causes stand before what they explain.
  for (const one of all) {
    if (one.explainedBy === undefined || !under.has(one.explainedBy)) continue;
    under.add(one.id);
    worst = Math.max(worst, order.indexOf(one.severity));
  }
  return order[worst] ?? finding.severity;
};
