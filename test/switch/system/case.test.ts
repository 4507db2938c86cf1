import { describe, expect, it } from 'vitest';
import { groundText } from '../../../probes/switch/verdict/case.ts';
import { caseOf } from '../../../probes/switch/verdict/case-of.ts';
import { detail } from '../../../probes/switch/view/detail.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import type { Link } from '../../../probes/switch/links/link.ts';
import { mayPass } from '../../../probes/switch/links/paths.ts';
import type { Port, Repair } from '../../../probes/switch/readings.ts';
import { repairsAt } from '../../../probes/switch/verdict/noted-repairs.ts';
import { linkStates, stateAt } from '../../../probes/switch/judge/states.ts';
import { matrixGrid } from '../../../probes/switch/matrix/view.ts';
import type { Note } from '../../../src/model/note.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { viewOf } from '../../../src/site/view.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const hosts = [
  { name: 'spine', roles: ['switch'], platform: 'mellanox_onyx' },
  { name: 'leaf', roles: ['switch'], platform: 'mellanox_onyx' },
  { name: 'core', roles: ['switch'], platform: 'arista_eos' },
  { name: 'n1', roles: ['nic', 'ping-client'] },
  { name: 's1', roles: ['nic'] },
];

type Counts = Readonly<Record<string, number>>;

/** A port that counts so much a second. */
const port = (name: string, perSecond: Counts, seconds: number, more: Partial<Port> = {}): Port => ({
  port: name,
  name,
  link: 'up',
  counts: Object.fromEntries(
    Object.entries(perSecond).map(([key, value]) => [key, BigInt(Math.round(1000 + value * seconds))]),
  ),
  ...more,
});

interface World {
  /** Per host and port: counters per second. */
  ports: Readonly<Record<string, Readonly<Record<string, Counts>>>>;
  links: readonly (readonly [string, string])[];
  notes?: readonly Note[];
  repairs?: readonly Repair[];
  marks?: readonly { at: number; port: string; by: string }[];
  history?: Parameters<typeof historyOf>[0];
  cells?: readonly { server: string; bytes: number; sent: number; received: number; mtu?: number }[];
  more?: Partial<Port>;
}

/** A site in which every port was read three times, 10 s apart. */
const world = (given: World): Judgement => {
  const { ports, links, notes = [], repairs = [], marks = [], history, cells, more = {} } = given;
  const readings = new Sources();
  for (const [host, own] of Object.entries(ports)) {
    const at = (seconds: number) => ({
      probe: 'switch.counters',
      host,
      at: start + seconds * 1000,
      mono: seconds * 1000,
      durationMs: 1,
      notUnderstood: 0,
      value: { ports: Object.entries(own).map(([name, counts]) => port(name, counts, seconds, more)) },
    });
    readings.good('switch.counters', host, at(20).value, start + 20_000);
    const known = readings.source('switch.counters', host);
    if (known) readings.put({ ...known, good: at(20), before: [at(10), at(0)] });
  }
  readings.good('switch.journal', 'core', { repairs, baselines: marks, shut: [], moved: [] }, start);
  if (cells) readings.good('switch.matrix', 'n1', { cells }, start);
  const plain = siteOf(hosts);
  const site = viewOf({
    ...plain,
    settings: { switch: { matrix: { servers: [{ name: 's1', address: '10.0.0.1' }] } } },
    links: links.map(([from, to]) => ({ from, to })),
  });
  const of: NonNullable<Judgement['notes']> = {
    listAll: () => notes,
    notesOf: ({ kind, id }) => notes.filter(({ subject }) => subject.kind === kind && subject.id === id),
  };
  return judgementOf({
    readings,
    site,
    now: start + 20_000,
    mono: 20_000,
    notes: of,
    ...(history && { history: historyOf(history) }),
  });
};

const fine = { rxPackets: 1000, txPackets: 1000, rxCrc: 0, txErrors: 0 };
const bad = { ...fine, rxCrc: 50 };

const row: readonly (readonly [string, string])[] = [
  ['core:eth1', 'spine:eth1/1'],
  ['spine:eth1/2', 'leaf:eth1/2'],
  ['leaf:eth1/9', 'n1:eth0'],
  ['core:eth9', 's1:eth0'],
];

