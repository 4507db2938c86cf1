import type { Platform } from '../contracts.ts';
import { nameOfForm } from '../shared/command-lines.ts';
import { junosBundlesText, junosInterfacesText, junosLacpText, junosOpticsText } from './text.ts';
import { junosBundles, junosIndexes, junosInterfaces, junosLacp, junosLldp, junosOptics } from './tree.ts';
import { onOff, upDown } from '../../read/link-words.ts';
import { junosCommits } from './commits.ts';
import { junosChassis, junosMemberWords, junosMinLinks } from './lags.ts';
import { keyedLldp } from '../shared/lldp-keys.ts';
import { statusLines } from '../shared/status-table.ts';
import { lldpTable } from '../shared/lldp-table.ts';

/**
 * Entering and leaving: `exit` from configuration mode leaves nothing behind when nothing is uncommitted. `configure exclusive` refuses
 * when somebody else has changes open (`error: configuration database modified`), and what is uncommitted is dropped when the session ends.
 */
export const configureLines = (...lines: readonly string[]): readonly string[] => [
  'configure exclusive',
  ...lines,
  'exit',
];

/** Junos: XML. */
export const juniperJunos: Platform = {
  id: 'juniper_junos',
  title: 'Junos',
  via: 'cli',
  dialect: {
    prompt: '(?:\\{[a-z0-9:]+\\}\\s*)?[A-Za-z0-9._-]+@[A-Za-z0-9._-]+[>#]\\s*$',
    pagerOff: ['set cli screen-length 0', 'set cli screen-width 511'],
    errors: ['^error:', '^syntax error', 'unknown command', 'missing argument', '^\\s*\\^\\s*$'],
  },
  machineReadable: true,
  ask: {
    counters: ['show interfaces extensive | display xml | no-more'],
    lags: ['show lacp interfaces | display xml | no-more'],
    neighbors: ['show lldp neighbors | display xml | no-more'],
    optics: { all: ['show interfaces diagnostics optics | display xml | no-more'] },
  },
  minLinks: ['show interfaces ae* | match "Physical interface|Minimum links" | no-more'],
  chassis: () => ['show interfaces mc-ae | no-more'],
  // Releases without the mark `rollback pending` tell by the age of the newest commit, for which the device's own clock is needed.
  commits: ['show system commit | display xml | no-more', 'show system uptime | display xml | no-more'],
  tryConfigure: configureLines(),
  nameOf: nameOfForm(/^(?:ge|xe|et)-\d+\/\d+\/\d+(?::\d+)?$/),
  restore: (name) => configureLines(`delete interfaces ${name} disable`, 'commit comment faultline'),
  shutLasts: 'restart',
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
  indexesIn: junosIndexes,
  // `show lacp interfaces` lists no others.
  lacpIn: () => () => true,
  minLinksIn: junosMinLinks,
  chassisIn: junosChassis,
  commitsIn: junosCommits,
};
