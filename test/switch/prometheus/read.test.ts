import { describe, expect, it } from 'vitest';
import { switches } from '../../../probes/switch/index.ts';
import { cachedRates } from '../../../probes/switch/judge/rates.ts';
import { collectedSchema } from '../../../probes/switch/prometheus/read.ts';
import { switchFormats } from '../../../probes/switch/read/formats.ts';
import { portSchema } from '../../../probes/switch/readings.ts';
import { makeSafeDeep, type SafeData } from '../../../src/text/safe.ts';
import { answerOf } from '../../helpers/answer.ts';
import { began, contextOf, documentOf, port, queryProbe, seriesOf, siteWith } from './fake-prometheus.ts';

const site = siteWith({ url: 'http://p:9090', match: { cluster: 'h"1' } });
const probe = queryProbe(site);
const [admin] = site.hosts;

const given = (series: readonly object[]) => {
  if (!admin) throw new Error('no host');
  const stdout = `${began}\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${documentOf(series)}`;
  const read = probe.read(answerOf(stdout, { stderr: 'curl ended: 0\n' }), admin, contextOf(site));
  return collectedSchema.parse(read.value).given;
};

const portsOf = (host: string, series: readonly object[]) =>
  given(series)
    .find((one) => one.host === host)
    ?.samples?.map(({ value }) => value.ports) ?? [];

const both = (metric: string, before: number, after: number, labels = port(1)) =>
  seriesOf(metric, labels, [35, `${before}`], [5, `${after}`]);

describe('the ports of a switch', () => {
  const series = [
    both('ifInErrors', 10, 40),
    both('ifOutErrors', 0, 0),
    both('ifInDiscards', 3, 3),
    both('ifHCInOctets', 1e12, 1e12 + 3e9),
    both('ifHCInUcastPkts', 1000, 301_000),
    both('ifHCInMulticastPkts', 5, 5),
    both('ifHCInBroadcastPkts', 2, 2),
    both('ifHighSpeed', 10_000, 10_000),
    both('ifOperStatus', 1, 1),
    both('ifAdminStatus', 1, 1),
    both('ifLastChange', 100, 100),
    both('ifOperStatus', 2, 2, port(2, { ifAlias: 'to rack 7' })),
    both('ifAdminStatus', 2, 2, port(2, { ifAlias: 'to rack 7' })),
    both('ifOperStatus', 2, 2, port(3)),
    both('ifAdminStatus', 1, 1, port(3)),
    both('ifOperStatus', 4, 4, port(4)),
    both('ifInErrors', 0, 0, { ifIndex: '9', ifName: 'Vlan10' }),
    both('sysUpTime', 1000, 4000, {}),
  ];

  it('are what the switch itself would be read as', () => {
    const [, [first, ...others] = []] = portsOf('sw1', series);
    expect(first).toEqual({
      port: 'te1/1',
      name: 'Te1/1',
      ifIndex: ['1'],
      link: 'up',
      admin: 'up',
      state: 'up',
      speedMbps: 10_000,
      changedAgoS: 39,
      counts: {
        rxErrors: 40n,
        txErrors: 0n,
        rxDiscards: 3n,
        rxBytes: 1_003_000_000_000n,
        rxPackets: 301_007n,
      },
    });
    expect(others.map(({ port: name, state, description }) => [name, state, description])).toEqual([
      ['te1/2', 'shut', 'to rack 7'],
      ['te1/3', 'down', undefined],
      ['te1/4', undefined, undefined],
    ]);
    for (const one of [first, ...others]) expect(portSchema.safeParse(one).success).toBe(true);
  });

  it('bring two samples at once, so that there is a rate from the first answer on', () => {
    const samples = portsOf('sw1', series).map((ports, index) => ({
      probe: 'switch.promcounters',
      host: 'sw1',
      at: index * 30_000,
      mono: index * 30_000,
      durationMs: 1,
      value: { ports },
      notUnderstood: 0,
    }));
    const [now] = cachedRates(samples.toReversed()).get('te1/1') ?? [];
    expect(now).toMatchObject({ seconds: 30, rxBad: 1, rxPackets: 10_000, rxBytes: 1e8 });
  });

  it('a sample that the last answer brought is not read again, and is older now', () => {
    if (!admin) throw new Error('no host');
    const read = (askedAt: number, last?: SafeData) =>
      probe.read(
        answerOf(`${askedAt}\nHTTP/1.1 200 OK\r\n\r\n${documentOf(series)}`, { stderr: 'curl ended: 0\n' }),
        admin,
        { ...contextOf(site), ...(last && { last: { ...reading, value: last } }) },
      ).value;
    const reading = { probe: probe.id, host: 'admin1', at: 0, mono: 0, durationMs: 1, notUnderstood: 0 };
    const first = read(began);
    const again = collectedSchema.parse(read(began + 30, makeSafeDeep(first))).given[0]?.samples ?? [];
    const before = collectedSchema.parse(first).given[0]?.samples ?? [];
    expect(again).toEqual(before.map((one) => ({ ...one, ageMs: one.ageMs + 30_000 })));
    expect(again).toHaveLength(2);
  });

  it('a counter that began anew is told apart, and an absent one is none', () => {
    const [before, after] = portsOf('sw1', [
      both('ifHCInOctets', 5e9, 100),
      both('ifHCOutOctets', 5e9, 100),
      both('ifInErrors', 70, 1),
    ]);
    const samples = [after, before].map((ports = [], index) => ({
      probe: 'p',
      host: 'sw1',
      at: -index,
      mono: -index * 1000,
      durationMs: 1,
      value: { ports },
      notUnderstood: 0,
    }));
    const [now] = cachedRates(samples).get('te1/1') ?? [];
    expect(now?.remarks).toEqual(['counters were cleared or the device restarted']);
    expect(now).not.toHaveProperty('rxBad');
    expect(after?.[0]?.counts).not.toHaveProperty('rxPackets');
  });

  it('values that are no counts are absent, never zero', () => {
    const [ports] = portsOf('sw1', [
      seriesOf('ifInErrors', port(1), [5, 'NaN']),
      seriesOf('ifOutErrors', port(1), [5, '-1']),
      seriesOf('ifInDiscards', port(1), [5, '1.5']),
      seriesOf('ifOperStatus', port(1), [5, '99']),
    ]);
    expect(ports).toEqual([{ port: 'te1/1', name: 'Te1/1', ifIndex: ['1'], counts: {} }]);
  });

  it('ports that no label names are not read: told, with what is to be looked up', () => {
    const [first] = given([seriesOf('ifInErrors', { ifIndex: '1' }, [5, '1'])]);
    expect(first?.why).toEqual({
      what: 'none of its ports in Prometheus can be told by a name',
      next: "let snmp_exporter's if_mib look up ifName",
    });
  });
});

