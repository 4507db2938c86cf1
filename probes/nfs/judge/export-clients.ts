import * as z from 'zod';
import type { ClientReading, ServerReading } from '../readings.ts';
import { addressOfSocket } from './connections.ts';

/** Whether a path is a folder or lies below it. */
export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

export type Export = NonNullable<ServerReading['exports']>[number];

const [ipv4, ipv6] = [z.ipv4(), z.ipv6()];

interface Address {
  value: bigint;
  bits: 32 | 128;
}

/** The groups of an IPv6 address, those that `::` stands for included. */
const groupsOf = (address: string): string[] => {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
};

/** An address as a number; undefined: none, or IPv6 with IPv4 in it. */
const addressIn = (text: string): Address | undefined => {
  if (ipv4.safeParse(text).success)
    return { bits: 32, value: text.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) };
  if (!ipv6.safeParse(text).success || text.includes('.')) return undefined;
  const value = groupsOf(text).reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
  return { bits: 128, value };
};

/** `255.255.240.0` or `20` as a length; undefined: no netmask. */
const prefixOf = (mask: string): number | undefined => {
  if (/^\d{1,3}$/.test(mask)) return Number(mask);
  const bits = addressIn(mask)?.value.toString(2).padStart(32, '0') ?? '';
  return ipv4.safeParse(mask).success && /^1*0*$/.test(bits) ? bits.lastIndexOf('1') + 1 : undefined;
};

/** An address, or a network with its length or mask (exports(5)); undefined: a name, a wildcard or a netgroup. */
const networkOf = (client: string): (Address & { prefix: number }) | undefined => {
  const [text = '', mask, more] = client.split('/');
  const address = addressIn(text);
  if (!address || more !== undefined) return undefined;
  const prefix = mask === undefined ? address.bits : prefixOf(mask);
  return prefix === undefined || prefix > address.bits ? undefined : { ...address, prefix };
};

type Known = NonNullable<ServerReading['known']>;

const isSame = (one: string, other: string): boolean => {
  const [first, second] = [addressIn(one), addressIn(other)];
  return first !== undefined && first.bits === second?.bits && first.value === second.value;
};

/** Whether the server's kernel takes one of these addresses for this client: it says so itself of those that talk to it. */
const isKnownAs = (client: string, addresses: readonly string[], known: Known): boolean | undefined => {
  const rows = addresses.map((address) => known.find((row) => isSame(row.address, address)));
  if (rows.some((row) => row?.clients.includes(client))) return true;
  return rows.length > 0 && rows.every((row) => row !== undefined) ? false : undefined;
};

/**
 * Whether an export is for a client with one of these addresses. Undefined: unsure, for what a netgroup holds and what an address resolves
 * to only the server knows (`known`), and a client whose addresses are not known may be anybody.
 */
export const isFor = (
  { client }: Export,
  addresses: readonly string[],
  known: Known = [],
): boolean | undefined => {
  if (client === '*' || client === '<world>') return true;
  const network = networkOf(client);
  if (!network) return isKnownAs(client, addresses, known);
  if (addresses.length === 0) return undefined;
  const host = BigInt(network.bits - network.prefix);
  return addresses.some((text) => {
    const address = addressIn(text);
    return address?.bits === network.bits && address.value >> host === network.value >> host;
  });
};

/** The rows of the kernel's table that speak in the words of the exports in force: mountd may give it names of another kind. */
export const knownInWordsOf = (exports: readonly Export[], known: Known = []): Known => {
  const words = new Set(exports.map(({ client }) => client));
  return known.filter(({ clients }) => clients.every((one) => words.has(one)));
};

/** The addresses from which a client talks to a server now. */
export const ownAddresses = (
  { sockets = [] }: Pick<ClientReading, 'sockets'>,
  servers: readonly string[],
): string[] => [
  ...new Set(
    sockets
      .filter(({ peer }) => peer.endsWith(':2049') && servers.includes(addressOfSocket(peer)))
      .map(({ local }) => addressOfSocket(local))
      .filter((address) => addressIn(address) !== undefined),
  ),
];
