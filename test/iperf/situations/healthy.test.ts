import { describe, expect, it } from 'vitest';
import type { FactsReading, IperfRun } from '../../../probes/iperf/readings.ts';
import { G, M, run, seen } from '../tests-of-hosts.ts';

/** Hosts of releases and NICs as they stand side by side in a site. */
const hosts: Readonly<Record<string, Partial<FactsReading>>> = {
  '1 GbE of old nodes': {
    speedMbps: 1000,
    supportedMbps: 1000,
    duplex: 'full',
    kernel: '2.6.32-754.el6.x86_64',
    mtu: 1500,
    rmemMax: 6_291_456,
    wmemMax: 4_194_304,
  },
  '10 GbE': {
    speedMbps: 10_000,
    supportedMbps: 10_000,
    duplex: 'full',
    kernel: '3.10.0-1160.el7.x86_64',
    mtu: 9000,
    rmemMax: 16_777_216,
    wmemMax: 16_777_216,
  },
  '25 GbE': {
    speedMbps: 25_000,
    supportedMbps: 25_000,
    kernel: '4.18.0-553.el8_10.x86_64',
    mtu: 9000,
    rmemMax: 67_108_864,
    wmemMax: 67_108_864,
  },
  '100 GbE': {
    speedMbps: 100_000,
    supportedMbps: 100_000,
    kernel: '5.14.0-427.el9.x86_64',
    mtu: 9000,
    rmemMax: 134_217_728,
    wmemMax: 134_217_728,
  },
  'a bond, which tells no link modes': { speedMbps: 20_000, kernel: '6.8.0-45-generic', mtu: 1500 },
  'a virtual NIC, which tells no speed': { kernel: '6.1.0-25-amd64', mtu: 1500 },
  'facts not read': {},
};

/** What a test looks like where nothing is wrong: of a share of the line rate that TCP reaches. */
const tests: Readonly<Record<string, (bps: number, line: number) => IperfRun[]>> = {
  'one stream': (bps) => [run('a:b', bps)],
  'both directions, one after the other': (bps) => [
    run('a:b', bps),
    run('a:b', bps * 0.985, { mode: 'reverse', startedAt: Date.UTC(2025, 10, 5, 2, 0) }),
  ],
  'four streams': (bps) => [run('a:b', bps, { streams: 4 })],
  'a few segments sent again': (bps) => [run('a:b', bps, { retransmits: 9 })],
  'the first second lost segments, as TCP looked for its rate': (bps, line) => {
    const one = run('a:b', bps, { retransmits: Math.ceil(line / 1e6) });
    return [
      {
        ...one,
        intervals: one.intervals.map((row) => ({
          ...row,
          retransmits: row.start === 0 ? Math.ceil(line / 1e6) : 0,
        })),
      },
    ];
  },
  'full segments pass': (bps) => [run('a:b', bps, { mtu: 9000, fullPings: 2 })],
  'a firewall drops pings': (bps) => [run('a:b', bps, { mtu: 9000, fullPings: 0, standardPings: 0 })],
  'iperf 2': (bps) => [
    {
      ...run('a:b', bps, { tool: 'iperf2' }),
      streamRows: run('a:b', bps).streamRows.filter(({ role }) => role === 'receiver'),
    },
  ],
  'a short test of three seconds': (bps) => [
    {
      ...run('a:b', bps, { seconds: 3 }),
      intervals: run('a:b', bps).intervals.slice(0, 3),
    },
  ],
  'the CPU is busy, and the line full': (bps) => [run('a:b', bps, { cpu: { client: 88, server: 60 } })],
};

const lineOf = ({ speedMbps = 10_000 }: Partial<FactsReading>): number => speedMbps * M;

/** TCP carries 94 % with an MTU of 1500, 99 % with 9000; noise of a few per cent below that is everywhere. */
const shares = [0.92, 0.94, 0.985];

const variants = Object.entries(hosts).flatMap(([nic, facts]) =>
  Object.entries(tests).flatMap(([what, made]) =>
    shares.map((share): [string, Partial<FactsReading>, IperfRun[]] => [
      `${nic}, ${what}, ${share * 100} % of the line`,
      facts,
      made(lineOf(facts) * share, lineOf(facts)),
    ]),
  ),
);

describe('links on which nothing is wrong', () => {
  it.each(variants)('%s: nothing above a notice', (_name, facts, runs) => {
    const found = seen({ a: facts, b: facts }, runs).filter(({ severity }) => severity !== 'notice');
    expect(found.map(({ summary }) => summary)).toEqual([]);
  });

  it('a hundred hosts of one rate, none of which was tested, and some tested between', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`n${at}`, { speedMbps: 10_000, supportedMbps: 10_000 }]),
    );
    const runs = Array.from({ length: 40 }, (_, at) => run(`n${at}:n${99 - at}`, (9.3 + (at % 5) / 50) * G));
    expect(seen(many, runs)).toEqual([]);
  });

  it('sight of the rules: the same hosts at a third of the line are told', () => {
    expect(seen({ a: hosts['10 GbE'] ?? {}, b: hosts['10 GbE'] ?? {} }, [run('a:b', 3.3 * G)])).toHaveLength(
      1,
    );
  });
});
