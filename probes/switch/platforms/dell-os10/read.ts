import type { Platform } from '../contracts.ts';
import { ciscoDialect, insideInterface } from '../shared/command-lines.ts';
import { dellLldp, dellMinLinks } from '../shared/dell.ts';
import { os10Chassis, os10MemberName, os10MemberWords } from './lags.ts';
import { onOff, upDown } from '../../read/link-words.ts';
import type { Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { dellInterfaces } from '../shared/interfaces-text.ts';
import { neighborRow } from '../../read/parse-neighbors.ts';
import { findEverywhere, textAt, elementsUnder, type Tree } from '../../read/parse-tree.ts';
import { base64, count, macAddress } from '../../read/parse-values.ts';
import { dropAbsent, type NeighborRow, type PortRow } from '../../read/rows.ts';
import { dellStatus } from '../shared/status-table.ts';
import { portChannelTable } from '../shared/port-channels.ts';

const statistics: Readonly<Record<string, string>> = {
  'in-pkts': 'rxPackets',
  'out-pkts': 'txPackets',
  'in-octets': 'rxBytes',
  'out-octets': 'txBytes',
  'in-errors': 'rxErrors',
  'out-errors': 'txErrors',
  'in-discards': 'rxDiscards',
  'out-discards': 'txDiscards',
  'ether-crc-align-errors': 'rxCrc',
  'ether-fragments': 'rxFragments',
  'ether-jabbers': 'rxJabbers',
  'ether-rx-oversize-pkts': 'rxOversize',
  'ether-undersize-pkts': 'rxUndersize',
  'ether-collisions': 'txCollisions',
};

/** Running state of the interfaces; what stands under `interfaces` is configuration. */
const interfacesIn = (documents: readonly Tree[]): readonly Tree[] =>
  findEverywhere(documents, 'bulk').flatMap((bulk) => findEverywhere([bulk], 'interface'));

/** `show interface | display-xml`: one document after the other. */
const interfaces: Reader<PortRow> = (capture) => {
  const found = interfacesIn(capture.xml()).filter((one) => elementsUnder(one, 'statistics').length > 0);
  if (found.length === 0) return undefined;
  return {
    rows: found.map((one) => {
      const counts: Record<string, bigint> = {};
      for (const [key, name] of Object.entries(statistics))
        put(counts, name, count(textAt(one, 'statistics', key)));
      return dropAbsent<PortRow>({
        port: textAt(one, 'name') ?? '',
        admin: textAt(one, 'admin-status'),
        link: textAt(one, 'oper-status'),
        ...counts,
      });
    }),
  };
};

/** Ids come as base64: text where it can be read, else the bytes of an address. */
const id = (packed: string | undefined, kind: string | undefined): string | undefined => {
  const bytes = base64(packed);
  if (!bytes) return packed;
  if (/mac-address/.test(kind ?? '') && bytes.length === 6) return macAddress(bytes);
  const readable = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return readable ? String.fromCharCode(...bytes) : bytes.length === 6 ? macAddress(bytes) : packed;
};

/** `show lldp neighbors | display-xml`. */
const neighbors: Reader<NeighborRow> = (capture) => {
  const found = interfacesIn(capture.xml());
  if (found.length === 0 || found.some((one) => elementsUnder(one, 'statistics').length > 0))
    return undefined;
  return {
    rows: found.flatMap((one) =>
      elementsUnder(one, 'lldp-rem-neighbor-info', 'info').map((info) =>
        neighborRow({
          localPort: textAt(one, 'name'),
          neighbor: textAt(info, 'rem-system-name'),
          portId: id(textAt(info, 'rem-lldp-port-id'), textAt(info, 'rem-lldp-port-subtype')),
          portDesc: textAt(info, 'rem-port-desc'),
          chassisId: id(textAt(info, 'rem-lldp-chassis-id'), textAt(info, 'rem-lldp-chassis-id-subtype')),
        }),
      ),
    ),
  };
};

/** Dell OS10: XML, several documents in one answer. */
export const dellOs10: Platform = {
  id: 'dell_os10',
  title: 'Dell OS10',
  via: 'cli',
  dialect: ciscoDialect('[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:.-]+\\))?[>#]\\s*$'),
  machineReadable: true,
  ask: {
    counters: ['show interface | display-xml'],
    lags: ['show port-channel summary'],
    neighbors: ['show lldp neighbors | display-xml'],
  },
  minLinks: ['show interface port-channel'],
  chassis: (domain) => [
    'show running-configuration vlt',
    ...(domain === undefined ? [] : [`show vlt ${domain} vlt-port-detail`]),
  ],
  nameOf: (port) => /^eth(\d[\d/:]*)$/.exec(port)?.[1]?.replace(/^/, 'ethernet '),
  restore: insideInterface('no shutdown'),
  // 1532 of a default port (OS10 user guide, `mtu`).
  mtuHead: 32,
  readers: {
    counters: [interfaces, dellInterfaces, dellStatus],
    lags: [portChannelTable],
    neighbors: [neighbors, ...dellLldp],
  },
  linkWords: { link: { ...upDown, 'administratively down': 'shut' }, admin: onOff },
  memberWords: os10MemberWords,
  memberName: os10MemberName,
  minLinksIn: dellMinLinks,
  chassisIn: os10Chassis,
};
