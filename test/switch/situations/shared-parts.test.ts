import { describe, expect, it } from 'vitest';
import { causes } from '../../../probes/switch/causes.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import type { Lane } from '../../../probes/switch/readings.ts';
import type { LinkEnds } from '../../../src/model/site.ts';
import { findingOf } from '../../helpers/safe-finding.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

/** Bad frames/s that a port receives, and of these as stomped elsewhere; `rx`: its light in dBm. */
interface Given {
  bad?: number;
  stomped?: number;
  rx?: number;
}

interface World {
  /** What each port receives. */
  ports: Readonly<Record<string, Readonly<Record<string, Given>>>>;
  links: readonly (readonly [string, string])[];
  /** Of leaf7. */
  platform?: string;
  lag?: readonly string[];
}

const framesPerS = 20_000;
const limits = { warnLow: -9.9, alarmLow: -11.9 };

const judgementIn = ({ ports, links, platform = 'arista_eos', lag }: World) => {
  const readings = new Sources();
  for (const [host, own] of Object.entries(ports)) {
    for (const seconds of [0, 10, 20])
      readings.good(
        'switch.counters',
        host,
        {
          ports: Object.entries(own).map(([port, { bad = 0, stomped = 0 }]) => ({
            port,
            name: port,
            link: 'up',
            state: 'up',
            counts: {
              rxPackets: BigInt(1000 + framesPerS * seconds),
              rxCrc: BigInt(bad * seconds),
              rxStompedCrc: BigInt(stomped * seconds),
            },
          })),
        },
        start + seconds * 1000,
        20,
        3,
      );
    const lanes = Object.entries(own).flatMap(([port, { rx }]): Lane[] =>
      rx === undefined ? [] : [{ port, rxDbm: rx, txDbm: -2.3, rxLimits: limits, txLimits: limits }],
    );
    if (lanes.length > 0) readings.good('switch.optics', host, { lanes }, start);
  }
  if (lag)
    readings.good(
      'switch.lags',
      'leaf7',
      { lags: [{ lag: 'po1' }], members: lag.map((member) => ({ lag: 'po1', member, active: true })) },
      start,
    );
  const site = siteOf(
    Object.keys(ports).map((name) => ({
      name,
      roles: ['switch'],
      platform: name === 'leaf7' ? platform : 'dell_ftos',
    })),
    { links: links.map(([from, to]): LinkEnds => ({ from, to })) },
  );
  return judgementOf({ readings, site, now: start + 20_000, mono: 20_000 });
};

const found = (world: World) => findings(judgementIn(world));
const kinds = (world: World) =>
  Object.entries(Object.groupBy(found(world), ({ kind }) => kind)).map(
    ([kind, list = []]) => `${list.length} ${kind}`,
  );

const four = [1, 2, 3, 4];
/** leaf7 has a link to each of four switches. */
const star = (leaf: (n: number) => Given, tor: (n: number) => Given = () => ({})): World => ({
  ports: {
    leaf7: Object.fromEntries(four.map((n) => [`eth${n}`, leaf(n)])),
    ...Object.fromEntries(four.map((n) => [`tor${n}`, { 'te0/48': tor(n), 'te0/1': {}, 'te0/2': {} }])),
  },
  links: four.map((n) => [`leaf7:eth${n}`, `tor${n}:te0/48`]),
});

