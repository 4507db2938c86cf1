import { memoPer } from '../../../src/kit/memo.ts';
import type { Subject } from '../../../src/model/subject.ts';

/** One end of a cable. Without `host` it is a device that is not in the site file, by what LLDP says of it. */
export interface LinkEnd {
  /** `core3:te3/46`; of a foreign device its own words. */
  id: string;
  host?: string;
  port?: string;
}

/** A cable between two ports. `a` is the end whose id comes first. */
export interface Link {
  /** `core3:te3/46=nfs-sw1:te1/12`. */
  id: string;
  a: LinkEnd;
  b: LinkEnd;
  /** Both ends name each other, one does, or only the site file. */
  by: 'both ends' | 'one end' | 'site file';
  /**
   * What LLDP says contradicts itself. `name`: a device calls itself by another's name, or its chassis is another's; `port`: the far
   * device's own table says that this port leads elsewhere.
   */
  doubt?: 'name' | 'port';
}

const byPort = memoPer(
  (links: readonly Link[]): ReadonlyMap<string, Link> =>
    new Map(links.flatMap((link) => [[link.a.id, link] as const, [link.b.id, link] as const])),
);

/** The link that a port is an end of. */
export const linkAt = (links: readonly Link[], portId: string): Link | undefined => byPort(links).get(portId);

export const farEnd = ({ a, b }: Link, portId: string): LinkEnd => (a.id === portId ? b : a);

/** The far end of a row or finding, for its actions: not that of a device that is not ours. */
export const farSubject = ({ id, port }: LinkEnd): { beside?: readonly Subject[] } =>
  port === undefined ? {} : { beside: [{ kind: 'port', id }] };
