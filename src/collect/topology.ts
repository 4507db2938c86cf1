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
  const uplink = facts?.find('host.uplink', { kind: 'host', id: host })?.value.port;
  const links = (site?.links ?? []).flatMap(({ from, to }) => [
    ...(hostOf(from) === host ? [to] : []),
    ...(hostOf(to) === host ? [from] : []),
  ]);
  return [...(uplink === undefined ? [] : [uplink]), ...links];
};

/** Switches on which a host hangs. */
export const switchesOf = (host: string, topology: Topology): readonly string[] =>
  uplinksOf(host, topology).map(hostOf);