it("a host's NICs are those of node_exporter, found by its name without port and domain", () => {
  const labels = { instance: 'n1.example.org:9100', job: 'node', device: 'eth0' };
  const ports = portsOf('n1', [
    seriesOf('node_network_receive_errs_total', labels, [5, '7']),
    seriesOf('node_network_receive_packets_total', labels, [5, '100']),
    seriesOf('node_network_carrier_changes_total', labels, [5, '2']),
    seriesOf('node_network_speed_bytes', labels, [5, '1.25e+09']),
    seriesOf('node_network_mtu_bytes', labels, [5, '9000']),
    seriesOf('node_network_info', { ...labels, operstate: 'down', adminstate: 'up', duplex: 'full' }, [
      5,
      '1',
    ]),
    seriesOf('node_network_receive_errs_total', { ...labels, device: 'bond0' }, [5, '7']),
  ]);
  expect(ports).toEqual([
    [
      {
        port: 'eth0',
        name: 'eth0',
        link: 'down',
        admin: 'up',
        state: 'dark',
        duplex: 'full',
        speedMbps: 10_000,
        mtu: 9000,
        counts: { rxErrors: 7n, rxPackets: 100n, linkTransitions: 2n },
      },
    ],
  ]);
});

describe('what is asked', () => {
  it('is one query for all of them, of the host that the site names', () => {
    if (!admin) throw new Error('no host');
    const ask = probe.ask(admin, contextOf(site));
    const script = 'script' in ask ? ask.script : '';
    expect([...(probe.hosts ?? [])]).toEqual(['admin1']);
    expect(script).toContain('{__name__=~"ifHCInOctets|');
    expect(script).toContain('|node_network_mtu_bytes",cluster="h\\"1",device!~"lo|');
    expect(script).toContain('}[120s]');
  });

  it('the machines themselves are asked for it on demand only, and for all else as ever', () => {
    const probes = switches.onSite?.(site).probes ?? [];
    const onDemand = probes.flatMap(({ id, onDemand: hosts }) => (hosts ? [[id, [...hosts]]] : []));
    expect(onDemand).toEqual([
      ['switch.counters', ['sw1', 'sw2']],
      ['switch.screens', ['sw1', 'sw2']],
      ['switch.nics', ['n1']],
    ]);
    expect(probes.map(({ id }) => id)).toEqual(switches.probes.map(({ id }) => id));
  });

  it('a site without Prometheus has the system as it is', () => {
    const { prometheus: _none, ...rest } = site;
    expect(switches.onSite?.(rest)).toBe(switches);
    expect(switches.onSite?.({ ...site, settings: {} })).toBe(switches);
  });
});

describe('a stored answer', () => {
  const parse = (stdout: string): unknown => switchFormats['switch.prometheus']?.({ stdout });

  it('is printed by target, as its newest scrape has it', () => {
    const series = [both('ifInErrors', 7, 9), both('ifOperStatus', 1, 1), seriesOf('other', {}, [5, '1'])];
    expect(parse(documentOf(series))).toEqual({
      targets: [
        {
          labels: { instance: 'sw1', job: 'snmp' },
          scrapedAt: new Date((began - 5) * 1000).toISOString(),
          ports: [{ port: 'Te1/1', ifIndex: ['1'], link: 'up', state: 'up', rxErrors: 9n }],
        },
      ],
      notUnderstood: 1,
    });
  });

  it('that refuses says so, and what is none is refused', () => {
    expect(parse('{"status":"error","errorType":"bad_data","error":"no"}')).toEqual({
      targets: [],
      error: { kind: 'refused', message: 'it refuses the query: bad_data: no' },
    });
    expect(() => parse('<html>')).toThrow(/no JSON/);
    expect(() => parse('[1]')).toThrow(/no answer of the HTTP API/);
  });
});
