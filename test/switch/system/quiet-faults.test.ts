import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { changesSeries } from '../../../probes/switch/judge/change-counts.ts';
import { upSeries } from '../../../probes/switch/links/links.ts';
import type { Port } from '../../../probes/switch/readings.ts';
import type { Point } from '../../../src/model/history.ts';
import { factsOf, historyOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

/** Two switches and a host, with the cables eth1 to eth1 and eth2 to the host's eth0. */
const hosts = [
  { name: 'leaf7', roles: ['switch'], platform: 'arista_eos' },
  { name: 'spine2', roles: ['switch'], platform: 'arista_eos' },
  { name: 'n1', roles: ['nic'], platform: 'linux' },
];
const links = [
  { from: 'leaf7:eth1', to: 'spine2:eth1' },
  { from: 'leaf7:eth2', to: 'n1:eth0' },
];

type Given = Partial<Port> & { counted?: Readonly<Record<string, number>> };

interface World {
  leaf?: Given;
  spine?: Given;
  nic?: Given;
  history?: Readonly<Record<string, readonly Point[]>>;
  rebooting?: boolean;
}

/** Every port was read twice, 10 s apart; `counted`: per second. */
const judged = ({ leaf = {}, spine = {}, nic = {}, history = {}, rebooting = false }: World) => {
  const readings = new Sources();
  const port = (name: string, { counted = {}, ...more }: Given, seconds: number): Port => ({
    port: name,
    name,
    link: 'connected',
    state: 'up',
    counts: Object.fromEntries(
      Object.entries({ rxPackets: 20_000, rxCrc: 0, ...counted }).map(([key, value]) => [
        key,
        BigInt(Math.round(1000 + value * seconds)),
      ]),
    ),
    ...more,
  });
  for (const seconds of [0, 10]) {
    const at = start + seconds * 1000;
    const put = (probe: string, host: string, ports: readonly Port[]) => {
      readings.good(probe, host, { ports }, at, 20, 2);
    };
    put('switch.counters', 'leaf7', [port('eth1', leaf, seconds), port('eth2', {}, seconds)]);
    put('switch.counters', 'spine2', [port('eth1', spine, seconds)]);
    put('switch.nics', 'n1', [port('eth0', nic, seconds)]);
  }
  const facts = rebooting
    ? factsOf([{ name: 'node.rebooting', subject: { kind: 'node', id: 'spine2' }, value: true }])
    : factsOf([]);
  const now = start + 10_000;
  const site = siteOf(hosts, { links });
  return findings(judgementOf({ readings, site, facts, now, history: historyOf(history) })).map(
    ({ kind, severity, subject, suspects }) => ({ kind, severity, id: subject.id, first: suspects?.[0] }),
  );
};

const kinds = (world: World) => judged(world).map(({ kind }) => kind);

describe('ends that are set differently, without a bad frame', () => {
  it('an MTU left at its default, with giants', () => {
    expect(judged({ leaf: { mtu: 9214 }, spine: { mtu: 1500, counted: { rxGiants: 300 } } })).toEqual([
      {
        kind: 'settings-differ',
        severity: 'warning',
        id: 'spine2:eth1',
        first: {
          subject: { kind: 'port', id: 'spine2:eth1' },
          cause: 'mtu',
          confidence: 'high',
          values: { here: 1500, there: 9214 },
        },
      },
    ]);
  });

  it('giants alone, and duplex alone', () => {
    expect(judged({ spine: { counted: { rxGiants: 300 } } })[0]?.first?.cause).toBe('mtu');
    expect(judged({ leaf: { duplex: 'full' }, spine: { duplex: 'half' } })[0]?.first?.cause).toBe('duplex');
  });

  it.each([
    ['two words for jumbo frames', { leaf: { mtu: 9214 }, spine: { mtu: 9198 } }],
    ['one of the two is not told', { leaf: { mtu: 9214 } }],
    [
      'healthy jumbo frames are counted',
      { leaf: { mtu: 9214 }, spine: { mtu: 9214, counted: { rxOversize: 900 } } },
    ],
    ['autonegotiation is printed differently', { leaf: { autoneg: true }, spine: { autoneg: false } }],
  ])('silent: %s', (_what, world) => {
    expect(kinds(world)).toEqual([]);
  });
});

describe('a link that flaps', () => {
  const flaps = { counted: { linkTransitions: 0.5 } };

  it('is a finding with its rate, without a bad frame', () => {
    expect(judged({ spine: flaps })).toMatchObject([
      {
        kind: 'flapping',
        severity: 'warning',
        id: 'spine2:eth1',
        first: { cause: 'flapping', values: { perHour: 3 } },
      },
    ]);
  });

  it('goes before its bad frames, which are not judged while it settles', () => {
    expect(kinds({ spine: { counted: { linkTransitions: 0.5, rxCrc: 150 } } })).toEqual(['flapping']);
  });

  it('by the count that earlier consoles wrote down', () => {
    const points = [0, 1, 2, 3, 4].map((n) => ({ at: start - 600_000 + n * 100_000, value: 40 + 2 * n }));
    expect(kinds({ history: { [changesSeries('spine2:eth1')]: points } })).toEqual(['flapping']);
  });

  it.each([
    ['it was replugged once', { spine: { counted: { linkTransitions: 0.2 } } }],
    ['a coarse stamp stands still', { spine: { changedAgoS: 900_000 } }],
    ['its far end boots', { spine: flaps, rebooting: true }],
  ])('silent: %s', (_what, world) => {
    expect(kinds(world)).toEqual([]);
  });
});

describe('errors of a link that just came up', () => {
  it('are judged after a minute, by the stamp of the device', () => {
    const world = (changedAgoS: number) => ({ spine: { changedAgoS, counted: { rxCrc: 200 } } });
    expect(kinds(world(15))).toEqual([]);
    expect(kinds(world(75))).toEqual(['bad-link']);
  });
});

describe('a link that is down', () => {
  const dark = { link: 'notconnect', state: 'dark' } as const;

  it('is a finding where the site file names it', () => {
    expect(judged({ leaf: dark, spine: dark })).toMatchObject([
      { kind: 'link-down', severity: 'warning', first: { cause: 'down' } },
    ]);
  });

  it('is no other finding when it flaps', () => {
    const history = {
      [upSeries('leaf7:eth1')]: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({
        at: start - 900_000 + n * 100_000,
        value: n % 2 === 0 ? 'connected' : 'notconnect',
      })),
    };
    expect(kinds({ leaf: dark, spine: dark, history })).toEqual(['flapping']);
  });

  it.each([
    ['somebody shut it', { leaf: { link: 'disabled', state: 'shut' as const }, spine: dark }],
    ['the far end boots', { leaf: dark, spine: dark, rebooting: true }],
  ])('silent: %s', (_what, world) => {
    expect(kinds(world)).toEqual([]);
  });
});
