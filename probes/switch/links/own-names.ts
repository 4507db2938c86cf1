import { memoPer } from '../../../src/kit/memo.ts';
import type { SiteView } from '../../../src/model/site.ts';

/** What hosts call themselves, by their names in the site file. Of those that did not tell nothing is known. */
export type OwnNames = ReadonlyMap<string, string>;

/** Hosts of the site that call themselves by a host's name, by that host. */
const callers = memoPer((names: OwnNames) =>
  memoPer((site: SiteView) => {
    const found = new Map<string, string[]>();
    for (const [host, own] of names) {
      const meant = site.resolve('host', own)?.id;
      if (meant === undefined) continue;
      const list = found.get(meant);
      if (list) list.push(host);
      else found.set(meant, [host]);
    }
    return found;
  }),
);

/**
 * The host that a name means which a device announced: LLDP announces what a device calls itself, and that may be another's name in the
 * site file (two lines of ~/.ssh/config mixed up). `doubtful`: by what hosts say of themselves it is not the one of that name, and nobody
 * knows which other. Undefined: no host of the site.
 */
export const findHostCalled = (
  text: string,
  site: SiteView,
  names: OwnNames,
): { host: string } | 'doubtful' | undefined => {
  const host = site.resolve('host', text)?.id;
  if (host === undefined) return undefined;
  const own = names.get(host);
  const isItself = own === undefined || isOf(own, host, site);
  const others = (callers(names)(site).get(host) ?? []).filter((one) => one !== host);
  const [other, more] = others;
  if (isItself) return own === undefined && other !== undefined ? 'doubtful' : { host };
  return other !== undefined && more === undefined ? { host: other } : 'doubtful';
};

/** A name that is no other host's: factory names (`Force10`, `switch`) and those of nobody tell nothing. */
const isOf = (own: string, host: string, site: SiteView): boolean => {
  const meant = site.resolve('host', own)?.id;
  return meant === undefined || meant === host;
};

/** The other host of the site by whose name this one calls itself. */
export const findMisnamed = (host: string, site: SiteView, names: OwnNames): string | undefined => {
  const own = names.get(host);
  const meant = own === undefined ? undefined : site.resolve('host', own)?.id;
  return meant === host ? undefined : meant;
};
