import type { Platform } from '../contracts.ts';
import { junosBundlesText, junosInterfacesText, junosLacpText, junosOpticsText } from './text.ts';
import { junosBundles, junosIndexes, junosInterfaces, junosLacp, junosLldp, junosOptics } from './tree.ts';
import { onOff, upDown } from '../../read/link-words.ts';
import { junosAsk } from './ask.ts';
import { junosCommits } from './commits.ts';
import { junosChassis, junosMemberWords, junosMinLinks } from './lags.ts';
import { keyedLldp } from '../shared/lldp-keys.ts';
import { statusLines } from '../shared/status-table.ts';
import { lldpTable } from '../shared/lldp-table.ts';

export const juniperJunos: Platform = {
  ...junosAsk,
  // Media MTU: 1514 of a default port (Junos interfaces guide, "Media MTU and protocol MTU").
  mtuHead: 14,
  // Frames over a threshold of the interface, not over its MTU (Junos interfaces guide, input errors).
  giantsAreJumbo: true,
  readers: {
    counters: [
      junosInterfaces,
      junosInterfacesText,
      statusLines(/^Interface\s+Admin\s+Link\s/i, /^(?<port>\S+)\s+(?<admin>up|down)\s+(?<link>up|down)\b/i),
    ],
    lags: [junosLacp, junosLacpText],
    neighbors: [
      junosLldp,
      keyedLldp({
        begins: /^\s*LLDP Neighbor Information:/i,
        localPort: /^Local Interface$/i,
        neighbor: /^System name$/i,
        portId: /^Port ID$/i,
        portDesc: /^Port description$/i,
        chassisId: /^Chassis ID$/i,
      }),
      lldpTable(/^\s*Local Interface\s+(?:Parent Interface\s+)?Chassis Id.*Port info/i, {
        local: /^local interface/,
        neighbor: /^system name/,
        port: /^port info/,
        chassisId: /^chassis id/,
        header: ['Local Interface', 'Parent Interface', 'Chassis Id', 'Port info', 'System Name'],
      }),
    ],
    optics: [junosOptics, junosOpticsText],
  },
  linkWords: {
    link: { ...upDown, Up: 'up', Down: 'down' },
    admin: { ...onOff, Enabled: 'on', 'Administratively down': 'off', Disabled: 'off' },
  },
  // `show lacp interfaces`, where no LAG uses LACP (Junos CLI reference).
  saysNone: { lags: /lacp subsystem not running/i },
  bundlesIn: (capture) => new Map([...junosBundlesText(capture), ...junosBundles(capture)]),
  memberWords: junosMemberWords,
  // `show lacp interfaces` lists no others.
  indexesIn: junosIndexes,
  lacpIn: () => () => true,
  minLinksIn: junosMinLinks,
  chassisIn: junosChassis,
  commitsIn: junosCommits,
};
