import { describe, expect, it } from 'vitest';
import { captureOf } from '../../../probes/switch/read/parse-capture.ts';
import { platformOf } from '../../../probes/switch/platforms/index.ts';
import { changesOf } from '../../../probes/switch/read/link-changes.ts';
import { linesByPort, type PortLine, recordLines } from '../../../probes/switch/read/port-lines.ts';
import { settingsOf } from '../../../probes/switch/read/port-settings.ts';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf } from '../../helpers/judging.ts';

/** As the counters of a platform are read, of a screen and of a document. */
const linesOf = (platform: string, text: string): readonly PortLine[] => {
  const capture = captureOf(`${text}\n`);
  return [...(platformOf(platform)?.portLinesIn?.(capture) ?? linesByPort(capture))];
};

describe('how a port is set', () => {
  it.each([
    [
      'FTOS',
      'TenGigabitEthernet 3/46 is up, line protocol is up\nMTU 12000 bytes\nLineSpeed 10000 Mbit',
      { speedMbps: 10_000, mtu: 12_000 },
    ],
    [
      'IOS',
      'Gi1/0/1 is up\n  MTU 1500 bytes, BW 1000000 Kbit/sec\n  Half-duplex, 1000Mb/s',
      { speedMbps: 1000, mtu: 1500, duplex: 'half' },
    ],
    [
      'NX-OS',
      'Ethernet1/1 is up\n  full-duplex, 25 Gb/s, media type is 25G\n  Auto-Negotiation is turned off FEC mode is Auto\n  admin fec state is auto, oper fec state is Rs-fec',
      { speedMbps: 25_000, duplex: 'full', autoneg: false, fec: 'rs' },
    ],
    [
      'Comware 7',
      'Ten-GigabitEthernet1/0/1\nCurrent state: UP\nMaximum transmission unit: 1500\n10Gbps-speed mode, full-duplex mode\nLink speed type is autonegotiation, link duplex type is autonegotiation\nMaximum frame length: 9216',
      { speedMbps: 10_000, duplex: 'full', autoneg: true, mtu: 9216 },
    ],
    [
      'Comware 5',
      'GigabitEthernet0/0/0 current state: UP\nThe Maximum Transmit Unit is 1500\n1000M, Half, link type is force',
      { speedMbps: 1000, duplex: 'half', autoneg: false },
    ],
    [
      'VRP',
      '10GE1/0/1 current state : UP\nSwitch Port, TPID : 8100(Hex), The Maximum Frame Length is 9216\nSpeed : 10000,  Loopback: NONE\nDuplex: FULL,   Negotiation: DISABLE',
      { speedMbps: 10_000, duplex: 'full', autoneg: false, mtu: 9216 },
    ],
    [
      'OS10',
      'Ethernet 1/1/1 is up\nLineSpeed 100G, Auto-Negotiation on\nFEC is auto, Current FEC is off',
      { speedMbps: 100_000, autoneg: true, fec: 'none' },
    ],
    [
      'Onyx',
      'Eth1/1 (Po21):\n  MTU      : 9216 bytes (Maximum packet size 9238 bytes)\n  Fec : auto\n  Operational Fec : fc-fec\n  Actual speed : 25G\n  Auto-negotiation : Enabled',
      { speedMbps: 25_000, autoneg: true, fec: 'fc', mtu: 9216 },
    ],
    [
      'AOS-CX',
      'Interface 1/1/49 is up\n Full-duplex\n Speed 100000 Mb/s\n Auto-negotiation is off\n Error-control: rs-fec',
      { speedMbps: 100_000, duplex: 'full', autoneg: false, fec: 'rs' },
    ],
    [
      'Junos',
      '<name>xe-0/0/0</name>\n<mtu>9192</mtu>\n<speed>10Gbps</speed>\n<link-partner-duplexity>half-duplex</link-partner-duplexity>',
      { speedMbps: 10_000, mtu: 9192 },
    ],
    [
      'rates of traffic',
      'Ethernet1 is up\n  5 minutes input rate 10 Mbps (0.1% with framing overhead)\n  Input 20.00 Mbits/sec',
      {},
    ],
  ])('%s', (_, text, expected) => {
    expect([...settingsOf(linesOf('', text)).values()]).toEqual([expected]);
  });
});

