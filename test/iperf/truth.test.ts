import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/iperf/judge/findings.ts';
import { flowsOf } from '../../probes/iperf/judge/pairs.ts';
import { parseFacts } from '../../probes/iperf/read/parse-facts.ts';
import { parseRuns } from '../../probes/iperf/read/parse-runs.ts';
import type { FactsReading, IperfRun } from '../../probes/iperf/readings.ts';
import { type Sources, start } from '../helpers/judging.ts';
import { G, kinds, M, run, seen, unfolded, world } from './tests-of-hosts.ts';
import { answerOfParts } from '../helpers/answer.ts';

const ten = { speedMbps: 10_000 };
const pair = { a: ten, b: ten };

describe('a path that passes no full segment', () => {
  const hole = { mtu: 9000, fullPings: 0, standardPings: 2, why: 'silent' };

  it('is told by its pings, not as a link that is gone', () => {
    expect(seen(pair, [run('a:b', 0, hole)])).toMatchObject([
      {
        kind: 'mtu',
        severity: 'warning',
        summary:
          'a → b passes no full segment: pings of 9000 bytes with DF are not answered, those of 1500 are (MTU)',
      },
    ]);
  });

  it.each<[string, Partial<IperfRun>, number, string]>([
    ['not even small pings are answered: the link is gone', { ...hole, rttMs: undefined }, 0, 'failed'],
    ['large pings are answered: the link is gone', { ...hole, fullPings: 2 }, 0, 'failed'],
    ['ping was not asked', { why: 'silent' }, 0, 'failed'],
  ])('%s', (_name, more, bps, kind) => {
    const { rttMs, ...rest } = run('a:b', bps, more);
    expect(kinds(seen(pair, [{ ...rest, ...(rttMs !== undefined && { rttMs }) }]))).toEqual([kind]);
  });

  it.each<[string, Partial<IperfRun>]>([
    ['refused', { error: 'unable to connect to server: Connection refused' }],
    ['busy', { error: 'the server is busy running a test. try again later' }],
    ['the name is not known (iperf 2)', { tool: 'iperf2', error: 'error: Name or service not known' }],
    ['no connection', { why: 'noConnection' }],
  ])('a connection takes small packets only, %s: no verdict on the MTU', (_name, more) => {
    const { why: _why, ...path } = hole;
    const one = run('a:b', 0, { ...path, status: 'error', intervals: [], streamRows: [], ...more });
    expect(kinds(seen(pair, [one]))).toEqual(['failed']);
  });

  it('a test that connected and then failed is still told by its pings', () => {
    const { why: _why, ...path } = hole;
    const error = 'unable to receive results: Connection reset by peer';
    const one = run('a:b', 0, { ...path, status: 'error', intervals: [], streamRows: [], error });
    expect(kinds(seen(pair, [one]))).toEqual(['mtu']);
  });

  it('a firewall that drops large pings is none as long as data comes', () => {
    expect(seen(pair, [run('a:b', 9.4 * G, { mtu: 9000, fullPings: 0, standardPings: 0 })])).toEqual([]);
  });
});

describe('a test that a CPU holds down', () => {
  const at = (client: number, server: number, version = '3.12') => ({ cpu: { client, server }, version });

  it('names the end, above loss that comes of it', () => {
    const [found] = seen(pair, [run('a:b', 4.1 * G, { ...at(61, 98.7), retransmits: 4_000 })]);
    expect(found).toMatchObject({
      kind: 'cpu',
      suspects: [{ subject: { kind: 'host', id: 'b' }, cause: 'cpu', confidence: 'high' }],
    });
    expect(found?.summary).toContain('CPU of b (receiver) at 4.10 Gbit/s: 99 % of a core');
  });

  it.each<[string, IperfRun, string[]]>([
    ['a busy core that reaches the line rate', run('a:b', 9.4 * G, at(99, 99)), []],
    ['half a core', run('a:b', 4.1 * G, at(50, 61)), ['slow']],
    [
      'four streams of 3.17 have four cores',
      run('a:b', 4.1 * G, { ...at(110, 130, '3.17.1'), streams: 4 }),
      ['slow'],
    ],
  ])('%s', (_name, one, wanted) => {
    expect(kinds(seen(pair, [one]))).toEqual(wanted);
  });
});