describe('frames damaged far upstream of a row of switches that cut through', () => {
  const judgement = world({
    links: row,
    ports: {
      core: { eth1: fine, eth9: fine },
      spine: { 'eth1/1': bad, 'eth1/2': fine },
      leaf: { 'eth1/2': bad, 'eth1/9': fine },
      n1: { eth0: bad },
    },
  });
  const first = (id: string) => stateAt(judgement, id)?.worst.verdict;

  it('every link below points at the first receiver, that link at its own sender', () => {
    expect(first('n1:eth0')?.causes[0]).toMatchObject({ kind: 'upstream', at: { name: 'core eth1' } });
    expect(first('n1:eth0')?.causes[0]?.evidence.map(groundText).join()).toContain(
      'spine eth1/1 receives bad frames from core eth1, on through spine',
    );
    expect(first('leaf:eth1/2')?.causes[0]).toMatchObject({ kind: 'upstream', at: { name: 'core eth1' } });
    expect(first('spine:eth1/1')?.causes[0]).toMatchObject({ kind: 'farOptic', at: { name: 'core eth1' } });
  });

  it('a port of a host is an end of a link like any other', () => {
    expect(findings(judgement).map(({ subject }) => subject.id)).toContain('n1:eth0');
  });
});

describe('repairs', () => {
  const links: World['links'] = [['core:eth1', 'spine:eth1/1']];
  const ports = { core: { eth1: bad }, spine: { 'eth1/1': fine } };
  const note = (subject: Note['subject'], part: string, more: Partial<Note> = {}): Note => ({
    id: `${subject.id} ${part}`,
    kind: 'repair',
    subject,
    part,
    text: `${part} done`,
    who: 'bea',
    at: start - 3_600_000,
    ...more,
  });
  const at = { kind: 'port', id: 'spine:eth1/1' } as const;
  const firstOf = (judgement: Judgement) => stateAt(judgement, 'core:eth1')?.worst.verdict?.first.at.name;

  it('a note of a repair moves the verdict as one of the journal does', () => {
    expect(firstOf(world({ links, ports }))).toBe('spine eth1/1');
    expect(firstOf(world({ links, ports, notes: [note(at, 'optic')] }))).toBe('core eth1');
    expect(firstOf(world({ links, ports, notes: [note(at, 'new SFP')] }))).toBe('core eth1');
  });

  it('what is no repair, or came after the errors that count, moves nothing', () => {
    expect(firstOf(world({ links, ports, notes: [note(at, 'optic', { kind: 'note' })] }))).toBe(
      'spine eth1/1',
    );
    expect(firstOf(world({ links, ports, notes: [note(at, 'optic', { at: start + 15_000 })] }))).toBe(
      'spine eth1/1',
    );
  });

  it('a repair of the far side is noted on this end: the row of a link is one', () => {
    const here = { kind: 'port', id: 'core:eth1' } as const;
    const judgement = world({ links, ports, notes: [note(here, 'far optic')] });
    expect(firstOf(judgement)).toBe('core eth1');
    expect(firstOf(world({ links, ports, notes: [note(here, 'optic')] }))).toBe('spine eth1/1');
  });

  it('a note on the link is about the cable, not about either optic', () => {
    const link = { kind: 'link', id: 'core:eth1=spine:eth1/1' } as const;
    const judgement = world({ links, ports, notes: [note(link, 'fibre'), note(link, 'optic')] });
    const known = stateAt(judgement, 'core:eth1')?.link;
    expect(repairsAt(judgement, 'core:eth1', known).map(({ part }) => part)).toEqual(['fibre']);
    expect(firstOf(judgement)).toBe('spine eth1/1');
  });

  it('the same repair told by the action and by a note is one', () => {
    const repairs = [
      { at: start - 3_600_000, port: at.id, part: 'optic', text: 'swapped', by: 'bea' } as const,
    ];
    const judgement = world({ links, ports, repairs, notes: [note(at, 'optic', { at: start - 3_590_000 })] });
    expect(repairsAt(judgement, at.id)).toHaveLength(1);
  });
});