describe('of a document, whatever its layout and order', () => {
  const eos = {
    interfaces: {
      Ethernet1: {
        duplex: 'duplexFull',
        autoNegotiate: 'off',
        bandwidth: 10_000_000_000,
        mtu: 9214,
        lastStatusChangeTimestamp: 1_600_000_000.5,
        interfaceCounters: { linkStatusChanges: 7, counterRefreshTime: 1_600_000_042.6 },
      },
    },
  };
  const onyx = [
    { 'Actual speed': '40 Gbps', MTU: '9216 bytes(Maximum packet size 9238 bytes)', header: 'Eth1/1' },
    {
      MTU: '1500 bytes',
      'Last change in operational status': '0:01:12 ago (12 oper change)',
      header: 'Eth1/2',
    },
  ];
  const link = [
    { ifname: 'swp1', mtu: 9216 },
    { ifname: 'swp2', mtu: 1500 },
  ];

  it.each([undefined, 4])('EOS, %s blanks', (blanks) => {
    const lines = linesOf('arista_eos', JSON.stringify(eos, undefined, blanks));
    expect([...settingsOf(lines)]).toEqual([
      ['Ethernet1', { speedMbps: 10_000, duplex: 'full', autoneg: false, mtu: 9214 }],
    ]);
    expect([...changesOf(lines)]).toEqual([['Ethernet1', { count: 7n, agoS: 42 }]]);
  });

  it.each([undefined, 4])('Onyx, %s blanks, the name behind the values', (blanks) => {
    const lines = linesOf('mellanox_onyx', JSON.stringify(onyx, undefined, blanks));
    expect([...settingsOf(lines)]).toEqual([
      ['Eth1/1', { speedMbps: 40_000, mtu: 9216 }],
      ['Eth1/2', { mtu: 1500 }],
    ]);
    expect([...changesOf(lines)]).toEqual([['Eth1/2', { count: 12n, agoS: 72 }]]);
  });

  it.each([undefined, 4])('ip -j link, %s blanks', (blanks) => {
    for (const platform of ['linux', 'cumulus'])
      expect([...settingsOf(linesOf(platform, JSON.stringify(link, undefined, blanks)))]).toEqual([
        ['swp1', { mtu: 9216 }],
        ['swp2', { mtu: 1500 }],
      ]);
  });
});

describe('when and how often a link changed', () => {
  it.each([
    [
      'FTOS',
      'TenGigabitEthernet 3/46 is up, line protocol is up\nTime since last interface status change: 00:01:05',
      { agoS: 65 },
    ],
    [
      'FTOS, weeks',
      'TenGigabitEthernet 3/46 is up, line protocol is up\nTime since last interface status change: 1w3d21h',
      { agoS: 939_600 },
    ],
    [
      'OS10',
      'Ethernet 1/1/1 is up, line protocol is up\nTime since last interface status change: 1 weeks 2 days 03:04:05',
      { agoS: 788_645 },
    ],
    [
      'NX-OS',
      'Ethernet1/2 is up\n  Last link flapped 2week(s) 3day(s)\n  Last clearing of "show interface" counters never\n  4 interface resets',
      { agoS: 1_468_800 },
    ],
    [
      'EOS, a screen',
      'Ethernet1 is up, line protocol is up (connected)\n  3 link status changes since last clear',
      { count: 3n },
    ],
    [
      'XR',
      'TenGigE0/0/0/1 is up, line protocol is up\n  Last link flapped 3w4d\n     2 carrier transitions',
      { agoS: 2_160_000, count: 2n },
    ],
    [
      'Junos, XML',
      '<name>xe-0/0/0</name>\n<interface-flapped junos:seconds="95">2026-01-01 00:00:00 UTC (00:01:35 ago)</interface-flapped>',
      { agoS: 95 },
    ],
    [
      'Junos, a screen',
      'Physical interface: xe-0/0/0, Enabled, Physical link is Up\n  Last flapped   : 2015-11-25 09:01:16 UTC (1w1d 01:59 ago)',
      { agoS: 698_340 },
    ],
    [
      'Comware',
      'Ten-GigabitEthernet1/0/1\nCurrent state: UP\nLast link flapping: 0 hours 2 minutes 3 seconds',
      { agoS: 123 },
    ],
    [
      'AOS-CX',
      'Interface 1/1/49 is up\n Link state: up for 14 hours (since Wed Jan 28 18:44:07 GMT 2026)\n Link transitions: 25',
      { agoS: 50_400, count: 25n },
    ],
    [
      'VRP',
      '10GE1/0/1 current state : UP\nLast physical up time   : 2024-02-08 16:30:16\nLast physical down time : 2024-02-08 16:30:03\nCurrent system time: 2024-02-08 16:38:51',
      { agoS: 515 },
    ],
    [
      'Onyx, a screen',
      'Eth1/4 (Po7):\n  Last change in operational status: 71d and 13:19:53 ago (3 oper change)',
      { agoS: 6_182_393, count: 3n },
    ],
  ])('%s', (_, text, expected) => {
    expect([...changesOf(linesOf('', text)).values()]).toEqual([expected]);
  });

  it.each([
    [
      'one that never changed',
      '<name>xe-0/0/0</name>\n<interface-flapped seconds="0">Never</interface-flapped>',
    ],
    ['Comware that never did', 'Ten-GigabitEthernet1/0/1\nCurrent state: UP\nLast link flapping: Never'],
    [
      'VRP that was never up',
      '10GE1/0/1 current state : DOWN\nLast physical up time   : -\nLast physical down time : -\nCurrent system time: 2024-02-08 16:38:51',
    ],
    [
      'NX-OS whose link never changed, reset or not',
      'Ethernet1/2 is up\n  Last link flapped never\n  5 interface resets',
    ],
    [
      'IOS, which counts its resets alone',
      'GigabitEthernet0/1 is up, line protocol is up\n     0 output errors, 0 collisions, 7 interface resets',
    ],
    ['other times', 'Ethernet1 is up, line protocol is up\n  Last input 00:00:01, output never\n  Up 6 days'],
  ])('nothing is told of %s', (_, text) => {
    expect([...changesOf(linesOf('', text))]).toEqual([]);
  });
});

