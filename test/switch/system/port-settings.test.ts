import { describe, expect, it } from 'vitest';
import { captureOf } from '../../../probes/switch/read/parse-capture.ts';
import { settingsIn } from '../../../probes/switch/read/port-settings.ts';

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
      'EOS',
      '   "Ethernet1": {\n  "duplex": "duplexFull",\n "bandwidth": 10000000000,\n "mtu": 9214,',
      { speedMbps: 10_000, duplex: 'full', mtu: 9214 },
    ],
    [
      'OS10',
      'Ethernet 1/1/1 is up\nLineSpeed 100G, Auto-Negotiation on\nFEC is auto, Current FEC is off',
      { speedMbps: 100_000, autoneg: true, fec: 'none' },
    ],
    [
      'Onyx',
      'Eth1/1:\n  Fec : auto\n  Operational Fec : fc-fec\n  Actual speed : 25G\n  Auto-negotiation : Enabled',
      { speedMbps: 25_000, autoneg: true, fec: 'fc' },
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
    expect([...settingsIn(captureOf(`${text}\n`)).values()]).toEqual([expected]);
  });
});
