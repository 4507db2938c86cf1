import { oncePer } from '../../../src/kit/memo.ts';
import type { Fact } from '../../../src/model/fact.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Link, LinkEnd } from './link.ts';
import { linksOf } from './links.ts';

/** The links are the same list as long as the same neighbours are told, of the same site. */
const madeOf = oncePer((links: readonly Link[]) => oncePer((site: SiteView) => factsOf(links, site)));

/** Which switch port a host hangs on: ends of links that are no switches; and the links between switches. */
export const facts = ({ readings, site }: Judgement): readonly Fact[] =>
  madeOf(linksOf(readings, site))(site);

const factsOf = (links: readonly Link[], site: SiteView): readonly Fact[] => {
  const isSwitch = ({ host }: LinkEnd): boolean =>
    host !== undefined && (site.host(host)?.roles.includes('switch') ?? false);
  return links.flatMap(({ id, a, b }): Fact[] => {
    if (isSwitch(a) && isSwitch(b))
      return [{ name: 'cable', subject: { kind: 'link', id }, value: { ports: [a.id, b.id] } }];
    const [host, port] = isSwitch(b) ? [a, b] : [b, a];
    if (host.host === undefined || !isSwitch(port) || port.port === undefined) return [];
    return [{ name: 'host.uplink', subject: { kind: 'host', id: host.host }, value: { port: port.id } }];
  });
};