describe('a link that just came up', () => {
  const links: World['links'] = [['core:eth1', 'spine:eth1/1']];
  const ports = { core: { eth1: bad }, spine: { 'eth1/1': fine } };
  const came = (seconds: number) => ({
    'switch/port/core:eth1/link': [
      { at: start - 1_200_000, value: 'up' },
      { at: start - 600_000, value: 'down' },
      { at: start + 20_000 - seconds * 1000, value: 'up' },
    ],
  });

  it('is silent for a minute, then its errors count and that it went down is told', () => {
    expect(findings(world({ links, ports, history: came(30) }))).toEqual([]);
    const later = world({ links, ports, history: came(90) });
    expect(findings(later)).toHaveLength(1);
    const { a, b, link } = linkStates(later)[0] ?? {};
    if (!a || !b || !link) throw new Error('no link');
    expect(caseOf(link, b, a, later)).toMatchObject({ flaps: 1, linkedForSeconds: 90 });
  });
});

describe('a link that was up for days', () => {
  const links: World['links'] = [['core:eth1', 'spine:eth1/1']];
  const ports = { core: { eth1: bad }, spine: { 'eth1/1': fine } };
  const changes = (...list: readonly (readonly [ago: number, value: string])[]) => ({
    'switch/port/core:eth1/link': list.map(([ago, value]) => ({ at: start + 20_000 - ago * 1000, value })),
  });

  it('is silent as well for a minute after it came back from hours without light', () => {
    const history = changes([864_000, 'up'], [7200, 'down'], [30, 'up']);
    expect(findings(world({ links, ports, history }))).toEqual([]);
    expect(findings(world({ links, ports, history: changes([30, 'up']) }))).toHaveLength(1);
  });

  it('counts the first time it went down in this hour', () => {
    const later = world({ links, ports, history: changes([864_000, 'up'], [900, 'down'], [600, 'up']) });
    const { a, b, link } = linkStates(later)[0] ?? {};
    if (!a || !b || !link) throw new Error('no link');
    expect(caseOf(link, b, a, later)).toMatchObject({ flaps: 1, linkedForSeconds: 600 });
  });
});

describe('bad frames since a mark', () => {
  const links: World['links'] = [['core:eth1', 'spine:eth1/1']];
  const ports = { core: { eth1: bad }, spine: { 'eth1/1': fine } };
  /** The port counts 1000 at the start and 50 more each second, for 20 s. */
  const since = (history: World['history']): string => {
    const marks = [{ at: start, port: 'core:eth1', by: 'bea' }];
    const judgement = world({ links, ports, marks, ...(history && { history }) });
    const blocks = detail({ kind: 'port', id: 'core:eth1' }, judgement);
    const block = blocks.find(({ id }) => id === 'repairs');
    return block?.type === 'text' ? (block.lines[0]?.text ?? '') : '';
  };
  const total = 'switch/port/core:eth1/total';

  it('count from what stood there then, however long it had stood', () => {
    const history = {
      [total]: [
        { at: start - 864_000_000, value: 1000n },
        { at: start + 20_000, value: 2000n },
      ],
    };
    expect(since(history)).toContain('1,000 bad frames since the mark of bea');
    expect(since({ [total]: [{ at: start - 60_000, value: 2000n }] })).toContain(' 0 bad frames since');
  });

  it('count from nought where the port was read and had none', () => {
    const history = {
      'switch/port/core:eth1/bad': [{ at: start - 60_000, value: 0 }],
      [total]: [{ at: start + 10_000, value: 1500n }],
    };
    expect(since(history)).toContain('2,000 bad frames since');
  });

  it('are not known of a port that nobody read before', () => {
    expect(since({ [total]: [{ at: start + 10_000, value: 1500n }] })).toContain('no bad frames known since');
  });
});

describe('a port that sends bad frames which nobody receives', () => {
  it('is a finding about that port', () => {
    const judgement = world({
      links: [['core:eth1', 'leaf:eth1/2']],
      ports: { core: { eth1: { ...fine, txErrors: 40 } }, leaf: { 'eth1/2': fine } },
    });
    const [found, ...more] = findings(judgement);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ severity: 'warning', subject: { id: 'core:eth1' } });
    expect(found?.summary).toBe('core eth1 sends 40 bad frames/s (4.0 %) to leaf eth1/2, suspect core eth1');
  });

  it('is none when the other end receives them: then that is the finding', () => {
    const judgement = world({
      links: [['core:eth1', 'leaf:eth1/2']],
      ports: { core: { eth1: { ...fine, txErrors: 40 } }, leaf: { 'eth1/2': bad } },
    });
    expect(findings(judgement).map(({ subject }) => subject.id)).toEqual(['leaf:eth1/2']);
  });
});

