import type { PlatformReaders } from '../parse-capture.ts';
import { counterTables } from '../parse-counter-tables.ts';
import { interfacesText } from '../parse-interfaces.ts';
import { eosInterfacesJson, eosLldpJson, eosPortChannelsJson, eosTransceiversJson } from './arista-json.ts';
import { transceiverTables } from './cisco-optics.ts';
import { keyedLldp } from './shared-lldp-keys.ts';
import { lldpTable } from './shared-lldp-table.ts';
import { interfacesStatus } from './shared-status-table.ts';
import { portChannelTable } from './shared-port-channels.ts';

export const aristaEos: PlatformReaders = {
  counters: [eosInterfacesJson, interfacesText, counterTables, interfacesStatus],
  lags: [eosPortChannelsJson, portChannelTable],
  neighbors: [
    eosLldpJson,
    keyedLldp({
      port: /^\s*Interface (\S+) detected (\d+) LLDP neighbors:$/i,
      begins: /^\s*Neighbor \S+.*, age /i,
      ends: /^\s*- IEEE802\./i,
      neighbor: /^System Name$/i,
      portId: /^Port ID$/i,
      portDesc: /^Port Description$/i,
      chassisId: /^Chassis ID$/i,
    }),
    lldpTable(/^Port\s+Neighbor Device ID/i, {
      local: /^port/,
      neighbor: /^neighbor device id/,
      port: /^neighbor port id/,
    }),
  ],
  optics: [eosTransceiversJson, transceiverTables],
};
