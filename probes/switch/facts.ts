import type { Fact } from '../../src/model/fact.ts';
import type { Judgement } from '../../src/model/system.ts';
import { linksOf } from './links.ts';

/** Which switch port a host hangs on: ends of links that are no switches. */
export const facts = ({ readings, site }: Judgement): readonly Fact[] =>
  linksOf(readings, site).flatMap(({ a, b }) =>
    [
      [a, b],
      [b, a],
    ].flatMap(([host, port]): Fact[] => {
      if (host?.host === undefined || port?.host === undefined || port.port === undefined) return [];
      const isSwitch = (name: string): boolean => site.host(name)?.roles.includes('switch') ?? false;
      if (isSwitch(host.host) || !isSwitch(port.host)) return [];
      return [{ name: 'host.uplink', subject: { kind: 'host', id: host.host }, value: { port: port.id } }];
    }),
  );