describe('the jumbo matrix as evidence', () => {
  const ports = {
    core: { eth1: bad, eth9: fine, eth5: bad },
    spine: { 'eth1/1': fine, 'eth1/2': fine, 'eth1/5': fine },
    leaf: { 'eth1/2': fine, 'eth1/9': fine },
    n1: { eth0: fine },
    s1: { eth0: fine },
  };
  const cells = [
    { server: 's1', bytes: 56, sent: 20, received: 20 },
    { server: 's1', bytes: 8972, sent: 20, received: 16 },
  ];
  const jumboOf = (judgement: Judgement, id: string) => {
    const state = stateAt(judgement, id);
    return state && caseOf(state.link, state.other, state.worst, judgement).jumbo;
  };

  it('counts for the links on the way, not for others', () => {
    const judgement = world({ links: [...row, ['core:eth5', 'storage-9:1']], ports, cells });
    expect(jumboOf(judgement, 'core:eth1')).toEqual({ lossy: 1, cells: 1, onPath: true });
    expect(jumboOf(judgement, 'core:eth5')).toEqual({ lossy: 0, cells: 0, onPath: true });
  });

  it('where no way is known all cells are told, and not as this link’s', () => {
    const judgement = world({ links: row.slice(0, 2), ports, cells });
    expect(jumboOf(judgement, 'core:eth1')).toEqual({ lossy: 1, cells: 1, onPath: false });
  });

  it('a way over two equal links may lead over either', () => {
    const link = (a: string, b: string): Link => ({
      id: `${a}=${b}`,
      a: { id: a, host: a.split(':')[0] ?? '', port: 'x' },
      b: { id: b, host: b.split(':')[0] ?? '', port: 'x' },
      by: 'both ends',
    });
    const links = [link('c:1', 'm:1'), link('c:2', 'k:1'), link('m:2', 's:1'), link('k:2', 's:2')];
    expect(links.map((one) => mayPass(links, one, 'c', 's'))).toEqual([true, true, true, true]);
    expect(links.map((one) => mayPass(links, one, 'c', 'm'))).toEqual([true, false, false, false]);
    expect(links.map((one) => mayPass(links, one, 'c', 'elsewhere'))).toEqual(Array(4).fill(undefined));
  });
});

describe('the grid of the matrix', () => {
  const grid = (jumbo: Partial<{ sent: number; received: number; mtu: number }>, small = 20) =>
    matrixGrid(
      world({
        links: [],
        ports: {},
        cells: [
          { server: 's1', bytes: 56, sent: 20, received: small },
          { server: 's1', bytes: 8972, sent: 20, received: 20, ...jumbo },
        ],
      }),
    )?.rows[0]?.cells[0];

  it.each([
    ['clean', {}, 20, '20/20 20/20', 'fine'],
    ['jumbo lossy beside clean small ones', { received: 16 }, 20, '20/20 16/20', 'critical'],
    ['both lossy: the host or congestion, no cable', { received: 16 }, 18, '18/20 16/20', 'warning'],
    ['a limit that somebody told', { received: 0, mtu: 1500 }, 20, '20/20 MTU 1500', 'warning'],
    ['none of many got through: a limit that nobody told', { received: 0 }, 20, '20/20 0/20 MTU?', 'warning'],
    ['too few sent to tell a limit from loss', { sent: 2, received: 0 }, 20, '20/20 0/2', 'critical'],
    ['nothing sent', { sent: 0, received: 0 }, 20, '20/20 0/0', 'unknown'],
  ])('%s', (_, jumbo, small, text, sign) => {
    expect(grid(jumbo, small)).toMatchObject({ text, sign });
  });

  it('says when it runs: by a person, and by the clock where the site file allows it', () => {
    const judgement = world({ links: [], ports: {}, cells: [] });
    expect(matrixGrid(judgement)?.title).toContain('reading a client again runs it');
    const rule = {
      probe: 'switch.matrix',
      hosts: ['n1'],
      everyMs: 21_600_000,
      from: 120,
      to: 300,
      zone: 'UTC',
    };
    const site = viewOf({ ...judgement.site, traffic: [rule] });
    expect(matrixGrid({ ...judgement, site })?.title).toContain(
      'reading a client again runs it and 02:00-05:00 UTC every 6 h',
    );
  });
});