describe('what came up slower than it should', () => {
  const slow = [run('a:b', 95 * M), run('b:a', 95 * M)];

  it.each<[string, Partial<FactsReading>, Partial<FactsReading>, object, RegExp]>([
    [
      'than the site file says',
      { speedMbps: 100 },
      { speedMbps: 1000 },
      { lineGbps: 1 },
      /^a: eth0 negotiated 100 Mbit\/s, a link here has 1 Gbit\/s$/,
    ],
    [
      'than its peer while it can more',
      { speedMbps: 1000, supportedMbps: 10_000 },
      { speedMbps: 10_000 },
      {},
      /negotiated 1 Gbit\/s, its peer has 10 Gbit\/s/,
    ],
    ['half duplex', { speedMbps: 100, duplex: 'half' }, { speedMbps: 100 }, {}, /half duplex/],
  ])('%s: the cause of its slow pairs', (_name, a, b, settings, text) => {
    const list = seen({ a, b }, slow, settings);
    expect(list.find(({ kind }) => kind === 'linkSpeed')?.summary).toMatch(text);
    expect(unfolded(list)).toContain('iperf:linkSpeed:a');
    expect(unfolded(list).filter((id) => id.includes(':slow:'))).toEqual([]);
  });

  it('than three others', () => {
    const a = { speedMbps: 1000, supportedMbps: 10_000 };
    const list = seen({ a, b: ten, c: ten, d: ten }, []);
    expect(list).toMatchObject([{ kind: 'linkSpeed', subject: { id: 'a' } }]);
    const fast = seen({ a: { speedMbps: 100 }, b: ten, c: ten, d: ten }, []);
    expect(fast).toMatchObject([{ kind: 'linkSpeed', subject: { id: 'a' } }]);
  });

  it('a host as fast as most is not slow beside a faster server', () => {
    const host = { ...ten, supportedMbps: 25_000 };
    const hosts = { a: host, b: host, c: host, d: host, e: host, storage: { speedMbps: 100_000 } };
    const runs = [run('a:storage', 9.4 * G), run('storage:a', 9.4 * G)];
    expect(seen(hosts, runs)).toEqual([]);
    const slow = { ...hosts, f: host, g: host, a: { speedMbps: 1000, supportedMbps: 25_000 } };
    expect(kinds(seen(slow, []))).toEqual(['linkSpeed']);
  });

  it.each<[string, Record<string, Partial<FactsReading>>]>([
    ['all alike', { a: ten, b: ten, c: ten, d: ten }],
    ['a NIC of 25 on switches of 10', { a: { ...ten, supportedMbps: 25_000 }, b: ten, c: ten, d: ten }],
    ['a site of two kinds', { a: { speedMbps: 1000 }, b: { speedMbps: 1000 }, c: ten, d: ten }],
    [
      'a bond or virtual NIC that tells no link modes',
      { a: ten, b: { speedMbps: 100_000 }, c: { speedMbps: 100_000 }, d: { speedMbps: 100_000 } },
    ],
    ['virtual NICs say nothing', { a: {}, b: ten }],
    ['faster than the others', { a: { speedMbps: 100_000 }, b: ten, c: ten, d: ten }],
  ])('%s: nothing', (_name, hosts) => expect(seen(hosts, [])).toEqual([]));
});

describe('one stream and several', () => {
  const single = run('a:b', 2.5 * G, { startedAt: start - 600_000 });
  const several = run('a:b', 9.4 * G, { streams: 4 });

  it('is found whichever came last', () => {
    expect(kinds(seen(pair, [single, several]))).toEqual(['oneStream']);
    expect(kinds(seen(pair, [{ ...single, startedAt: start }, several]))).toEqual(['oneStream']);
  });

  it('both at line rate, or a single one of last week: nothing', () => {
    expect(seen(pair, [run('a:b', 9.3 * G, { startedAt: start - 600_000 }), several])).toEqual([]);
    expect(seen(pair, [{ ...single, startedAt: start - 7 * 24 * 3600_000 }, several])).toEqual([]);
  });
});

describe('shares', () => {
  it('of what was sent again are of what was sent: never above 100 %', () => {
    const [found] = seen(pair, [run('a:b', 2 * M, { retransmits: 80_000 })]);
    expect(found?.summary).toMatch(/loses (?:9\d|100) % of its segments/);
  });
});

describe('cause not shown', () => {
  it('says what was ruled out and what could not be looked at', () => {
    const hosts = {
      a: { ...ten, rmemMax: 16e6, wmemMax: 16e6 },
      b: { ...ten, rmemMax: 16e6, wmemMax: 16e6 },
    };
    const [found] = seen(hosts, [
      run('a:b', 3 * G, { cpu: { client: 20, server: 30 }, mtu: 1500, fullPings: 2 }),
    ]);
    expect(found?.summary).toContain('cause not known; ruled out: loss, window, CPU, MTU');
    expect(found?.evidence.map(({ text }) => text)).toContain(
      'not looked at: other traffic, one direction, one stream',
    );
  });
});

