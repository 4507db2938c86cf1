import { memoPer } from '../../src/kit/memo.ts';
import { toldGroups } from '../../src/text/told-groups.ts';
import type { Facts } from '../../src/model/fact.ts';
import type { SiteView, Told } from '../../src/model/site.ts';
import { NotYetKnown } from '../../src/text/set-arithmetic.ts';

/** What of a site says which hosts are meant. */
export type Named = Pick<SiteView, 'hosts' | 'expand'>;

type TellGroup = (group: string) => Told | undefined;

/** Which hosts a word of `on` names: those with the role, else those of the node set, with groups. Throws what `expand` throws. */
export const hostsNamed = (word: string, { hosts, expand }: Named, told?: TellGroup): readonly string[] => {
  const withRole = hosts.filter(({ roles }) => roles.includes(word));
  if (withRole.length > 0) return withRole.map(({ name }) => name);
  const names = new Set(expand(word, told).map((name) => name.toLowerCase()));
  return hosts.filter(({ name }) => names.has(name.toLowerCase())).map(({ name }) => name);
};

/** Where a check is asked now, or why nobody knows: `isWaiting` while what tells of a group was not read. */
export type Where = { hosts: ReadonlySet<string> } | { why: string; isWaiting: boolean };

export const whereNamed = (words: readonly string[], site: Named, told?: TellGroup): Where => {
  try {
    return { hosts: new Set(words.flatMap((word) => hostsNamed(word, site, told))) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { why: error.message, isWaiting: error instanceof NotYetKnown };
  }
};

/** Where a check is asked: the same for good, or by groups that are told of while the console runs. */
export interface Places {
  /** All hosts on which it may be asked. */
  hosts: ReadonlySet<string>;
  /** Absent: on all of them. */
  now?: (facts: Facts) => Where;
}

/** A set that names a group of a system may be any machines of the site that have a shell, until that was read. */
export const placesOf = (words: readonly string[], site: Named): Places => {
  const fixed = whereNamed(words, site);
  if ('hosts' in fixed) return fixed;
  if (!fixed.isWaiting) throw new RangeError(fixed.why);
  let last: { groups: readonly unknown[]; where: Where } | undefined;
  const now = memoPer((facts: Facts): Where => {
    // Facts are gathered anew with each answer; the groups among them are others only after their own system was read.
    const groups = facts.list('group').map(({ value }) => value.members);
    if (!last || last.groups.length !== groups.length || groups.some((one, at) => one !== last?.groups[at]))
      last = { groups, where: whereNamed(words, site, toldGroups(facts)) };
    return last.where;
  });
  const machines = site.hosts.filter(({ platform }) => platform === 'linux');
  return { hosts: new Set(machines.map(({ name }) => name)), now };
};
