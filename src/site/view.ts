import type { HostView, Site, SiteView } from '../model/site.ts';
import { resolver } from './resolve.ts';

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
  return {
    ...site,
    host: (name) => byName.get(name),
    withRole: (role) => byRole.get(role) ?? [],
    resolve: resolver(site),
  };
};
