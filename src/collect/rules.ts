import type { Finding } from '../model/finding.ts';
import { expand } from '../text/nodeset.ts';

/** One kind of cause explains one kind of effect when `when` holds for the two. Kinds are `system:kind`. */
export interface Rule {
  cause: string;
  effect: string;
  when(cause: Finding, effect: Finding): boolean;
}

const known = new WeakMap<Finding, ReadonlySet<string>>();

/** The names a finding is about: its members, else its subject (a folded set counts as its names; a port as its host). */
export const namesOf = (finding: Finding): ReadonlySet<string> => {
  const names = known.get(finding) ?? findNames(finding);
  known.set(finding, names);
  return names;
};

const findNames = (finding: Finding): ReadonlySet<string> => {
  if (finding.members?.length) return new Set(finding.members.map((member) => hostOf(member.id)));
  try {
    return new Set(expand(finding.subject.id).map(hostOf));
  } catch {
    return new Set([finding.subject.id]);
  }
};

const hostOf = (id: string): string => id.split(':')[0] ?? id;

const coversAll = (cause: Finding, effect: Finding): boolean => namesOf(effect).isSubsetOf(namesOf(cause));
const sharesOne = (cause: Finding, effect: Finding): boolean =>
  !namesOf(effect).isDisjointFrom(namesOf(cause));
const always = (): boolean => true;

/** What follows from what, over all systems; grows with them. */
export const rules: readonly Rule[] = [
  { cause: 'site:hosts-unreachable', effect: 'site:host-unreachable', when: coversAll },
  { cause: 'slurm:lost-together', effect: 'site:hosts-unreachable', when: coversAll },
  { cause: 'slurm:lost-together', effect: 'site:host-unreachable', when: coversAll },
  { cause: 'slurm:lost-together', effect: 'slurm:not-responding', when: coversAll },
  { cause: 'slurm:lost-together', effect: 'slurm:down-group', when: coversAll },
  { cause: 'slurm:lost-together', effect: 'slurm:drained-group', when: coversAll },
  // The controller waits for each silent node in turn (incident 14).
  { cause: 'slurm:lost-together', effect: 'slurm:controller-slow', when: always },
  { cause: 'slurm:not-responding', effect: 'slurm:controller-slow', when: always },
  { cause: 'slurm:lost-together', effect: 'slurm:partition-below-limit', when: sharesOne },
  { cause: 'slurm:drained-group', effect: 'slurm:partition-below-limit', when: sharesOne },
  { cause: 'slurm:not-responding', effect: 'slurm:partition-below-limit', when: sharesOne },
  { cause: 'slurm:drained-group', effect: 'slurm:drained-often', when: coversAll },
  { cause: 'site:host-unreachable', effect: 'slurm:controller-unreachable', when: always },
];
