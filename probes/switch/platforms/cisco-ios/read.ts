import type { Platform } from '../contracts.ts';
import { ciscoLldpDetail, ciscoLldpTable } from '../shared/cisco-lldp.ts';
import { counterTables } from '../shared/counter-tables.ts';
import { ciscoInterfaces } from '../shared/interfaces-text.ts';
import { lacpNeighbors, portChannelTable } from '../shared/port-channels.ts';
import { readOnlyPlatform } from '../shared/command-lines.ts';
import { interfacesStatus } from '../shared/status-table.ts';
import { transceiverTables } from '../shared/transceiver-tables.ts';
import { ciscoWords } from '../../read/link-words.ts';

export const ciscoIos: Platform = {
  ...readOnlyPlatform(
    { id: 'cisco_ios', title: 'Cisco IOS', pagerOff: 'terminal length 0' },
    {
      counters: ['show interfaces'],
      lags: ['show etherchannel summary'],
      neighbors: ['show lldp neighbors detail'],
      optics: { all: ['show interfaces transceiver detail'] },
    },
  ),
  // Catalyst switches count healthy jumbo frames as giants (Cisco, "Configuring Jumbo/Giant Frame Support", giants).
  giantsAreJumbo: true,
  readers: {
    counters: [ciscoInterfaces, counterTables, interfacesStatus],
    lags: [portChannelTable, lacpNeighbors],
    neighbors: [ciscoLldpDetail, ciscoLldpTable],
    optics: [transceiverTables],
  },
  linkWords: { link: { ...ciscoWords, reset: 'down' } },
  // The legend above `show etherchannel summary`; `f` and `M` there are a port-channel's.
  memberWords: {
    P: 'working',
    D: 'down',
    I: 'individual',
    H: 'standby',
    s: 'suspended',
    u: 'unfit',
    w: 'negotiating',
    m: 'unfit',
    d: 'unfit',
  },
};