describe('a switch that receives damage from all its neighbours', () => {
  const world = star((n) => ({ bad: 300 + n }));

  it('is suspected itself, in one finding', () => {
    const first = found(world).find(({ kind }) => kind === 'shared-part');
    expect(first).toMatchObject({
      severity: 'critical',
      subject: { kind: 'host', id: 'leaf7' },
      summary: '4 of 4 links of leaf7 receive bad frames from 4 devices: suspect leaf7 itself (card, ASIC)',
      suspects: [
        { subject: { kind: 'host', id: 'leaf7' }, cause: 'shared-part', values: { bad: 4, links: 4 } },
      ],
    });
    expect(first?.evidence).toHaveLength(4);
  });

  it('explains the links, none of which blames a neighbour', () => {
    const all = found(world).map(findingOf);
    const shared = all.find(({ kind }) => kind === 'shared-part');
    const links = all.filter(({ kind }) => kind === 'bad-link');
    const rule = causes.find(({ name }) => name === 'shared-part');
    const nowhere = { switchesOf: () => [], mayCross: () => 'not known' as const };
    expect(links.map((one) => shared && rule?.explain(shared, one, nowhere) !== undefined)).toEqual(
      Array(4).fill(true),
    );
    expect(links.map(({ suspects = [] }) => suspects[0]?.subject.id)).toEqual(
      four.map((n) => `leaf7:eth${5 - n}`),
    );
  });

  it('is suspected as well when it is the one that sends damage to all', () => {
    const [first] = found(
      star(
        () => ({}),
        (n) => ({ bad: 300 + n }),
      ),
    );
    expect(
      found(
        star(
          () => ({}),
          (n) => ({ bad: 300 + n }),
        ),
      ).map(({ summary }) => summary),
    ).toContain('4 of 4 links of leaf7 carry bad frames to 4 devices: suspect leaf7 itself (card, ASIC)');
    expect(first?.suspects?.[0]?.subject.id).toMatch(/^leaf7:eth/);
  });

  it('is not, of one card of two: then that card is', () => {
    const card = (n: number): string => `te${n % 2}/${n}`;
    const eight = [1, 2, 3, 4, 5, 6, 7, 8];
    const world: World = {
      platform: 'dell_ftos',
      ports: {
        leaf7: Object.fromEntries(eight.map((n) => [card(n), { bad: n % 2 ? 200 : 0 }])),
        ...Object.fromEntries(eight.map((n) => [`tor${n}`, { 'te0/1': {} }])),
      },
      links: eight.map((n) => [`leaf7:${card(n)}`, `tor${n}:te0/1`]),
    };
    expect(found(world).map(({ summary }) => summary)).toContain(
      '4 of 4 links on card te1 of leaf7 receive bad frames from 4 devices: suspect card te1',
    );
  });
});

describe('a switch is not suspected', () => {
  it('where its bad ports are one LAG to one neighbour', () => {
    const world: World = {
      ports: {
        leaf7: Object.fromEntries(four.map((n) => [`eth${n}`, { bad: 300 }])),
        spine2: Object.fromEntries(four.map((n) => [`te0/${n}`, {}])),
      },
      links: four.map((n) => [`leaf7:eth${n}`, `spine2:te0/${n}`]),
    };
    expect(kinds(world)).toEqual(['4 bad-link']);
  });

  it('nor where nobody knows whom the members of that LAG lead to', () => {
    const ports = { leaf7: Object.fromEntries(four.map((n) => [`eth${n}`, { bad: 300 }])) };
    expect(kinds({ ports, links: [], lag: four.map((n) => `eth${n}`) })).toEqual(['4 bad-link']);
  });

  it('for two or three bad links of forty', () => {
    const forty = Array.from({ length: 40 }, (_, n) => n + 1);
    const world = (bad: number): World => ({
      ports: {
        leaf7: Object.fromEntries(forty.map((n) => [`eth${n}`, n <= bad ? { bad: 300 } : {}])),
        ...Object.fromEntries(forty.map((n) => [`tor${n}`, { 'te0/48': {} }])),
      },
      links: forty.map((n) => [`leaf7:eth${n}`, `tor${n}:te0/48`]),
    });
    expect(kinds(world(2))).toEqual(['2 bad-link']);
    expect(kinds(world(3))).toEqual(['3 bad-link']);
  });

  it('for frames that were damaged elsewhere and sent on to it', () => {
    const world = { ...star((n) => ({ bad: 300 + n, stomped: 300 + n })), platform: 'cisco_nxos' };
    expect(kinds(world)).toEqual(['4 bad-link']);
    expect(found(world).map(({ suspects = [] }) => suspects[0]?.cause)).toEqual(Array(4).fill('upstream'));
  });

  it('for links that lose their light, each before its own receiver', () => {
    expect(kinds(star((n) => ({ bad: 300 + n, rx: -13 })))).toEqual(['4 bad-link']);
    // Two of four, and two for whom their light tells why.
    expect(kinds(star((n) => (n > 2 ? { bad: 300 } : { bad: 300, rx: -13 })))).toEqual(['4 bad-link']);
  });

  it('for one bad link beside others with a hundredth of its damage', () => {
    expect(kinds(star((n) => (n === 1 ? { bad: 2000 } : { bad: 1 })))).toContain('4 bad-link');
    const first = found(star((n) => (n === 1 ? { bad: 2000 } : { bad: 1 })))[0];
    expect(first?.suspects?.[0]).toMatchObject({ subject: { id: 'tor1:te0/48' }, cause: 'optic' });
  });
});
