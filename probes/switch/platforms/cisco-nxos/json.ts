import type { Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { valueAt, toList, textOf, type Json } from '../../read/parse-json.ts';
import { neighborRow } from '../../read/parse-neighbors.ts';
import { limitIn, opticRows, readingIn, type Reading } from '../../read/parse-optics.ts';
import { count, decimal, text } from '../../read/parse-values.ts';
import {
  dropAbsent,
  type LagRow,
  type NeighborRow,
  type OpticRow,
  type PortRow,
  type ReadingName,
} from '../../read/rows.ts';

/** NX-API keys of counters (`show interface`, `counters detailed`, `counters errors`). */
const keys: Readonly<Record<string, string>> = {
  eth_inpkts: 'rxPackets',
  eth_inucast: 'rxPacketsUnicast',
  eth_inbytes: 'rxBytes',
  eth_outpkts: 'txPackets',
  eth_outucast: 'txPacketsUnicast',
  eth_outbytes: 'txBytes',
  mgmt_in_pkts: 'rxPackets',
  mgmt_in_bytes: 'rxBytes',
  mgmt_out_pkts: 'txPackets',
  mgmt_out_bytes: 'txBytes',
  vdc_lvl_in_pkts: 'rxPackets',
  vdc_lvl_in_bytes: 'rxBytes',
  vdc_lvl_in_ucast: 'rxPacketsUnicast',
  vdc_lvl_out_pkts: 'txPackets',
  vdc_lvl_out_bytes: 'txBytes',
  vdc_lvl_out_ucast: 'txPacketsUnicast',
  eth_inerr: 'rxErrors',
  eth_rcv_err: 'rxErrors',
  eth_rxerr: 'rxErrors',
  eth_outerr: 'txErrors',
  eth_xmit_err: 'txErrors',
  eth_crc: 'rxCrc',
  eth_fcs_err: 'rxCrc',
  eth_align_err: 'rxAlignment',
  eth_stomped_crc: 'rxStompedCrc',
  eth_symbol_err: 'rxSymbol',
  eth_undersize: 'rxUndersize',
  eth_runts: 'rxRunts',
  eth_giants: 'rxGiants',
  eth_overrun: 'rxOverrun',
  eth_indiscard: 'rxDiscards',
  eth_indisc: 'rxDiscards',
  eth_outdiscard: 'txDiscards',
  eth_outdisc: 'txDiscards',
  eth_coll: 'txCollisions',
  eth_single_col: 'singleCollisions',
  eth_multi_col: 'multipleCollisions',
  eth_latecoll: 'txLateCollisions',
  eth_late_col: 'txLateCollisions',
  eth_lostcarrier: 'lostCarrier',
  loop_in_pkts: 'rxPackets',
  loop_in_bytes: 'rxBytes',
  loop_in_errors: 'rxErrors',
  loop_out_pkts: 'txPackets',
  loop_out_bytes: 'txBytes',
  loop_out_errors: 'txErrors',
};

/** Rows of a `TABLE_x`, which is an object, or a list of them, with a `ROW_x` that is a list only when there are several. */
export const nxosRows = (value: Json | undefined, name: string): readonly Json[] =>
  toList(valueAt(value, `TABLE_${name}`)).flatMap((table) => toList(valueAt(table, `ROW_${name}`)));

const word = (value: Json | undefined, ...names: readonly string[]): string | undefined =>
  names.map((name) => text(textOf(valueAt(value, name)))).find((one) => one !== undefined);

const portOf = (row: Json): string | undefined => word(row, 'interface', 'interface_rx', 'interface_tx');

/** `show interface | json` and its counter tables; several entries of one port are joined. */
export const nxosInterfacesJson: Reader<PortRow> = (capture) => {
  const found = ['interface', 'rx_counters', 'tx_counters']
    .flatMap((name) => nxosRows(capture.json(), name))
    .filter((row) => portOf(row) !== undefined);
  if (found.length === 0) return undefined;
  const ports = new Map<string, Record<string, string | bigint>>();
  for (const row of found) {
    const port = portOf(row) ?? '';
    const counts: Record<string, bigint> = {};
    for (const [key, name] of Object.entries(keys)) put(counts, name, count(textOf(valueAt(row, key))));
    const states = dropAbsent({
      admin: word(row, 'admin_state'),
      link: word(row, 'state', 'svi_admin_state'),
      protocol: word(row, 'svi_line_proto'),
      memberOf: word(row, 'eth_bundle'),
      lastClear: word(row, 'eth_clear_counters'),
    });
    ports.set(port, { ...states, ...counts, ...ports.get(port) });
  }
  return { rows: [...ports].map(([port, values]) => ({ port, ...values })) };
};

/** `show port-channel summary | json`. */
export const nxosPortChannelsJson: Reader<LagRow> = (capture) => {
  const found = nxosRows(capture.json(), 'channel').filter((row) => word(row, 'port-channel') !== undefined);
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap((row): LagRow[] => {
      const lag = dropAbsent<LagRow>({
        lag: word(row, 'port-channel') ?? '',
        lagState: word(row, 'status'),
        protocol: word(row, 'prtcl'),
      });
      const members = nxosRows(row, 'member').flatMap((member) => {
        const port = word(member, 'port');
        return port === undefined
          ? []
          : [dropAbsent<LagRow>({ ...lag, member: port, memberState: word(member, 'port-status') })];
      });
      return members.length > 0 ? members : [lag];
    }),
  };
};

