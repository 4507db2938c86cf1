import type { Capture, Reader } from '../../read/parse-capture.ts';
import { valueAt, isRecord, jsonIn, toList, textOf, type Json } from '../../read/parse-json.ts';
import { text } from '../../read/parse-values.ts';
import { dropAbsent, type LagRow } from '../../read/rows.ts';
import {
  chassisReadingOf as spanningLags,
  lostPartsOf,
  noneSpans,
  type ChassisAnswer,
  type ChassisReading,
} from '../../read/chassis-reading.ts';
import { onyxEntries } from './json.ts';

/** `Eth1/7(D) Eth1/8(P)`. */
const members = (cell: string | undefined): { member: string; memberState?: string }[] =>
  (cell ?? '').split(/[\s,]+/).flatMap((one) => {
    const match = /^([A-Za-z]+\d[\d/]*)(?:\(([^()]*)\))?$/.exec(one);
    return match
      ? [
          dropAbsent<{ member: string; memberState?: string }>({
            member: match[1] ?? '',
            memberState: text(match[2]),
          }),
        ]
      : [];
  });

/** The ports in the cell whose title begins so; undefined: there is no such cell. */
const portsIn = (one: Json, title: RegExp): ReturnType<typeof members> | undefined => {
  const key = isRecord(one) ? Object.keys(one).find((name) => title.test(name)) : undefined;
  return key === undefined ? undefined : members(textOf(valueAt(one, key)));
};

/** Entries at any depth: summaries of MLAGs stand below their titles. */
const entriesIn = (json: Json | undefined): readonly (readonly [string, Json])[] => [
  ...onyxEntries(json),
  ...toList(json).flatMap((one) => (isRecord(one) ? Object.values(one).flatMap(entriesIn) : [])),
];

/** `Eth1/11 (Po21)`: the LAG stands behind the name of a member, in documents and on screens. */
export const onyxBundles = (capture: Capture): ReadonlyMap<string, string> => {
  const json = capture.json();
  const names = json === undefined ? capture.lines : onyxEntries(json).map(([name]) => name);
  return new Map(
    names.flatMap((name): [string, string][] => {
      const [, port, lag] = /^(Eth[\d/]+) \((M?po\d+)\):?$/i.exec(name) ?? [];
      if (port === undefined || lag === undefined) return [];
      // A document names its rows by the whole key, a screen by the port alone.
      return [
        [name, lag],
        [port, lag],
      ];
    }),
  );
};

/** `show interfaces [mlag-]port-channel summary | json-print`: keys like `1 Po22(D)`. */
export const onyxPortChannels: Reader<LagRow> = (capture) => {
  const found = entriesIn(capture.json()).flatMap(([key, one]) => {
    const match = /^(?:\d+ )?(M?po\d+)(?:\(([^()]*)\))?$/i.exec(key.trim());
    return match ? [{ match, one }] : [];
  });
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap(({ match, one }): LagRow[] => {
      const lag = dropAbsent<LagRow>({
        lag: match[1] ?? '',
        lagState: text(match[2]),
        protocol: text(textOf(valueAt(one, 'Protocol') ?? valueAt(one, 'Type'))),
      });
      const ports = portsIn(one, /^(?:member|local) ports/i) ?? [];
      return ports.length > 0 ? ports.map((port) => ({ ...lag, ...port })) : [lag];
    }),
  };
};

/** Both switches of a pair stand in its list. */
const peersIn = (domain: string): string | undefined => {
  const peers = [...domain.matchAll(/^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}\s+(\S+)/gim)].map(([, state]) => state);
  return peers.length === 2
    ? (peers.find((state) => state?.toLowerCase() !== 'up') ?? 'Up')
    : `${peers.length} of 2`;
};

/**
 * `show mlag`, and the table of its LAGs, which names the ports of the other chassis as that one tells of them (Onyx user manual, MLAG).
 * Without `protocol mlag` there is no such command.
 */
export const onyxChassis = ({ section, lag }: ChassisAnswer): ChassisReading | undefined => {
  const domain = section('show mlag');
  if (/^% ?Unrecognized command/im.test(domain)) return noneSpans;
  const valueOf = (title: string): string | undefined =>
    new RegExp(`^${title}: *(\\S+)`, 'im').exec(domain)?.[1];
  const table = jsonIn(section('show interfaces mlag-port-channel summary | json-print'));
  if (valueOf('Admin status') === undefined || table === undefined) return undefined;
  const rows = entriesIn(table).flatMap(([key, one]) => {
    const name = /^(?:\d+ )?(Mpo\d+)(?:\([^()]*\))?$/i.exec(key.trim())?.[1];
    return name === undefined ? [] : [{ lag: lag(name), ports: portsIn(one, /^peer ports/i) }];
  });
  if (rows.some(({ ports }) => ports === undefined)) return undefined;
  return spanningLags(
    rows.map(({ lag: name, ports = [] }) => ({
      lag: name,
      peer: {
        members: ports.length,
        active: ports.filter(({ memberState }) => memberState === 'P').length,
      },
    })),
    lag(/^\d+\s+(Po\d+)\s/im.exec(domain)?.[1]),
    lostPartsOf([
      ['MLAG', valueOf('Admin status'), /^Enabled$/i],
      ['operational status', valueOf('Operational status'), /^Up$/i],
      ['peers', peersIn(domain), /^Up$/],
    ]),
  );
};