describe('a reading of ports', () => {
  const read = (platform: string, stdout: string) => {
    const host = { name: 'spine2', roles: ['switch'], platform };
    return readCounters(answerOf(stdout), host as never, siteOf([host as never])).value.ports;
  };

  it('holds how often and when the link changed', () => {
    const [port] = read(
      'juniper_junos',
      '<rpc-reply><interface-information><physical-interface>\n<name>xe-0/0/0</name>\n<oper-status>up</oper-status>\n<interface-flapped junos:seconds="95">2026-01-01 00:00:00 UTC (00:01:35 ago)</interface-flapped>\n<output-error-list><carrier-transitions>7</carrier-transitions></output-error-list>\n</physical-interface></interface-information></rpc-reply>\n',
    );
    expect(port?.changedAgoS).toBe(95);
    expect(port?.counts['linkTransitions']).toBe(7n);
  });

  it('of IOS counts no reset as a change of the link', () => {
    const [port] = read(
      'cisco_ios',
      'GigabitEthernet0/1 is up, line protocol is up (connected)\n     91 packets input, 9100 bytes, 0 no buffer\n     5 input errors, 5 CRC, 0 frame, 0 overrun, 0 ignored\n     90 packets output, 9000 bytes, 0 underruns\n     0 output errors, 0 collisions, 7 interface resets\n',
    );
    expect(port?.counts['rxCrc']).toBe(5n);
    expect(port?.counts['linkTransitions']).toBeUndefined();
  });

  it('passes over values that no line of a device is as long as', () => {
    const long = '9'.repeat(80_000);
    const record = { name: 'Ethernet1', lastStatusChangeTimestamp: long, mtu: 9214, linkChange: long };
    const lines = [...recordLines([['Ethernet1', record]])];
    expect([...changesOf(lines)]).toEqual([]);
    expect([...settingsOf(lines)]).toEqual([['Ethernet1', { mtu: 9214 }]]);
  });

  it('says nothing of it where the device does not', () => {
    const [port] = read(
      'linux',
      JSON.stringify([{ ifname: 'eth0', operstate: 'UP', mtu: 9000, stats64: {} }]),
    );
    expect(port).toMatchObject({ port: 'eth0', mtu: 9000 });
    expect(port?.changedAgoS).toBeUndefined();
    expect(port?.counts).toEqual({});
  });
});
