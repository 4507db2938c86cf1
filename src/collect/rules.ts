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
const namesOf = (finding: Finding): ReadonlySet<string> => {
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

const rule = (cause: string, effects: readonly string[], when: Rule['when']): Rule[] =>
  effects.map((effect) => ({ cause, effect, when }));

/** What follows from what, over all systems; grows with them. The first that fits wins: the broadest causes stand first. */
export const rules: readonly Rule[] = [
  ...rule(
    'slurm:lost-together',
    ['site:hosts-unreachable', 'site:host-unreachable', 'slurm:not-responding', 'slurm:down-group'],
    coversAll,
  ),
  ...rule('site:hosts-unreachable', ['site:host-unreachable'], coversAll),
  // A node that is known to be out of service need not be reachable.
  ...['not-responding', 'down-group', 'rebooting', 'drained-group'].flatMap((kind) =>
    rule(`slurm:${kind}`, ['site:host-unreachable'], coversAll),
  ),
  ...rule('site:host-unreachable', ['slurm:controller-unreachable'], coversAll),
  // The controller waits for each silent node in turn (incident 14).
  ...rule('slurm:lost-together', ['slurm:controller-slow'], always),
  ...rule('slurm:not-responding', ['slurm:controller-slow'], always),
  ...['lost-together', 'drained-group', 'not-responding', 'down-group'].flatMap((kind) =>
    rule(`slurm:${kind}`, ['slurm:partition-below-limit'], sharesOne),
  ),
  ...rule('slurm:drained-group', ['slurm:draining'], coversAll),
];
