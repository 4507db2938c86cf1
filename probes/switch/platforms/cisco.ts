import type { PlatformReaders } from '../parse-capture.ts';
import { counterTables } from '../parse-counter-tables.ts';
import { interfacesText } from '../parse-interfaces.ts';
import { ciscoLldpDetail, ciscoLldpTable } from './cisco-lldp.ts';
import { lacpNeighbors } from './cisco-nxos-lacp.ts';
import {
  nxosInterfacesJson,
  nxosLldpJson,
  nxosPortChannelsJson,
  nxosTransceiversJson,
} from './cisco-nxos-json.ts';
import { nxosTransceivers, transceiverTables } from './cisco-optics.ts';
import { interfacesStatus } from './shared-status-table.ts';
import { portChannelTable } from './shared-port-channels.ts';

export const ciscoIos: PlatformReaders = {
  counters: [interfacesText, counterTables, interfacesStatus],
  lags: [portChannelTable, lacpNeighbors],
  neighbors: [ciscoLldpDetail, ciscoLldpTable],
  optics: [transceiverTables],
};

export const ciscoNxos: PlatformReaders = {
  counters: [nxosInterfacesJson, interfacesText, counterTables, interfacesStatus],
  lags: [nxosPortChannelsJson, portChannelTable, lacpNeighbors],
  neighbors: [nxosLldpJson, ciscoLldpDetail, ciscoLldpTable],
  optics: [nxosTransceiversJson, nxosTransceivers],
};
