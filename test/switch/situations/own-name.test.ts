import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { linksOf } from '../../../probes/switch/links/links.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const site = siteOf(
  ['leaf7', 'spine2', 'core1'].map((name) => ({ name, roles: ['switch'], platform: 'arista_eos' })),
);

type Row = readonly [port: string, neighbor: string, portText: string, chassisId?: string];

/** By host: what its LLDP says. All have eth1 to eth12, read twice; spine2 eth12 counts bad frames. */
const world = (
  tables: Readonly<Record<string, readonly Row[]>>,
  ownNames: Readonly<Record<string, string>> = {},
) => {
  const readings = new Sources();
  for (const [host, rows] of Object.entries(tables)) {
    for (const seconds of [0, 10]) {
      const ports = Array.from({ length: 12 }, (_, at) => {
        const bad = host === 'spine2' && at === 11 ? seconds * 300 : 0;
        const name = `eth${at + 1}`;
        const counts = { rxPackets: BigInt(seconds * 20_000), rxCrc: BigInt(bad) };
        return { port: name, name, link: 'connected', state: 'up', counts };
      });
      readings.good('switch.counters', host, { ports }, start + seconds * 1000, 20, 2);
    }
    const neighbors = rows.map(([port, neighbor, portText, chassisId]) => ({
      port,
      neighbor,
      portText,
      ...(chassisId !== undefined && { chassisId }),
    }));
    const ownName = ownNames[host];
    readings.good('switch.neighbors', host, { neighbors, ...(ownName !== undefined && { ownName }) });
  }
  const found = findings(judgementOf({ readings, site, now: start + 10_000 }));
  return {
    severities: found.map(({ kind, severity, subject }) => `${kind} ${subject.id} ${severity}`),
    suspects: found.flatMap(({ kind, suspects = [] }) =>
      kind === 'bad-link' ? suspects.map(({ subject }) => subject.id) : [],
    ),
    evidence: found.flatMap(({ evidence }) => evidence.map(({ text }) => String(text))),
    summaries: found.map(({ summary }) => String(summary)),
    kinds: found.map(({ kind, subject }) => `${kind} ${subject.id}`),
    links: linksOf(readings, site).map(({ a, b, doubt }) => `${a.id} ${b.id} ${doubt ?? 'sure'}`),
  };
};

describe('a device that is its own neighbour', () => {
  it('two systems that have the names of each other: said, and no end is named by them', () => {
    const { kinds, summaries } = world({
      leaf7: [['eth2', 'leaf7', 'Ethernet12']],
      spine2: [['eth12', 'spine2', 'Ethernet2']],
    });
    expect(kinds).toEqual(
      expect.arrayContaining(['identity leaf7', 'identity spine2', 'bad-link spine2:eth12']),
    );
    expect(summaries[0]).toContain('suspect a device that calls itself spine2, Ethernet2');
  });

  it('a third device proves by its chassis which is which', () => {
    const { links } = world({
      leaf7: [
        ['eth2', 'leaf7', 'Ethernet12', 'cc:00:00:00:00:02'],
        ['eth5', 'core1', 'Ethernet1', 'cc:00:00:00:00:03'],
      ],
      spine2: [
        ['eth12', 'spine2', 'Ethernet2', 'cc:00:00:00:00:01'],
        ['eth6', 'core1', 'Ethernet2', 'cc:00:00:00:00:03'],
      ],
      // By the names that the two give themselves.
      core1: [
        ['eth1', 'spine2', 'Ethernet5', 'cc:00:00:00:00:01'],
        ['eth2', 'leaf7', 'Ethernet6', 'cc:00:00:00:00:02'],
      ],
    });
    expect(links).toContain('leaf7:eth2 spine2:eth12 name');
  });

  it('silent: a cable between two ports of one device', () => {
    const { links, kinds } = world({
      leaf7: [
        ['eth3', 'leaf7', 'Ethernet4'],
        ['eth4', 'leaf7', 'Ethernet3'],
      ],
    });
    expect(links).toEqual(['leaf7:eth3 leaf7:eth4 sure']);
    expect(kinds).toEqual([]);
  });

  it('silent: names that agree', () => {
    const { links, kinds } = world({
      leaf7: [['eth2', 'spine2.example.org', 'Ethernet11']],
      spine2: [['eth11', 'LEAF7', 'Ethernet2']],
    });
    expect(links).toEqual(['leaf7:eth2 spine2:eth11 sure']);
    expect(kinds.filter((kind) => kind.startsWith('identity'))).toEqual([]);
  });
});

describe('what a device calls itself in its prompt', () => {
  const swapped = {
    leaf7: [['eth2', 'leaf7', 'Ethernet12']],
    spine2: [['eth12', 'spine2', 'Ethernet2']],
  } as const;

  it('tells which of two is which, and that their names are mixed up', () => {
    const { links, severities, suspects, evidence } = world(swapped, { leaf7: 'spine2', spine2: 'LEAF7' });
    expect(links).toEqual(['leaf7:eth2 spine2:eth12 sure']);
    expect(severities).toEqual([
      'bad-link spine2:eth12 critical',
      'identity leaf7 warning',
      'identity spine2 warning',
    ]);
    expect(suspects[0]).toBe('leaf7:eth2');
    expect(evidence).toContain('leaf7 calls itself spine2: see which device that is first');
  });

  it('of one alone, whose name another has that was not read: no link is made of that name', () => {
    const { links, severities } = world(
      { leaf7: [['eth2', 'spine2', 'Ethernet12']], core1: [['eth12', 'leaf7', 'Ethernet2']] },
      { core1: 'spine2' },
    );
    // Both tables say the same of each other: that decides, whatever the names are.
    expect(links).toEqual(['core1:eth12 leaf7:eth2 name']);
    expect(severities).toContain('identity core1 warning');
    const alone = world({ leaf7: [['eth2', 'spine2', 'Ethernet12']], core1: [] }, { core1: 'spine2' });
    expect(alone.links).toEqual([
      expect.stringMatching(/^a device that calls itself spine2, Ethernet12 leaf7:eth2 name$/),
    ]);
  });

  it('two names that may lead to one device are a notice', () => {
    const { severities } = world({ leaf7: [], spine2: [] }, { leaf7: 'leaf7', spine2: 'leaf7' });
    expect(severities).toContain('identity spine2 notice');
    expect(severities).not.toContain('identity leaf7 notice');
  });

  it.each([
    ['the names of the site file, in full or in capitals', { leaf7: 'leaf7.example.org', spine2: 'SPINE2' }],
    ['names of the factory, and of nobody here', { leaf7: 'Force10', spine2: 'old-spine' }],
    ['no name', {}],
  ])('silent: %s', (_what, names) => {
    const { links, kinds } = world(
      {
        leaf7: [['eth2', 'spine2', 'Ethernet11']],
        spine2: [['eth11', 'leaf7', 'Ethernet2']],
      },
      names as Readonly<Record<string, string>>,
    );
    expect(links).toEqual(['leaf7:eth2 spine2:eth11 sure']);
    expect(kinds.filter((kind) => kind.startsWith('identity'))).toEqual([]);
  });
});
