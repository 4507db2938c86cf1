import type { Capture, Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { valueAt, isRecord, toList, textOf, type Json } from '../../read/parse-json.ts';
import { neighborRow } from '../../read/parse-neighbors.ts';
import { limitIn, opticRows, type Reading } from '../../read/parse-optics.ts';
import { count, decimal, text } from '../../read/parse-values.ts';
import { recordLines, type PortLine } from '../../read/port-lines.ts';
import {
  dropAbsent,
  type LagRow,
  type NeighborRow,
  type OpticRow,
  type PortRow,
  type ReadingName,
} from '../../read/rows.ts';

/** Keys of `interfaceCounters`, of its error details and of `interfaceErrorCounters`. */
const keys: Readonly<Record<string, string>> = {
  inTotalPkts: 'rxPackets',
  outTotalPkts: 'txPackets',
  inUcastPkts: 'rxPacketsUnicast',
  outUcastPkts: 'txPacketsUnicast',
  inOctets: 'rxBytes',
  outOctets: 'txBytes',
  totalInErrors: 'rxErrors',
  totalOutErrors: 'txErrors',
  inErrors: 'rxErrors',
  outErrors: 'txErrors',
  inDiscards: 'rxDiscards',
  outDiscards: 'txDiscards',
  fcsErrors: 'rxCrc',
  alignmentErrors: 'rxAlignment',
  symbolErrors: 'rxSymbol',
  runtFrames: 'rxRunts',
  frameTooShorts: 'rxRunts',
  giantFrames: 'rxGiants',
  frameTooLongs: 'rxGiants',
  collisions: 'txCollisions',
  lateCollisions: 'txLateCollisions',
};

const names = Object.entries(keys);

const entriesAt = (value: Json | undefined, name: string): readonly (readonly [string, Json])[] => {
  const found = valueAt(value, name);
  return isRecord(found) ? Object.entries(found) : [];
};

const word = (value: Json | undefined, ...path: readonly string[]): string | undefined =>
  text(textOf(valueAt(value, ...path)));

const countersOf = (parts: readonly (Json | undefined)[]): Record<string, bigint> => {
  const counts: Record<string, bigint> = {};
  for (const part of parts) {
    if (!isRecord(part)) continue;
    for (const [key, name] of names)
      if (Object.hasOwn(part, key)) put(counts, name, count(textOf(part[key])));
  }
  return counts;
};

/** What `show interfaces | json` says of each port; undefined: it is no such document. */
export const eosPortLines = (capture: Capture): Iterable<PortLine> | undefined =>
  capture.json() === undefined ? undefined : recordLines(entriesAt(capture.json(), 'interfaces'));

/** `show interfaces [status|counters [errors|discards]] | json`. */
export const eosInterfacesJson: Reader<PortRow> = (capture) => {
  const errors = entriesAt(capture.json(), 'interfaceErrorCounters');
  const others = [...errors, ...entriesAt(capture.json(), 'interfaceStatuses')];
  const found = others.length > 0 ? others : entriesAt(capture.json(), 'interfaces');
  const rows = found
    .filter(([, one]) => isRecord(one))
    .map(([port, one]): PortRow => {
      const own = valueAt(one, 'interfaceCounters');
      const details = ['inputErrorsDetail', 'outputErrorsDetail'].map((name) => valueAt(own, name));
      return dropAbsent<PortRow>({
        port,
        link: word(one, 'interfaceStatus') ?? word(one, 'linkStatus'),
        protocol: word(one, 'lineProtocolStatus'),
        memberOf: word(one, 'interfaceMembership')?.replace(/^Member of /, ''),
        ...countersOf([own ?? one, ...details]),
      });
    });
  return rows.some((row) => Object.keys(row).length > 1) ? { rows } : undefined;
};

/** `show lldp neighbors [detail] | json`. */
export const eosLldpJson: Reader<NeighborRow> = (capture) => {
  const found = valueAt(capture.json(), 'lldpNeighbors');
  if (Array.isArray(found))
    return {
      rows: toList(found).map((one) =>
        neighborRow({
          localPort: word(one, 'port'),
          neighbor: word(one, 'neighborDevice'),
          port: word(one, 'neighborPort'),
        }),
      ),
    };
  if (!isRecord(found)) return undefined;
  return {
    rows: Object.entries(found).flatMap(([localPort, one]) =>
      toList(valueAt(one, 'lldpNeighborInfo')).map((info) =>
        neighborRow({
          localPort,
          neighbor: word(info, 'systemName'),
          portId: word(info, 'neighborInterfaceInfo', 'interfaceId'),
          portDesc: word(info, 'neighborInterfaceInfo', 'interfaceDescription'),
          chassisId: word(info, 'chassisId'),
        }),
      ),
    ),
  };
};

const readings: Readonly<Record<string, ReadingName>> = {
  temperature: 'tempC',
  voltage: 'voltageV',
  txBias: 'biasMa',
  txPower: 'txDbm',
  rxPower: 'rxDbm',
};

const limitsOf = (name: ReadingName, limits: Json | undefined): Reading[] =>
  ['highAlarm', 'highWarn', 'lowWarn', 'lowAlarm'].flatMap((key): Reading[] => {
    const value = decimal(textOf(valueAt(limits, key)));
    const limit = limitIn(key);
    return value === undefined || !limit ? [] : [{ name, value, limit }];
  });

/** `dom`: parameters with a value per channel, channel `-` for the whole module. */
const channelsOf = (name: ReadingName, parameter: Json | undefined): Reading[] =>
  entriesAt(parameter, 'channels').flatMap(([channel, reading]): Reading[] => {
    const value = decimal(textOf(reading));
    if (value === undefined) return [];
    return [{ name, value, ...(/^\d+$/.test(channel) ? { lane: Number(channel) } : {}) }];
  });

/** Lanes that a parameter lists, with a value or without. */
const lanesOf = (one: Json): readonly number[] =>
  Object.keys(readings).flatMap((key) =>
    entriesAt(valueAt(one, 'parameters', key), 'channels').flatMap(([channel]) =>
      /^\d+$/.test(channel) ? [Number(channel)] : [],
    ),
  );

/** `show interfaces transceiver [detail|dom] | json`. */
export const eosTransceiversJson: Reader<OpticRow> = (capture) => {
  const found = entriesAt(capture.json(), 'interfaces');
  const known = found.some(([, one]) =>
    Object.keys(readings).some((key) => valueAt(one, key) ?? valueAt(one, 'parameters', key)),
  );
  if (!known) return undefined;
  return {
    rows: found.flatMap(([port, one]) => {
      const all = Object.entries(readings).flatMap(([key, name]): Reading[] => {
        const value = decimal(textOf(valueAt(one, key)));
        const parameter = valueAt(one, 'parameters', key);
        return [
          ...(value === undefined ? [] : [{ name, value }]),
          ...limitsOf(name, valueAt(one, 'details', key)),
          ...channelsOf(name, parameter),
          ...limitsOf(name, valueAt(parameter, 'threshold')),
        ];
      });
      return opticRows(port, all, lanesOf(one));
    }),
  };
};

/** `show lacp peer | json` and `show port-channel [summary] | json`: the members of each LAG. */
export const eosPortChannelsJson: Reader<LagRow> = (capture) => {
  const found = entriesAt(capture.json(), 'portChannels');
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap(([lag, one]): LagRow[] => {
      const members = ['interfaces', 'ports', 'activePorts', 'inactivePorts'].flatMap((name) =>
        entriesAt(one, name).filter(([member]) => !member.startsWith('Peer')),
      );
      const head = dropAbsent<LagRow>({
        lag,
        lagState: word(one, 'linkState'),
        protocol: word(one, 'protocol'),
      });
      if (members.length === 0) return [head];
      return members.map(([member, port]) =>
        dropAbsent<LagRow>({
          ...head,
          protocol: head.protocol ?? word(port, 'protocol'),
          member,
          memberState: word(port, 'actorPortStatus') ?? word(port, 'portStatus'),
        }),
      );
    }),
  };
};
