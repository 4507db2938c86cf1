import type { Platform } from '../contracts.ts';
import { ciscoDialect, insideInterface, nameByKind } from '../shared/command-lines.ts';
import { ciscoLldpDetail, ciscoLldpTable } from '../shared/cisco-lldp.ts';
import { counterTables } from '../shared/counter-tables.ts';
import { nxosInterfaces } from '../shared/interfaces-text.ts';
import { lacpNeighbors, portChannelTable } from '../shared/port-channels.ts';
import { interfacesStatus } from '../shared/status-table.ts';
import { ciscoWords, onOff } from '../../read/link-words.ts';
import { nxosInterfacesJson, nxosLldpJson, nxosPortChannelsJson, nxosTransceiversJson } from './json.ts';
import { nxosChassis, nxosMemberWords, nxosMinLinks } from './lags.ts';
import { nxosTransceivers } from './optics.ts';
import { nxosPortLines, nxosSettings } from './settings.ts';

/** Cisco NX-OS: JSON. Nexus 3000 and 9000 switch cut-through by default. */
export const ciscoNxos: Platform = {
  id: 'cisco_nxos',
  title: 'Cisco NX-OS',
  via: 'cli',
  dialect: ciscoDialect('[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:.-]+\\))?[>#]\\s*$'),
  machineReadable: true,
  cutThrough: true,
  ask: {
    counters: ['show interface | json'],
    lags: ['show port-channel summary'],
    neighbors: ['show lldp neighbors detail'],
    optics: { all: ['show interface transceiver details | json'] },
  },
  minLinks: ['show running-config | include "^interface port-channel|min-links"'],
  chassis: () => ['show feature | include vpc', 'show vpc brief'],
  nameOf: nameByKind({ eth: 'Ethernet' }),
  restore: insideInterface('no shutdown'),
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
