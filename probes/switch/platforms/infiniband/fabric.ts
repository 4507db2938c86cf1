import * as z from 'zod';
import type { Answer } from '../../../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../../../src/model/errors.ts';
import type { HostView, SiteView } from '../../../../src/model/site.ts';
import type { NeighborsReading } from '../../readings.ts';
import { portOf } from '../../read/port-states.ts';

const endSchema = z.object({
  /** Canonical, below the host that asked: `leaf-07/17`. */
  port: z.string(),
  /** The node's own name: `leaf-07`. */
  node: z.string(),
  /** Switch, host (channel adapter) or router. */
  type: z.enum(['SW', 'CA', 'RT']),
  lid: z.number(),
  number: z.number(),
  guid: z.string(),
});

/** A port of an InfiniBand fabric; without a peer its link is down. */
const fabricPortSchema = endSchema.extend({
  peer: endSchema.optional(),
  /** Its state, `Active/LinkUp`; absent: not told. */
  link: z.string().optional(),
  /** `4X 25.78125 Gbps` (per lane), and what both ends could do together: `4X`, `53.125 Gbps`. */
  rate: z.string().optional(),
  could: z.array(z.string()).optional(),
});
export type FabricPort = z.infer<typeof fabricPortSchema>;

export const fabricSchema = z.object({
  ports: z.array(fabricPortSchema),
  /** LIDs of the host that asked, and of the subnet managers that its ports obey. */
  ownLids: z.array(z.number()),
  smLids: z.array(z.number()),
});
export type FabricReading = z.infer<typeof fabricSchema>;

/**
 * A link carries data in these two states only (IBA volume 1, PortInfo; names of libibmad, dump.c). `ibnetdiscover` lists a link from the
 * moment its cable trains: Initialize and Armed, which no subnet manager has brought up, look the same there.
 */
export const isCarrying = ({ peer, link }: FabricPort): boolean =>
  peer !== undefined && link === 'Active/LinkUp';

/**
 * The state of each port, every link of the fabric (`-p`: one line a port), then this host's own ports with the LID of their subnet manager.
 * A host that may not ask for the states (sudo) tells the rest all the same.
 */
export const fabricScript = [
  'sudo -n iblinkinfo --line',
  "printf '%s\\n' '--- ibnetdiscover'",
  "sudo -n ibnetdiscover -p && printf '%s\\n' '--- ibstat' && ibstat",
].join('\n');

/**
 * `0x0000000000200001 "   leaf2"   0   31[  ] ==( 4X   2.5 Gbps Initialize/  LinkUp)==>  ... "n4" (Could be 10.0 Gbps)` (iblinkinfo.c): GUID,
 * port, width, speed and states, then the peer and what the link could do.
 */
const stateLine = /^(0x[0-9a-f]{16}) "[^"]*" +\d+ +(\d+)\[[^\]]*\] ==\((.{0,120}?)\)==>(.*)$/;

/** By `GUID/number`. A name may not be trusted to hold no quote: such a line tells nothing. */
const linkStates = (text: string): ReadonlyMap<string, Pick<FabricPort, 'link' | 'rate' | 'could'>> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, guid = '', number, inside = '', rest = ''] = stateLine.exec(line) ?? [];
      const [, state, phys] = /(?:^| )([A-Za-z]+)\/ *([A-Za-z]+)$/.exec(inside) ?? [];
      if (state === undefined) return [];
      const [, width, speed] = /^ *(\d+X) +([\d.]+ Gbps|FDR10) /.exec(inside) ?? [];
      // Behind the last quote: what stands in the peer's name is its own.
      const could = [...rest.slice(rest.lastIndexOf('"')).matchAll(/Could be (\d+X|[\d.]+ Gbps|FDR10)/g)];
      const known = {
        link: `${state}/${phys}`,
        ...(width !== undefined && { rate: `${width} ${speed}` }),
        ...(could.length > 0 && { could: could.map(([, one = '']) => one) }),
      };
      return [[`${BigInt(guid)}/${number}`, known] as const];
    }),
  );

/**
 * A node's own name in its description: `leaf-07 (MF0;leaf-07:MQM8700/U1)`, `MF0;leaf-07:MQM8700/U1`, `node0042 HCA-1`. Unnamed
 * switches all say the same (`Quantum Mellanox Technologies`): they go by their GUID.
 */
const nodeName = (text: string, guid: string): string | undefined => {
  const managed = /^MF0;([^:;]+):/.exec(text.trim())?.[1];
  if (managed === undefined && /Technologies|^(?:Quantum|SwitchIB|SwitchX|Infiniscale)/i.test(text))
    return guid;
  return /^[A-Za-z0-9][A-Za-z0-9._-]*/.exec(managed ?? text.trim())?.[0];
};

/** Beyond a host's first adapter its name alone tells no port: `worker20 mlx5_3` is `worker20-mlx5_3`. */
export const deviceName = (text: string, guid: string): string | undefined => {
  const node = nodeName(text, guid);
  const adapter = /^\S+ (HCA-\d{1,3}|mlx\d{1,2}_\d{1,3})$/.exec(text.trim())?.[1];
  return node === undefined || adapter === undefined || /^(?:HCA-1|mlx\d+_0)$/.test(adapter)
    ? node
    : `${node}-${adapter}`;
};

