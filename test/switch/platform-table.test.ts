import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../probes/switch/platforms/index.ts';
import type { Platform } from '../../probes/switch/platforms/contracts.ts';
import { changeOf } from '../../probes/switch/platforms/shut.ts';
import { captureOf, type Capture } from '../../probes/switch/read/parse-capture.ts';
import { linesByPort } from '../../probes/switch/read/port-lines.ts';
import { settingsOf, type PortSettings } from '../../probes/switch/read/port-settings.ts';

/**
 * What README says of each platform, made from what the platform's own code does with output: its captures here, and below what none of
 * them happens to print (excerpts in the vendors' layouts, each with its settings in test/switch/system/port-settings.test.ts).
 */
const printed: Readonly<Record<string, readonly string[]>> = {
  arista_eos: [
    '{"interfaces": {"Ethernet1": {"name": "Ethernet1", "duplex": "duplexFull", "autoNegotiate": "off", "bandwidth": 10000000000, "mtu": 9214}}}',
  ],
  cumulus: ['[{"ifname": "swp1", "mtu": 9216}]'],
  cisco_ios: ['Gi1/0/1 is up\n  MTU 1500 bytes, BW 1000000 Kbit/sec\n  Half-duplex, 1000Mb/s'],
  cisco_nxos: ['Ethernet1/1 is up\n  admin fec state is auto, oper fec state is Rs-fec'],
  cisco_xr: [
    'TenGigE0/0/0/1 is up\n  MTU 9216 bytes, BW 10000000 Kbit\n  Full-duplex, 10000Mb/s, SR, link type is force-up',
  ],
  brocade_fastiron: [
    '10GigabitEthernet1/1/1 is up, line protocol is up\n  Configured speed auto, actual 1Gbit, configured duplex fdx, actual fdx\n  MTU 9216 bytes',
  ],
  dell_os10: ['Ethernet 1/1/1 is up\nLineSpeed 100G, Auto-Negotiation on\nFEC is auto, Current FEC is off'],
  huawei_vrp: [
    '10GE1/0/1 current state : UP\nSwitch Port, TPID : 8100(Hex), The Maximum Frame Length is 9216\nSpeed : 10000,  Loopback: NONE\nDuplex: FULL,   Negotiation: DISABLE',
  ],
  juniper_junos: [
    'Physical interface: ge-0/0/0, Enabled, Physical link is Up\n  Link-level type: Ethernet, MTU: 1514, LAN-PHY mode, Link-mode: Full-duplex, Speed: 1000mbps, Auto-negotiation: Enabled,',
  ],
  mellanox_onyx: [
    'Eth1/1 (Po21):\n  MTU      : 9216 bytes (Maximum packet size 9238 bytes)\n  Operational Fec : fc-fec\n  Actual speed : 25G\n  Auto-negotiation : Enabled',
  ],
  sonic: [
    '  Interface    Auto-Neg Mode    Speed    Adv Speeds    Rmt Adv Speeds    Type    Adv Types    Oper    Admin\n-----------  ---------------  -------  ------------  ----------------  ------  -----------  ------  -------\n  Ethernet0          enabled     100G           all              100G     CR4          CR4      up       up',
  ],
};

/** `ethtool NAME`, `ethtool --show-fec NAME`. */
const ethtool =
  'Settings for p1:\n\tSpeed: 25000Mb/s\n\tDuplex: Full\n\tAuto-negotiation: off\n\tLink detected: yes\nActive FEC encoding: RS'.split(
    '\n',
  );

const own = join(import.meta.dirname, 'captures');

const textsOf = (id: string): readonly string[] => {
  const folder = join(own, id);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return [
    ...files
      .filter((name) => name.startsWith('counters__') && !name.endsWith('.expected.json'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
    ...(printed[id] ?? []),
  ];
};

const settingsIn = (platform: Platform, capture: Capture): readonly PortSettings[] => [
  ...(
    platform.settingsIn?.(capture) ??
    settingsOf([...(platform.portLinesIn?.(capture) ?? linesByPort(capture))])
  ).values(),
  ...(platform.settingsTold?.(capture).values() ?? []),
];

const words: readonly (readonly [keyof PortSettings, string])[] = [
  ['speedMbps', 'speed'],
  ['duplex', 'duplex'],
  ['fec', 'FEC'],
  ['mtu', 'MTU'],
  ['autoneg', 'autonegotiation'],
];

const settingsCell = (platform: Platform): string => {
  const seen = [
    ...textsOf(platform.id).flatMap((text) => settingsIn(platform, captureOf(`${text}\n`, ''))),
    ...(platform.portSettingsTold ? [platform.portSettingsTold(ethtool, 'p1') ?? {}] : []),
  ];
  const told = words.filter(([key]) => seen.some((one) => one[key] !== undefined));
  return told.length === 0 ? 'none' : told.map(([, word]) => word).join(', ');
};

/** Ports as platforms name them. */
const names = ['eth1/1', 'eth1/1/1', 'te0/1', 'xe-0/0/1', 'swp1', 'eth1'];

/** Whether a port is shut, and what brings it back unless it is kept. */
const shutCells = (platform: Platform): readonly [string, string] => {
  const timer = 'a timer on `undoHost`';
  if (platform.fabric) return ['by GUID', timer];
  const name = names.flatMap((port) => platform.nameOf(port) ?? [])[0];
  const change = name === undefined ? undefined : changeOf(platform, name);
  if (!change) return ['no', ''];
  const armed = change.confirmed?.shut(120, 'one').join('\n');
  const device = /commit (?:timer|confirmed)/.exec(armed ?? '')?.[0];
  expect(device !== undefined || change.look !== undefined, platform.id).toBe(true);
  return [platform.minLinks ? 'yes' : 'with a typed reason', device === undefined ? timer : `\`${device}\``];
};

const opticsCell = ({ ask: { optics } }: Platform): string =>
  optics === undefined ? 'no' : 'all' in optics ? 'yes' : 'port by port';

const rowOf = (platform: Platform): string => {
  const { id, via, fabric, memberWords, standingsIn, ask } = platform;
  const read = via === 'cli' ? 'shell channel' : fabric ? 'a host of the fabric' : 'Linux shell';
  const states = ask.lags !== undefined && (memberWords ?? standingsIn) !== undefined ? 'yes' : 'no';
  return [
    `\`${id}\``,
    read,
    opticsCell(platform),
    settingsCell(platform),
    states,
    ...shutCells(platform),
  ].join(' | ');
};

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const block = /<!-- platforms -->\n([\s\S]*?)<!-- \/platforms -->/.exec(readme)?.[1] ?? '';
const stated = new Map(
  block
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [cells[0]?.replaceAll('`', '') ?? '', cells.join(' | ')];
    }),
);

describe('the table of platforms in README', () => {
  it.each(platforms.map((platform) => [platform.id, platform] as const))(
    '%s does what is said of it',
    (id, platform) => {
      expect(stated.get(id)).toBe(rowOf(platform));
    },
  );

  it('names no other one', () => {
    expect([...stated.keys()].toSorted()).toEqual(platforms.map(({ id }) => id).toSorted());
  });
});
