import { describe, expect, it } from 'vitest';
import type { Carried, IperfRun } from '../../../probes/iperf/readings.ts';
import { G, run, seen } from '../tests-of-hosts.ts';

/** Bytes on the wire of a test of 10 s: segments of 1448 in frames of 1514. */
const wire = (bps: number): number => ((bps * 10) / 8 / 1448) * 1514;

interface World {
  /** What others sent to b meanwhile, bits/s. */
  others?: number;
  bps?: number;
  nic?: string;
  agoMs?: number;
  test?: Partial<IperfRun>;
  counted?: boolean;
  /** What a counted, where that is not the test itself; undefined: nothing. */
  sender?: { txBytes?: number };
  speedMbps?: number;
  mtu?: number;
  settings?: object;
}

const told = ({
  others = 0,
  bps = 2 * G,
  nic = 'eth0',
  agoMs = 0,
  test,
  counted = true,
  sender,
  speedMbps = 10_000,
  mtu = 1500,
  settings = {},
}: World): string[] => {
  const tested = run('a:b', bps, test);
  const carried = (rxBytes: number, txBytes: number): Carried => ({
    pair: 'a:b',
    at: tested.startedAt + 3000 - agoMs,
    seconds: 11,
    nics: [
      { nic: 'lan0', rxBytes: 1e12, txBytes: 1e12 },
      { nic, rxBytes, txBytes },
    ],
  });
  const byHost = {
    a:
      sender === undefined || sender.txBytes !== undefined
        ? [carried(1e6, sender?.txBytes ?? wire(bps))]
        : [],
    b: [carried(wire(bps) + (others * 11) / 8, 1e6)],
  };
  const nics = { nic: 'eth0', speedMbps, mtu };
  return seen({ a: nics, b: nics }, [tested], settings, counted ? byHost : {}).map(
    ({ kind, severity, summary, evidence }) =>
      `${severity} ${kind}: ${summary} | ${evidence.map(({ text }) => text).join(' | ')}`,
  );
};

describe('others on the line during a test', () => {
  it('are told: how much, at which end, and that nothing is known of the path', () => {
    const [found, ...more] = told({ others: 7 * G });
    expect(more).toEqual([]);
    expect(found).toMatch(
      /^notice shared: a → b 2\.00 Gbit\/s on a line in use: b received 7\.00 Gbit\/s of others meanwhile/,
    );
  });

  it('a test both ways: what came back is no other traffic', () => {
    const found = told({ others: 2.05 * G, test: { mode: 'both' } });
    expect(found.join()).not.toMatch(/shared/);
  });

  it.each<[string, World]>([
    ['only its own frames are there: the cause of a slow test is not known', {}],
    ['the counters are those of a test long before', { others: 7 * G, agoMs: 3_600_000 }],
    ['the test went by an interface that was not counted', { others: 7 * G, nic: 'ib0' }],
    ['others and the test leave a third of the line free', { others: 4.6 * G }],
    ['nobody counted', { others: 7 * G, counted: false }],
    [
      'the link is said to give 10 Gbit/s, and the NIC that others use can ten times as much',
      { others: 7 * G, speedMbps: 100_000, settings: { lineGbps: 10 } },
    ],
  ])('%s', (_what, one) => {
    const [found = '', ...more] = told(one);
    expect(more).toEqual([]);
    expect(found).toMatch(/^warning slow: /);
  });

  it('says that nobody else was on the line, or that it was not looked at', () => {
    expect(told({}).join()).toContain('ruled out: other traffic: a sent 0.00 Gbit/s besides the test');
    expect(told({ counted: false }).join()).toMatch(/not looked at: .*other traffic/);
  });

  it.each<[string, World]>([
    ['was not counted', { sender: {} }],
    ['counted less than the test itself sent, so another test', { sender: { txBytes: 1e6 } }],
  ])('says no more than that it was not looked at where one end %s', (_what, one) => {
    const [found] = told(one);
    expect(found).toMatch(/^warning slow: .*not looked at: .*other traffic/);
    expect(found).not.toContain('ruled out: other traffic');
    expect(told({ ...one, others: 7 * G }).join()).toMatch(/^notice shared: /);
  });

  it('leaves what pings have shown of the path before: it passes no more than 1500', () => {
    const test = { mtu: 9000, fullPings: 0, standardPings: 2 };
    expect(told({ others: 7 * G, test, mtu: 9000 }).join()).toMatch(/^warning mtu: /);
  });

  it('at line rate beside others there is nothing to tell', () => {
    expect(told({ others: 1.2 * G, bps: 9.4 * G })).toEqual([]);
  });
});