/** `show lldp neighbors [detail] | json`. */
export const nxosLldpJson: Reader<NeighborRow> = (capture) => {
  const json = capture.json();
  const found = [...nxosRows(json, 'nbor'), ...nxosRows(json, 'nbor_detail')];
  if (found.length === 0) return undefined;
  return {
    rows: found.map((row) => {
      const description = word(row, 'port_desc');
      const id = word(row, 'port_id');
      return neighborRow({
        localPort: word(row, 'l_port_id'),
        neighbor:
          word(row, 'sys_name', 'chassis_id_sys_name') ??
          (description === undefined ? word(row, 'chassis_id') : undefined),
        ...(valueAt(row, 'sys_name') === undefined ? { port: id } : { portId: id }),
        portDesc: description,
        chassisId: valueAt(row, 'sys_name') === undefined ? undefined : word(row, 'chassis_id'),
      });
    }),
  };
};

const moduleReadings = (row: Json, lane: number | undefined): Reading[] =>
  ['temp', 'temperature', 'voltage', 'volt', 'current', 'tx_pwr', 'rx_pwr'].flatMap((prefix) => {
    const about = readingIn(prefix.replace('_pwr', ' power'));
    const name = (about === 'rx' ? 'rxDbm' : about === 'tx' ? 'txDbm' : about) as ReadingName;
    return ['', '_alrm_hi', '_alrm_lo', '_warn_hi', '_warn_lo'].flatMap((suffix): Reading[] => {
      const value = decimal(textOf(valueAt(row, `${prefix}${suffix}`)));
      const limit = limitIn(suffix.replaceAll('_', ' ').replace(/ (hi|lo)$/, '_$1'));
      if (value === undefined || (suffix !== '' && !limit)) return [];
      const reading = { name, value, ...(limit ? { limit } : {}) };
      // Temperature and voltage are the module's: some releases print them with its first lane only.
      const shared = name === 'tempC' || name === 'voltageV' ? [reading] : [];
      return lane === undefined ? [reading] : [{ ...reading, lane }, ...shared];
    });
  });

/** `show interface transceiver details | json`. */
export const nxosTransceiversJson: Reader<OpticRow> = (capture) => {
  const found = nxosRows(capture.json(), 'interface').filter(
    (row) => word(row, 'interface') !== undefined && valueAt(row, 'sfp') !== undefined,
  );
  if (found.length === 0) return undefined;
  return {
    rows: found.flatMap((row) => {
      const lanes = nxosRows(row, 'lane');
      const numbers = lanes.map((lane) => decimal(word(lane, 'lane_number')));
      const readings = lanes.flatMap((lane, index) => moduleReadings(lane, numbers[index]));
      return opticRows(
        word(row, 'interface') ?? '',
        [...moduleReadings(row, undefined), ...readings],
        numbers.filter((one) => one !== undefined),
      );
    }),
  };
};
