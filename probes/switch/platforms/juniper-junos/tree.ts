import type { Capture, Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { isRecord } from '../../read/parse-json.ts';
import { neighborRow } from '../../read/parse-neighbors.ts';
import { limitIn, opticRows, type Reading } from '../../read/parse-optics.ts';
import { findEverywhere, junosTree, textAt, elementsUnder, type Tree } from '../../read/parse-tree.ts';
import { count, decimal } from '../../read/parse-values.ts';
import {
  dropAbsent,
  type LagRow,
  type NeighborRow,
  type OpticRow,
  type PortRow,
  type ReadingName,
} from '../../read/rows.ts';

/** The same elements from `| display xml` and `| display json`. */
const documents = (capture: Capture): readonly Tree[] => {
  const json = capture.json();
  return isRecord(json) ? [junosTree(json)] : capture.xml();
};

const paths: readonly (readonly [string, readonly string[]])[] = [
  ['rxBytes', ['traffic-statistics', 'input-bytes']],
  ['rxPackets', ['traffic-statistics', 'input-packets']],
  ['txBytes', ['traffic-statistics', 'output-bytes']],
  ['txPackets', ['traffic-statistics', 'output-packets']],
  ['rxErrors', ['input-error-list', 'input-errors']],
  ['rxDiscards', ['input-error-list', 'input-drops']],
  ['rxFraming', ['input-error-list', 'framing-errors']],
  ['rxRunts', ['input-error-list', 'input-runts']],
  ['rxGiants', ['input-error-list', 'input-giants']],
  ['rxFifo', ['input-error-list', 'input-fifo-errors']],
  ['txCarrierTransitions', ['output-error-list', 'carrier-transitions']],
  ['txErrors', ['output-error-list', 'output-errors']],
  ['txDiscards', ['output-error-list', 'output-drops']],
  ['txCollisions', ['output-error-list', 'output-collisions']],
  ['rxPacketsUnicast', ['ethernet-mac-statistics', 'input-unicasts']],
  ['txPacketsUnicast', ['ethernet-mac-statistics', 'output-unicasts']],
  ['rxCrc', ['ethernet-mac-statistics', 'input-crc-errors']],
  ['txCrc', ['ethernet-mac-statistics', 'output-crc-errors']],
  ['rxOversize', ['ethernet-mac-statistics', 'input-oversized-frames']],
  ['rxJabbers', ['ethernet-mac-statistics', 'input-jabber-frames']],
  ['rxFragments', ['ethernet-mac-statistics', 'input-fragment-frames']],
  ['fecCorrected', ['ethernet-fec-statistics', 'fec_ccw_count']],
  ['fecUncorrected', ['ethernet-fec-statistics', 'fec_nccw_count']],
];

const portRow = (element: Tree): PortRow => {
  const counts: Record<string, bigint> = {};
  for (const [name, path] of paths) put(counts, name, count(textAt(element, ...path)));
  return dropAbsent<PortRow>({
    port: textAt(element, 'name') ?? '',
    admin: textAt(element, 'admin-status'),
    link: textAt(element, 'oper-status'),
    lastClear: textAt(element, 'statistics-cleared'),
    ...counts,
  });
};

/** `show interfaces [extensive] | display xml|json`. */
export const junosInterfaces: Reader<PortRow> = (capture) => {
  const found = findEverywhere(documents(capture), 'physical-interface').filter(
    (one) => elementsUnder(one, 'oper-status').length > 0,
  );
  if (found.length === 0) return undefined;
  const all = found.flatMap((one) => [one, ...elementsUnder(one, 'logical-interface')]);
  return { rows: all.filter((one) => textAt(one, 'name')).map(portRow) };
};

/** `<ae-bundle-name>ae0.0</ae-bundle-name>` in a unit of a member, with LACP or without. */
export const junosBundles = (capture: Capture): ReadonlyMap<string, string> =>
  new Map(
    findEverywhere(documents(capture), 'physical-interface').flatMap((one): [string, string][] => {
      const bundle = elementsUnder(one, 'logical-interface', 'address-family', 'ae-bundle-name')[0]?.text;
      const [lag] = /^ae\d+/.exec(bundle ?? '') ?? [];
      const name = textAt(one, 'name');
      return lag === undefined || name === undefined ? [] : [[name, lag]];
    }),
  );

/** `<snmp-index>` by port: its LLDP announces that of the port or of its unit 0 ("Locally assigned" port id). */
export const junosIndexes = (capture: Capture): ReadonlyMap<string, readonly string[]> =>
  new Map(
    findEverywhere(documents(capture), 'physical-interface').map((port) => [
      textAt(port, 'name') ?? '',
      [port, ...elementsUnder(port, 'logical-interface')]
        .filter((one) => one === port || (textAt(one, 'name') ?? '').endsWith('.0'))
        .flatMap((one) => textAt(one, 'snmp-index') ?? []),
    ]),
  );

/** `show lldp neighbors | display xml|json`. */
export const junosLldp: Reader<NeighborRow> = (capture) => {
  const trees = documents(capture);
  const found = findEverywhere(trees, 'lldp-neighbor-information');
  if (found.length === 0 && findEverywhere(trees, 'lldp-neighbors-information').length === 0)
    return undefined;
  return {
    rows: found.map((one) =>
      neighborRow({
        localPort: textAt(one, 'lldp-local-port-id') ?? textAt(one, 'lldp-local-interface'),
        neighbor: textAt(one, 'lldp-remote-system-name'),
        portId: textAt(one, 'lldp-remote-port-id'),
        portDesc: textAt(one, 'lldp-remote-port-description'),
        chassisId: textAt(one, 'lldp-remote-chassis-id'),
      }),
    ),
  };
};

/** Elements of a reading; `-dbm` variants stand beside those in mW, limits end with `-threshold[-dbm]`. */
const readings: readonly (readonly [string, string, ReadingName, ReadingName?])[] = [
  ['module-temperature', 'module-temperature', 'tempC'],
  ['module-voltage', 'module-voltage', 'voltageV'],
  ['laser-bias-current', 'laser-bias-current', 'biasMa'],
  ['laser-output-power', 'laser-tx-power', 'txMw', 'txDbm'],
  ['rx-signal-avg-optical-power', 'laser-rx-power', 'rxMw', 'rxDbm'],
  ['laser-rx-optical-power', 'laser-rx-power', 'rxMw', 'rxDbm'],
];

const readingsOf = (element: Tree, lane: number | undefined): Reading[] =>
  readings.flatMap(([own, base, name, dbm]) => {
    const read = (path: string, as: ReadingName, limit?: Reading['limit']): Reading[] => {
      const value = decimal(textAt(element, path));
      if (value === undefined) return [];
      return [{ name: as, value, ...(limit ? { limit } : {}), ...(lane === undefined ? {} : { lane }) }];
    };
    const limits = ['high-alarm', 'low-alarm', 'high-warn', 'low-warn'].flatMap((side) => [
      ...read(`${base}-${side}-threshold`, name, limitIn(side)),
      ...(dbm ? read(`${base}-${side}-threshold-dbm`, dbm, limitIn(side)) : []),
    ]);
    return [...read(own, name), ...(dbm ? read(`${own}-dbm`, dbm) : []), ...limits];
  });

/** `show interfaces diagnostics optics | display xml|json`; lanes are counted from 0 there. */
export const junosOptics: Reader<OpticRow> = (capture) => {
  const found = findEverywhere(documents(capture), 'physical-interface').filter(
    (one) => elementsUnder(one, 'optics-diagnostics').length > 0,
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap((one) => {
      const module = elementsUnder(one, 'optics-diagnostics')[0];
      const lanes = elementsUnder(module, 'optics-diagnostics-lane-values').flatMap((lane, index) =>
        readingsOf(lane, (decimal(textAt(lane, 'lane-index')) ?? index) + 1),
      );
      return opticRows(textAt(one, 'name') ?? '', [
        ...(module ? readingsOf(module, undefined) : []),
        ...lanes,
      ]);
    }),
  };
};

/** `show lacp interfaces | display xml|json`. */
export const junosLacp: Reader<LagRow> = (capture) => {
  const found = findEverywhere(documents(capture), 'lacp-interface-information');
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap((one): LagRow[] => {
      const lag = textAt(one, 'lag-lacp-header', 'aggregate-name') ?? '';
      const members = elementsUnder(one, 'lag-lacp-protocol').map((port) =>
        dropAbsent<LagRow>({
          lag,
          member: textAt(port, 'name'),
          memberState: textAt(port, 'lacp-mux-state'),
        }),
      );
      return members.length > 0 ? members : [{ lag }];
    }),
  };
};
