import type { Platform } from '../contracts.ts';
import { ciscoLldpDetail, ciscoLldpTable } from '../shared/cisco-lldp.ts';
import { counterTables } from '../shared/counter-tables.ts';
import { nxosInterfaces } from '../shared/interfaces-text.ts';
import { lacpNeighbors, portChannelTable } from '../shared/port-channels.ts';
import { interfacesStatus } from '../shared/status-table.ts';
import { ciscoWords, onOff } from '../shared/words.ts';
import { nxosAsk } from './ask.ts';
import { nxosInterfacesJson, nxosLldpJson, nxosPortChannelsJson, nxosTransceiversJson } from './json.ts';
import { nxosChassis, nxosMemberWords, nxosMinLinks } from './lags.ts';
import { nxosTransceivers } from './optics.ts';
import { nxosPortLines, nxosSettings } from './settings.ts';

export const ciscoNxos: Platform = {
  ...nxosAsk,
  readers: {
    counters: [nxosInterfacesJson, nxosInterfaces, counterTables, interfacesStatus],
    lags: [nxosPortChannelsJson, portChannelTable, lacpNeighbors],
    neighbors: [nxosLldpJson, ciscoLldpDetail, ciscoLldpTable],
    optics: [nxosTransceiversJson, nxosTransceivers],
  },
  linkWords: { link: { ...ciscoWords, 'down (Administratively down)': 'shut' }, admin: onOff },
  memberWords: nxosMemberWords,
  portLinesIn: nxosPortLines,
  settingsIn: nxosSettings,
  minLinksIn: nxosMinLinks,
  chassisIn: nxosChassis,
};
