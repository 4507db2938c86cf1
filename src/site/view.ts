import type { HostView, Site, SiteView, Told } from '../model/site.ts';
import type { Subject, SubjectKind } from '../model/subject.ts';
import { isPlain } from '../text/safe.ts';
import { expandSet } from '../text/set-arithmetic.ts';
import { createGroups } from './groups.ts';
import { isHostName } from './hosts.ts';
import { canonicalPort } from './ports.ts';

/** Sources are asked before a plan is made, by what can wait for them. */
const elsewhere: Told = {
  why: 'of groups of other sources only "faultline act" and the site file may speak',
  known: [],
};

/** Questions about a site, answered from its data: made again in every thread, since functions don't travel. */
export const viewOf = (site: Site): SiteView => {
  const byName = new Map(site.hosts.map((host) => [host.name, host]));
  const byRole = new Map<string, HostView[]>();
  for (const host of site.hosts) {
    for (const role of new Set(host.roles)) {
      const hosts = byRole.get(role);
      if (hosts) hosts.push(host);
      else byRole.set(role, [host]);
    }
  }
  const outside = new Map(Object.entries(site.outside ?? {}));
  const groupsBy = (told?: (group: string) => Told | undefined) =>
    createGroups(site.groups ?? {}, {
      answered: { get: (name) => told?.(name) ?? outside.get(name) ?? elsewhere },
      wanted: new Set(),
    });
  const groups = groupsBy();
  return {
    ...site,
    host: (name) => byName.get(name),
    hostsWithRole: (role) => (role === '*' ? site.hosts : (byRole.get(role) ?? [])),
    expand: (set, told) => expandSet(set, told ? groupsBy(told) : groups),
    resolve: resolver(site),
  };
};

/** Canonical id of a kind of subject, or undefined when the site does not know it or the text can be no such id. */
type Rule = (id: string) => string | undefined;

/**
 * Canonical subjects for what a person typed or a device printed: FQDN and short names, upper and lower case, ports' long
 * names. Hosts must be in the inventory. Of what only the machines know (volumes, OSTs, partitions) the shape is checked.
 * Sets (`node[1-9]`, `a,b`), wildcards, `ALL` and text with hidden characters never resolve (guard 5, safe text).
 */
const resolver = (site: Site): SiteView['resolve'] => {
  const host = hostRule(site.hosts);
  const port: Rule = (id) => {
    const [name = '', rest] = splitOnce(id, ':');
    const found = host(name);
    const short = canonicalPort(rest ?? '');
    return found === undefined || short === undefined ? undefined : `${found}:${short}`;
  };
  const pairOf = (rule: Rule, mark: string): Rule => {
    return (id) => {
      const [a = '', b] = splitOnce(id, mark);
      const ends = [rule(a.trim()), rule((b ?? '').trim())];
      return ends.includes(undefined) ? undefined : ends.join(mark);
    };
  };
  // Lustre's own naming: file system of at most 8 characters, index of four hex digits.
  const lustreTarget = (kind: string): Rule => {
    const form = new RegExp(`^([A-Za-z0-9_]{1,8})-${kind}([0-9a-f]{4})(?:_UUID)?$`, 'i');
    return (id) => {
      const match = form.exec(id);
      return match ? `${match[1]}-${kind}${(match[2] ?? '').toLowerCase()}` : undefined;
    };
  };
  const rules: Readonly<Record<SubjectKind, Rule>> = {
    node: nodeRule(host, site.hosts),
    host,
    port,
    lag: port,
    link: pairOf(port, '='),
    pair: pairOf(host, ':'),
    brick: (id) => {
      const [name = '', path] = splitOnce(id, ':');
      const found = host(name);
      return found !== undefined && /^\/[A-Za-z0-9._/+@-]*$/.test(path ?? '')
        ? `${found}:${path}`
        : undefined;
    },
    ost: lustreTarget('OST'),
    mdt: lustreTarget('MDT'),
    // `home0@gl1`: of the pool that gl1 is in, where two pools have a volume of that name.
    volume: (id) => {
      const [name, at] = splitOnce(id, '@');
      const pool = at === undefined ? undefined : host(at);
      if (!/^[A-Za-z0-9_][A-Za-z0-9_-]{0,254}$/.test(name)) return undefined;
      return at === undefined ? name : pool && `${name}@${pool}`;
    },
    check: checkRule(host),
    partition: (id) => (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(id) && id !== 'ALL' ? id : undefined),
    place: (id) => {
      const [label = '', value] = splitOnce(id, '=');
      return site.hosts.some(({ location }) => location[label] === value && value !== undefined)
        ? id
        : undefined;
    },
    site: (id) => (id === site.name ? id : undefined),
  };
  return (kind, id): Subject | undefined => {
    const canonical = isPlain(id) ? rules[kind](id.trim()) : undefined;
    return canonical === undefined ? undefined : { kind, id: canonical };
  };
};

/** `munge@ctl1`: a check of the site file on a host; names of checks hold no `@`. */
const checkRule =
  (host: Rule): Rule =>
  (id) => {
    const [name, at] = splitOnce(id, '@');
    const found = host(at ?? '');
    return found !== undefined && /^[a-z0-9][a-z0-9-]{0,39}$/.test(name) ? `${name}@${found}` : undefined;
  };

const splitOnce = (text: string, mark: string): [string, string?] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
};

/** Exact name; else the one host of that name in other case, or with the domain that one side leaves out. */
const hostRule = (hosts: readonly HostView[]): Rule => {
  const exact = new Map(hosts.map((host) => [host.name.toLowerCase(), host.name]));
  const short = new Map<string, string | null>();
  for (const { name } of hosts) {
    const key = shortName(name.toLowerCase());
    short.set(key, short.has(key) ? null : name);
  }
  return (id) => {
    const typed = id.toLowerCase().replace(/\.$/, '');
    const found = exact.get(typed);
    if (found !== undefined) return found;
    const candidate = short.get(shortName(typed)) ?? undefined;
    // Two full names of different domains are two machines.
    return candidate !== undefined && candidate.includes('.') && typed.includes('.') ? undefined : candidate;
  };
};

/** A node by its host's name; `gpu/node1`: of the cluster gpu, where two clusters have a node of that name. */
const nodeRule =
  (host: Rule, hosts: readonly HostView[]): Rule =>
  (id) => {
    const [cluster = '', name] = splitOnce(id, '/');
    if (name === undefined) return host(id);
    const isKnown = host(name) !== undefined || hostsCalled(name, hosts).length > 0;
    return isHostName(cluster) && isKnown ? id : undefined;
  };

/** Hosts of a short name, which may be several in other domains. */
const hostsCalled = (name: string, hosts: readonly HostView[]): readonly HostView[] =>
  hosts.filter((host) => shortName(host.name.toLowerCase()) === name.toLowerCase());

const shortName = (name: string): string => name.split('.')[0] ?? '';
