import type { Capture, Reader } from '../../read/parse-capture.ts';
import { at, isRecord, listed, textOf, type Json } from '../../read/parse-json.ts';
import { text } from '../../read/parse-values.ts';
import { present, type LagRow } from '../../read/rows.ts';
import { onyxEntries } from './json.ts';

/** `Eth1/7(D) Eth1/8(P)`. */
const members = (cell: string | undefined): { member: string; memberState?: string }[] =>
  (cell ?? '').split(/[\s,]+/).flatMap((one) => {
    const match = /^([A-Za-z]+\d[\d/]*)(?:\(([^()]*)\))?$/.exec(one);
    return match
      ? [
          present<{ member: string; memberState?: string }>({
            member: match[1] ?? '',
            memberState: text(match[2]),
          }),
        ]
      : [];
  });

/** Entries at any depth: summaries of MLAGs stand below their titles. */
const entriesIn = (json: Json | undefined): readonly (readonly [string, Json])[] => [
  ...onyxEntries(json),
  ...listed(json).flatMap((one) => (isRecord(one) ? Object.values(one).flatMap(entriesIn) : [])),
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
      const lag = present<LagRow>({
        lag: match[1] ?? '',
        lagState: text(match[2]),
        protocol: text(textOf(at(one, 'Protocol') ?? at(one, 'Type'))),
      });
      const key = isRecord(one)
        ? Object.keys(one).find((name) => /^(?:member|local) ports/i.test(name))
        : undefined;
      const ports = members(key === undefined ? undefined : textOf(at(one, key)));
      return ports.length > 0 ? ports.map((port) => ({ ...lag, ...port })) : [lag];
    }),
  };
};
