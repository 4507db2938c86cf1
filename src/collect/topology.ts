import type { Facts } from '../model/fact.ts';
import type { Finding } from '../model/finding.ts';
import type { SiteView } from '../model/site.ts';
import { expand } from '../text/nodeset.ts';

/** What lies where: the site file's labels and links, and what systems publish. */
export interface Topology {
  site?: Pick<SiteView, 'host' | 'hosts' | 'links'>;
  facts?: Facts;
}

const known = new WeakMap<Finding, ReadonlySet<string>>();

/** The names a finding is about: its members, else its subject (a folded set counts as its names; a port or brick as its host). */
export const namesOf = (finding: Finding): ReadonlySet<string> => {
  const names = known.get(finding) ?? findNames(finding);
  known.set(finding, names);
  return names;
};

const findNames = (finding: Finding): ReadonlySet<string> => {
  if (finding.members?.length) return new Set(finding.members.flatMap(hostsOf));
  if (finding.subject.kind === 'pair') return new Set(hostsOf(finding.subject));
  try {
    return new Set(expand(finding.subject.id).map(hostOf));
  } catch {
    return new Set([finding.subject.id]);
  }
};

export const hostOf = (id: string): string => id.split(':')[0] ?? id;

const hostsOf = ({ kind, id }: Finding['subject']): string[] =>
  kind === 'pair' ? id.split(':') : [hostOf(id)];

/** Ports on which a host or switch hangs, `core3:te1/12`: its uplink as LLDP tells it, and the site file's links. */
export const uplinksOf = (host: string, { site, facts }: Topology): readonly string[] => {
  const uplink = facts?.of('host.uplink', { kind: 'host', id: host })?.value.port;
  const links = (site?.links ?? []).flatMap(({ from, to }) => [
    ...(hostOf(from) === host ? [to] : []),
    ...(hostOf(to) === host ? [from] : []),
  ]);
  return [...(uplink === undefined ? [] : [uplink]), ...links];
};

/** Switches on which a host hangs. */
export const switchesOf = (host: string, topology: Topology): readonly string[] =>
  uplinksOf(host, topology).map(hostOf);

const labels = new WeakMap<Finding, readonly (readonly [string, string])[]>();

/**
 * Location labels that all hosts of a finding share and that few others have: a room in which the whole site stands tells nothing.
 * None for a single host, which shares everything with itself.
 */
const sharedLabels = (finding: Finding, site: Topology['site']): readonly (readonly [string, string])[] => {
  const made = labels.get(finding);
  if (made) return made;
  const hosts = [...namesOf(finding)].map((name) => site?.host(name)?.location ?? {});
  const [first = {}, ...rest] = hosts;
  const shared =
    rest.length === 0
      ? []
      : Object.entries(first)
          .filter(([label, value]) => rest.every((one) => one[label] === value))
          .filter(([label, value]) => {
            const all = site?.hosts.filter(({ location }) => location[label] === value).length ?? 0;
            return all <= 2 * hosts.length;
          });
  labels.set(finding, shared);
  return shared;
};

/** Whether all of the effect stands where all of the cause stands: on the same breaker, in the same rack. */
export const standsWith = (cause: Finding, effect: Finding, { site }: Topology): boolean => {
  const shared = sharedLabels(cause, site);
  return (
    shared.length > 0 &&
    [...namesOf(effect)].every((name) => {
      const location = site?.host(name)?.location;
      return location !== undefined && shared.some(([label, value]) => location[label] === value);
    })
  );
};
