import type { Platform } from '../contracts.ts';
import { ciscoLldpDetail, ciscoLldpTable } from '../shared/cisco-lldp.ts';
import { counterTables } from '../shared/counter-tables.ts';
import { nxosInterfaces } from '../shared/interfaces-text.ts';
import { lacpNeighbors, portChannelTable } from '../shared/port-channels.ts';
import { interfacesStatus } from '../shared/status-table.ts';
import { ciscoWords, onOff } from '../../read/link-words.ts';
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
  // `show lldp neighbors detail` beside one Nexus 9000: 5087.89a1.d8d6 on its Ethernet1/1, 5087.89a1.d8d7 on its Ethernet1/2. Only from
  // 10.2(3)F on may it be told to announce one (`lldp chassis-id switch`), and by default it does not.
  chassisPerPort: true,
};
