import type { ActionSet } from '../model/action.ts';
import type { HostView, SiteView } from '../model/site.ts';
import type { Probe, System } from '../model/system.ts';

/** The systems as they are on a site: those to which its file brings probes have them now. */
export const systemsOn = (systems: readonly System[], site: SiteView): readonly System[] =>
  systems.map((system) => system.onSite?.(site) ?? system);

/** The hosts that a probe asks: all with its role, of which it may name some. */
export const askedHosts = (
  { role, hosts }: Pick<Probe, 'role' | 'hosts'>,
  site: SiteView,
): readonly HostView[] => {
  const withRole = site.hostsWithRole(role);
  return hosts ? withRole.filter(({ name }) => hosts.has(name)) : withRole;
};

/** Whether a probe asks this host by a role of its own, or by its name; one that any host can be asked on demand does not. */
export const isHostAsked = ({ role, hosts }: Pick<Probe, 'role' | 'hosts'>, host: HostView): boolean =>
  hosts ? hosts.has(host.name) : host.roles.includes(role);

/**
 * The actions as they are on a site: with those that its file brings. Types alone of what can be done are known here, so that a program
 * without remedies may ask for its systems by the same file.
 */
export const actionSetsOn = (sets: readonly ActionSet[], site: SiteView): readonly ActionSet[] =>
  sets.map(({ onSite, ...set }) => (onSite ? { ...set, actions: [...set.actions, ...onSite(site)] } : set));
