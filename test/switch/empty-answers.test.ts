import { describe, expect, it } from 'vitest';
import { platforms } from '../../probes/switch/platforms/index.ts';
import { switchFormats } from '../../probes/switch/read/formats.ts';
import { captureOf } from '../../probes/switch/read/parse-capture.ts';
import { NotThisFormat } from '../../src/model/errors.ts';

const read = (platform: string, kind: string, stdout: string): unknown =>
  switchFormats[`switch.${kind}`]?.({ stdout, platform });

const reply = (inner: string): string =>
  `<rpc-reply xmlns:junos="http://xml.juniper.net/junos/18.4R1/junos">\n${inner}    <cli>\n        <banner>{master:0}</banner>\n    </cli>\n</rpc-reply>\n`;

const legend = [
  'Loadsharing Type: Shar -- Loadsharing, NonS -- Non-Loadsharing',
  'Port Status: S -- Selected, U -- Unselected, I -- Individual',
  'Flags:  A -- LACP_Activity, B -- LACP_Timeout, C -- Aggregation,',
  '        G -- Defaulted, H -- Expired',
].join('\n');

describe('an empty table is an answer', () => {
  it.each([
    // The warning that the Junos CLI reference names under `show lacp interfaces`.
    ['juniper_junos', 'lags', 'warning: lacp subsystem not running - not needed by configuration.\n'],
    [
      'juniper_junos',
      'lags',
      reply(
        '    <output>\n        warning: lacp subsystem not running - not needed by configuration.\n    </output>\n',
      ),
    ],
    [
      'juniper_junos',
      'lags',
      reply('    <lacp-interface-information-list xmlns="x">\n    </lacp-interface-information-list>\n'),
    ],
    ['juniper_junos', 'lags', reply('')],
    [
      'juniper_junos',
      'optics',
      reply('    <interface-information xmlns="x" junos:style="normal">\n    </interface-information>\n'),
    ],
    // The legend stands above all groups (HPE 5700, Layer 2 - LAN switching command reference).
    ['hpe_comware', 'lags', `${legend}\n`],
    ['mellanox_onyx', 'lags', '{}\n'],
    ['mellanox_onyx', 'lags', '[]\n'],
    ['mellanox_onyx', 'lags', '{\n    "Flags": {"D": "Down", "P": "Up in port-channel (members)"}\n}\n'],
    ['mellanox_onyx', 'neighbors', '{}\n'],
    ['arista_eos', 'neighbors', '{"lldpNeighbors": []}\n'],
    [
      'cisco_ios',
      'lags',
      'Number of channel-groups in use: 0\nNumber of aggregators:           0\n\nGroup  Port-channel  Protocol    Ports\n------+-------------+-----------+------\n',
    ],
    ['cisco_nxos', 'neighbors', 'Capability codes:\n  (R) Router\nTotal entries displayed: 0\n'],
  ])('%s, %s: %j', (platform, kind, stdout) => {
    expect(read(platform, kind, stdout)).toEqual({ rows: [] });
  });
});

describe('what says nothing is none', () => {
  it.each([
    ['nothing', 'juniper_junos', 'lags', ''],
    ['nothing', 'mellanox_onyx', 'lags', '\n'],
    ['cut', 'juniper_junos', 'lags', '<rpc-reply>\n    <lacp-interface-information-list>\n'],
    ['cut', 'mellanox_onyx', 'lags', '{\n'],
    ['cut', 'hpe_comware', 'lags', legend],
    [
      'something else',
      'juniper_junos',
      'lags',
      reply(
        '    <interface-information>\n<physical-interface><name>xe-0/0/0</name></physical-interface></interface-information>\n',
      ),
    ],
    [
      'a legend beside something else',
      'mellanox_onyx',
      'lags',
      '{"Flags": {"D": "Down"}, "State": "busy"}\n',
    ],
    ['something else', 'mellanox_onyx', 'lags', '{"Eth1/1": {"Admin state": "Enabled"}}\n'],
    ['a document of a device that prints none', 'dell_ftos', 'lags', '{}\n'],
    ['a device without ports', 'arista_eos', 'counters', '{}\n'],
    ['a device without ports', 'juniper_junos', 'counters', reply('')],
  ])('%s: %s %s', (_, platform, kind, stdout) => {
    expect(() => read(platform, kind, stdout)).toThrow(NotThisFormat);
  });
});

describe('members of a LAG of Junos that uses no LACP', () => {
  const bundles = platforms.find(({ id }) => id === 'juniper_junos')?.bundlesIn;

  it('stand in the units of the ports', () => {
    const unit = (port: string, family: string): string =>
      `<physical-interface><name>${port}</name><oper-status>up</oper-status><logical-interface><name>${port}.0</name><address-family>${family}</address-family></logical-interface></physical-interface>`;
    const text = reply(
      `<interface-information>${unit('xe-0/0/1', '<address-family-name>aenet</address-family-name><ae-bundle-name>ae3.0</ae-bundle-name>')}${unit('xe-0/0/2', '<address-family-name>inet</address-family-name>')}</interface-information>\n`,
    );
    expect([...(bundles?.(captureOf(text)) ?? [])]).toEqual([['xe-0/0/1', 'ae3']]);
  });

  it('and in the text', () => {
    const text = [
      'Physical interface: xe-0/0/1, Enabled, Physical link is Up',
      '  Logical interface xe-0/0/1.0 (Index 332) (SNMP ifIndex 550)',
      '    Flags: Up SNMP-Traps 0x4000 Encapsulation: ENET2',
      '    Protocol aenet, AE bundle: ae3.0   Link Index: 0',
      '  Logical interface xe-0/0/2.0 (Index 333) (SNMP ifIndex 551)',
      '    Protocol inet, MTU: 1500',
    ].join('\n');
    expect([...(bundles?.(captureOf(`${text}\n`)) ?? [])]).toEqual([['xe-0/0/1', 'ae3']]);
  });
});