const linked =
  /^(SW|CA|RT)\s+(\d+)\s+(\d+)\s+(0x[0-9a-f]{1,16})\s+\S+\s+\S+\s+-\s+(SW|CA|RT)\s+(\d+)\s+(\d+)\s+(0x[0-9a-f]{1,16})\s+\(\s*'([^']{0,200})'\s+-\s+'([^']{0,200})'\s*\)\s*$/;
const alone = /^(SW|CA|RT)\s+(\d+)\s+(\d+)\s+(0x[0-9a-f]{1,16})\s+\S+\s+\S+\s+'([^']{0,200})'\s*$/;

type End = z.infer<typeof endSchema>;

const rowOf = (
  line: string,
  end: (...parts: readonly string[]) => End | undefined,
): FabricPort | undefined => {
  const pair = linked.exec(line);
  if (pair) {
    const [
      ,
      type = '',
      lid = '',
      number = '',
      guid = '',
      type2 = '',
      lid2 = '',
      number2 = '',
      guid2 = '',
      name = '',
      name2 = '',
    ] = pair;
    const [own, peer] = [end(type, lid, number, guid, name), end(type2, lid2, number2, guid2, name2)];
    return own && peer && { ...own, peer };
  }
  const [, type = '', lid = '', number = '', guid = '', name = ''] = alone.exec(line) ?? [];
  return end(type, lid, number, guid, name);
};

/** `ibnetdiscover -p`: lines that are no port are counted, and so are ports of two nodes of one name: neither is believed. */
const fabricPorts = (
  text: string,
  host: HostView,
  site: SiteView,
): { ports: FabricPort[]; notUnderstood: number } => {
  const end = (...[type = '', lid, number, guid = '', name = '']: readonly string[]): End | undefined => {
    const node = nodeName(name, guid);
    const device = deviceName(name, guid);
    const port = device === undefined ? undefined : portOf(site, host.name, `${device}/${number}`);
    const known = endSchema.shape.type.safeParse(type).data;
    return node === undefined || port === undefined || known === undefined
      ? undefined
      : { port, node, type: known, lid: Number(lid), number: Number(number), guid };
  };
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const rows = lines.flatMap((line) => rowOf(line, end) ?? []);
  const guids = Map.groupBy(rows, ({ port }) => port);
  const ports = rows.filter(({ port, guid }) => guids.get(port)?.every((one) => one.guid === guid));
  return { ports, notUnderstood: lines.length - ports.length };
};

const lidsIn = (text: string, name: string): number[] =>
  [
    ...new Set(
      [...text.matchAll(new RegExp(`^\\s*${name}:\\s*(\\d+)\\s*$`, 'gm'))].map(([, lid]) => Number(lid)),
    ),
  ].filter((lid) => lid !== 0);

/** The fabric, where this host hangs in it, and where its subnet manager does. */
export const readFabricLinks = (
  { stdout, stderr, exitCode }: Answer,
  host: HostView,
  site: SiteView,
): { value: FabricReading; notUnderstood: number } => {
  const what = `fabric of ${host.name}`;
  if (exitCode !== 0)
    throw new CommandFailed(
      'other',
      `${what}: exit ${exitCode ?? 'unknown'}, ${stderr.trim().split('\n')[0] ?? ''}`,
    );
  const [told = '', rest = ''] = /^--- ibnetdiscover$/m.test(stdout)
    ? stdout.split(/^--- ibnetdiscover$/m)
    : ['', stdout];
  const [links = '', own] = rest.split(/^--- ibstat$/m);
  const [ownLids, smLids] = [lidsIn(own ?? '', 'Base lid'), lidsIn(own ?? '', 'SM lid')];
  if (ownLids.length === 0 || smLids.length === 0)
    throw new ParseError(
      `${what}: ibstat names no port of its own with a subnet manager`,
      'ibstat',
      own ?? '',
    );
  const states = linkStates(told);
  const found = fabricPorts(links, host, site);
  const ports = found.ports.map((port) => ({
    ...port,
    ...states.get(`${BigInt(port.guid)}/${port.number}`),
  }));
  return { value: { ports, ownLids, smLids }, notUnderstood: found.notUnderstood };
};

/** The same links as neighbours, so that those without errors are links too. */
export const readFabricPeers = (
  { stdout, stderr, exitCode }: Answer,
  host: HostView,
  site: SiteView,
): { value: NeighborsReading; notUnderstood: number } => {
  if (exitCode !== 0)
    throw new CommandFailed(
      'other',
      `links of the fabric of ${host.name}: ${stderr.trim().split('\n')[0] ?? ''}`,
    );
  const { ports, notUnderstood } = fabricPorts(stdout, host, site);
  const neighbors = ports.flatMap(({ port, peer }) =>
    peer ? [{ port, neighbor: host.name, portText: peer.port }] : [],
  );
  return { value: { neighbors }, notUnderstood };
};
