import type { Refusal } from '../model/action.ts';
import type { SiteView } from '../model/site.ts';
import { canBeTarget, isWordForAll, subjectKey, type Subject, type SubjectKind } from '../model/subject.ts';
import { isPlain, makeSafe } from '../text/safe.ts';
import { guard, refuse } from './guards.ts';

/**
 * Guard 5: targets are explicit, known and non-empty. An empty set, a wildcard, a host list, `ALL`, a name with hostile
 * characters, one twice or one the site does not know is refused (an empty set read as "everything" is how Diskerase
 * wiped a fleet: SRE book, chapter 7).
 */
export const checkTargets = (
  subjects: readonly Subject[],
  kind: SubjectKind,
  site: Pick<SiteView, 'resolve'>,
): Refusal | undefined => {
  if (subjects.length === 0) return refuse(guard.targets, 'no target is named; an empty set never means all');
  const seen = new Set<string>();
  for (const subject of subjects) {
    const problem = problemOf(subject, kind, site);
    if (problem !== undefined) return refuse(guard.targets, problem);
    if (seen.has(subjectKey(subject))) return refuse(guard.targets, `${subject.id} is named twice`);
    seen.add(subjectKey(subject));
  }
  return undefined;
};

const problemOf = (
  subject: Subject,
  kind: SubjectKind,
  site: Pick<SiteView, 'resolve'>,
): string | undefined => {
  const name = makeSafe(subject.id, 80);
  if (subject.kind !== kind) return `${name} is a ${subject.kind}, not a ${kind}`;
  if (!isPlain(subject.id))
    return `"${name}" holds characters that do not show; such a name is never a target`;
  if (isWordForAll(subject.id)) return `"${name}" is a word for everything; name each target`;
  if (/[[\]*?,\s]/.test(subject.id)) return `"${name}" is a pattern or a list; name each target`;
  if (!canBeTarget(subject.id)) return `"${name}" is not a name a command can safely hold`;
  const known = site.resolve(kind, subject.id);
  if (known === undefined) return `${kind} ${name} is not known to the site`;
  if (known.id !== subject.id) return `${name} is called ${makeSafe(known.id)} on this site; use that name`;
  return undefined;
};
