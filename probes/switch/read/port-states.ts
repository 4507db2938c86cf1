import type { SiteView } from '../../../src/model/site.ts';
import type { Port } from '../readings.ts';

/** `core3:te3/46`. */
export const splitId = (id: string): { host: string; port: string } => {
  const at = id.indexOf(':');
  return { host: id.slice(0, at), port: id.slice(at + 1) };
};

/** The port part of a canonical id, or undefined when the text can be no port of this host. */
export const portOf = (site: SiteView, host: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const id = site.resolve('port', `${host}:${text}`)?.id;
  return id?.slice(id.indexOf(':') + 1);
};

/** Not ends of a cable: VLANs, loopbacks, tunnels, bundles, logical units. */
const virtual =
  /^(?:vlan|lo|loopback|null|tunnel|m?po\d|ragg\d|ae\d|irb|nve|bond|br|docker|veth|cpu|mgmt|ma\d|managementethernet)|\.\d+$/;

/** Can be an end of a cable. */
export const isPhysical = (port: string): boolean => !virtual.test(port);

/** Switched off by somebody, not merely without light. */
export const isShut = ({ state }: Port): boolean => state === 'shut';

/** Switched on, and without light: where the device tells the two apart. */
export const isDark = ({ state }: Port): boolean => state === 'dark';

/** What a port reads whose words say neither up nor down. */
export const describeUnclear = ({ link, admin }: Port): string =>
  [link, admin].every((one) => one === undefined)
    ? 'reads no state'
    : `reads ${[link, admin].flatMap((one) => (one === undefined ? [] : [`"${one}"`])).join(', ')}, which is not understood`;
