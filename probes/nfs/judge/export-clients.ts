import { BlockList, isIP } from 'node:net';
import type { ClientReading, ServerReading } from '../readings.ts';

export type Export = NonNullable<ServerReading['exports']>[number];

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
  (({ 4: 'ipv4', 6: 'ipv6' }) as const)[isIP(address)];

/** `255.255.240.0` or `20` as a length; undefined: no netmask. */
const prefixOf = (mask: string): number | undefined => {
  if (/^\d{1,3}$/.test(mask)) return Number(mask);
  if (isIP(mask) !== 4) return undefined;
  const bits = mask
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('');
  return /^1*0*$/.test(bits) ? bits.lastIndexOf('1') + 1 : undefined;
};

/** An address, or a network with its length or mask (exports(5)); undefined: a name, a wildcard or a netgroup. */
const networkOf = (client: string): BlockList | undefined => {
  const [address = '', mask, more] = client.split('/');
  const family = familyOf(address);
  if (family === undefined || more !== undefined) return undefined;
  const list = new BlockList();
  if (mask === undefined) {
    list.addAddress(address, family);
    return list;
  }
  const prefix = prefixOf(mask);
  if (prefix === undefined || prefix > (family === 'ipv4' ? 32 : 128)) return undefined;
  list.addSubnet(address, prefix, family);
  return list;
};

/**
 * Whether an export is for a client with one of these addresses. Undefined: unsure, for only the server knows what a netgroup holds and what
 * an address resolves to, and a client whose addresses are not known may be anybody.
 */
export const isFor = ({ client }: Export, addresses: readonly string[]): boolean | undefined => {
  if (client === '*' || client === '<world>') return true;
  const network = networkOf(client);
  if (!network || addresses.length === 0) return undefined;
  return addresses.some((address) => network.check(address, familyOf(address) ?? 'ipv4'));
};

/** `10.9.0.21:973` and `[fd00::21]:973` without their port. IPv4 in IPv6 is the same client. */
const addressOf = (socket: string): string =>
  socket
    .replace(/:\d{1,5}$/, '')
    .replaceAll(/[[\]]/g, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '');

/** The addresses from which a client talks to a server now. */
export const ownAddresses = (
  { sockets = [] }: Pick<ClientReading, 'sockets'>,
  servers: readonly string[],
): string[] => [
  ...new Set(
    sockets
      .filter(({ peer }) => peer.endsWith(':2049') && servers.includes(addressOf(peer)))
      .map(({ local }) => addressOf(local))
      .filter((address) => isIP(address) !== 0),
  ),
];