describe('what iperf3 and ethtool print', () => {
  it('the CPU of both ends, by -V of 3.12', () => {
    const output = `iperf 3.12
Linux vm 6.1.0 #1 SMP x86_64
Control connection MSS 1448
Time: Mon, 23 Nov 2026 04:28:57 GMT
Connecting to host 10.0.0.2, port 5301
      Cookie: wyyh6uw665jl2nkol7qcepxvij5xfhk7o3j5
      TCP MSS: 1448 (default)
[  5] local 10.0.0.1 port 43210 connected to 10.0.0.2 port 5301
Starting Test: protocol: TCP, 1 streams, 131072 byte blocks, omitting 0 seconds, 2 second test, tos 0
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec  1.10 GBytes  9.45 Gbits/sec    0   1.53 MBytes
[  5]   1.00-2.00   sec  1.10 GBytes  9.47 Gbits/sec    0   1.53 MBytes
- - - - - - - - - - - - - - - - - - - - - - - - -
Test Complete. Summary Results:
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-2.00   sec  2.20 GBytes  9.46 Gbits/sec    0             sender
[  5]   0.00-2.00   sec  2.20 GBytes  9.45 Gbits/sec                  receiver
CPU Utilization: local/sender 12.8% (0.0%u/12.8%s), remote/receiver 97.2% (0.4%u/96.8%s)
snd_tcp_congestion cubic
rcv_tcp_congestion cubic

iperf Done.
`;
    const seconds = start / 1000;
    const head = `id=1\nclient=a\nserver=b\ntool=iperf3\nseconds=2\nstreams=1\nmode=forward\nstarted=${seconds - 5}\nmtu=9000\nfull=0\nstandard=2\nrtt=\n--- out\n`;
    const file = `==> /var/tmp/faultline-tasks/iperf-a:b.1.run <==\n${head}${output}\n=== end 0 ${seconds - 2} 5301 \n`;
    const read = parseRuns(
      answerOfParts(
        ['clock', `${seconds}\n`],
        ['runs', file],
        ['servers', ''],
        ['sweep', ''],
        ['others', ''],
      ),
      start,
    );
    expect(read.notUnderstood).toBe(0);
    expect(read.value.runs[0]).toMatchObject({
      status: 'ok',
      version: '3.12',
      cpu: { client: 12.8, server: 97.2 },
      mtu: 9000,
      fullPings: 0,
      standardPings: 2,
    });
  });

  it('what the NIC could, by ethtool', () => {
    const ethtool = `Settings for eth0:
	Supported ports: [ TP ]
	Supported link modes:   10baseT/Half 10baseT/Full
	                        100baseT/Half 100baseT/Full
	                        1000baseT/Full
	                        10000baseT/Full
	Supported pause frame use: Symmetric
	Advertised link modes:  25000baseCR/Full
	Speed: 100Mb/s
	Duplex: Half
	Auto-negotiation: on
	Link detected: yes`;
    expect(parseFacts(answerOfParts(['nic', 'eth0'], ['speed', ethtool]))).toMatchObject({
      speedMbps: 100,
      supportedMbps: 10_000,
      duplex: 'half',
    });
    expect(
      parseFacts(answerOfParts(['nic', 'eth0'], ['speed', 'Speed: Unknown!\nDuplex: Unknown! (255)'])),
    ).not.toHaveProperty('duplex');
  });
});

describe('a sweep', () => {
  it('answers first: pairs of the host that it names are folded', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const runs = names.flatMap((from, at) =>
      [1, 3].map((step) => {
        const to = names[(at + step) % names.length] ?? '';
        return run(`${from}:${to}`, from === 'c' || to === 'c' ? 1 * G : 9.4 * G, { sweep: 'sweep-1' });
      }),
    );
    const judgement = world(Object.fromEntries(names.map((name) => [name, ten])), runs);
    for (const host of names) {
      const source = judgement.readings.source<{ runs: unknown[] }>('iperf.results', host);
      const sweep = {
        id: 'sweep-1',
        hosts: 6,
        tests: 2,
        rounds: 4,
        round: 4,
        slot: 12,
        startedAt: start - 60_000,
        updatedAt: start,
        state: 'done',
      };
      (judgement.readings as Sources).good('iperf.results', host, {
        runs: source?.good?.value.runs,
        servers: [],
        sweep,
      });
    }
    expect(flowsOf(judgement).filter(({ verdict }) => verdict.kind === 'slow')).toHaveLength(4);
    expect(unfolded(findings(judgement))).toEqual(['iperf:sweep:c']);
  });
});
