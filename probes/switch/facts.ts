import type { Fact } from '../../src/model/fact.ts';
import type { Judgement } from '../../src/model/system.ts';
import { linksOf, type LinkEnd } from './links.ts';

/** Which switch port a host hangs on: ends of links that are no switches; and the links between switches. */
export const facts = ({ readings, site }: Judgement): readonly Fact[] => {
  const isSwitch = ({ host }: LinkEnd): boolean =>
    host !== undefined && (site.host(host)?.roles.includes('switch') ?? false);
  return linksOf(readings, site).flatMap(({ id, a, b }): Fact[] => {
    if (isSwitch(a) && isSwitch(b))
      return [{ name: 'switch.link', subject: { kind: 'link', id }, value: { ports: [a.id, b.id] } }];
    const [host, port] = isSwitch(b) ? [a, b] : [b, a];
    if (host.host === undefined || !isSwitch(port) || port.port === undefined) return [];
    return [{ name: 'host.uplink', subject: { kind: 'host', id: host.host }, value: { port: port.id } }];
  });
};
