import { describe, expect, it } from 'vitest';
import { type Printed, type PrintedMdt, type PrintedOst, PrintedSite } from '../printed-site.ts';

const osts = (count: number, more: (index: number) => Partial<PrintedOst> = () => ({})): PrintedOst[] =>
  Array.from({ length: count }, (_, index) => ({ oss: `oss${1 + Math.floor(index / 4)}`, ...more(index) }));
const mdt = (more: Partial<PrintedMdt> = {}): PrintedMdt => ({ mds: 'mds1', ...more });
const two = [mdt(), mdt({ mds: 'mds2' })];
const siteOf = (printed: Partial<Printed>): PrintedSite =>
  new PrintedSite({ mdts: [mdt()], osts: osts(8), ...printed });
const retired = { active: { 0: 0, 1: 0 }, clientActive: 0 };

/** Sites on which nothing is wrong, or what is odd is meant so. */
const healthy: readonly (readonly [string, Partial<Printed>])[] = [
  ...['2.5.3.90', '2.7.0', '2.8.0', '2.10.8', '2.12.9', '2.14.0', '2.15.8', '2.16.1', '2.17.0'].map(
    (version) => [`release ${version}`, { version }] as const,
  ),
  ['a release of a vendor', { version: '2.12.6_ddn72' }],
  ['one MDT and one OST', { osts: osts(1) }],
  ['400 OSTs', { osts: osts(400) }],
  ['indexes over 0x00ff', { osts: osts(300), fs: 'data_1' }],
  ['a name with a dash', { fs: 'fs-a' }],
  ['a name of eight letters', { fs: 'scratch2' }],
  ['four MDTs on two servers', { mdts: [...two, ...two] }],
  [
    'a striped directory over two MDTs, one nearly empty',
    { mdts: [mdt(), mdt({ mds: 'mds2', free: 0.999 })] },
  ],
  ['ten clients', { clients: Array.from({ length: 10 }, (_, at) => `n${at}`) }],
  ['no client is asked', { clients: [] }],
  ['all connections to OSTs idle', { osts: osts(8, () => ({ client: 'IDLE' })) }],
  ['a third of them idle', { osts: osts(8, (at) => (at % 3 ? {} : { client: 'IDLE' })) }],
  ['a passive MDS', { idle: { mds2: 'lustre-mds' } }],
  ['a passive OSS', { idle: { oss9: 'lustre-oss' } }],
  [
    'passive partners without modules',
    { idle: { mds2: 'lustre-mds', oss9: 'lustre-oss' }, unloaded: ['mds2', 'oss9'] },
  ],
  ['a management server of its own', { idle: { mgs1: 'lustre-mds' }, mgs: 'mgs1' }],
  ['another centre’s file system', { home: 'FULL' }],
  ['another centre’s file system, idle', { home: 'IDLE' }],
  ['an OST taken out for good', { osts: osts(8, (at) => (at === 3 ? retired : {})) }],
  [
    'four OSTs taken out, their OSS is gone',
    { osts: osts(8, (at) => (at > 3 ? { ...retired, mounted: false } : {})), down: ['oss2'] },
  ],
  [
    'an OST taken out, two MDTs',
    { mdts: two, osts: osts(8, (at) => (at === 3 ? { ...retired, mounted: false } : {})) },
  ],
  [
    'an OST deleted, off the clients’ lists',
    { osts: osts(8, (at) => (at === 3 ? { active: { 0: 0 }, mounted: false, lackedBy: ['login1'] } : {})) },
  ],
  [
    'no client to recover',
    {
      osts: osts(8, () => ({ recovery: 'status: INACTIVE' })),
      mdts: [mdt({ recovery: 'status: INACTIVE' })],
    },
  ],
  ['94 % used everywhere', { osts: osts(8, () => ({ free: 0.06 })) }],
  ['a new OST, empty', { osts: osts(8, (at) => (at === 7 ? { free: 0.999, filesFree: 0.9999 } : {})) }],
  [
    'an OST kept from new files, degraded',
    { osts: osts(8, (at) => (at === 2 ? { degraded: 1, flags: 'D' } : {})) },
  ],
  ['ZFS, inodes by the free space', { osts: osts(8, () => ({ files: 2e8, filesFree: 0.4 })) }],
  ['a backend that counts no inodes', { osts: osts(8, () => ({ files: 0 })) }],
  ['flash OSTs', { osts: osts(8, (at) => (at < 4 ? { flags: 'f' } : {})) }],
  ['not yet any object to give (-11)', { osts: osts(8, (at) => (at < 4 ? { prealloc: -11 } : {})) }],
  ['one server for all', { mdts: [mdt({ mds: 'oss1' })], osts: osts(4), mgs: 'oss1' }],
  [
    'a partner serves OSTs of a server that is down',
    { osts: osts(8, () => ({ oss: 'oss2' })), idle: { oss1: 'lustre-oss' }, down: ['oss1'] },
  ],
  [
    'a partner serves the MDT of a server that is down',
    { mdts: [mdt({ mds: 'mds2' })], idle: { mds1: 'lustre-mds' }, down: ['mds1'], mgs: 'mds2' },
  ],
  ['a client that does not answer', { clients: ['login1', 'n1'], down: ['n1'] }],
  ['all compute nodes that are asked are off', { clients: ['n1', 'n2'], down: ['n1', 'n2'] }],
  ['two NIDs of the management server', { mgsNid: { login1: '10.1.0.1@tcp' } }],
];

describe('a healthy site', () => {
  it.each(healthy)('%s: nothing above a notice', (_, printed) => {
    const site = siteOf(printed);
    expect(site.loud()).toEqual([]);
    // Nor when it is asked once more.
    expect(site.later(30).loud()).toEqual([]);
  });

  const target = {
    recovery:
      'status: COMPLETE\nrecovery_start: 1763605200\nrecovery_duration: 2\ncompleted_clients: 412/412',
  };
  it.each<[string, Partial<Printed>, Partial<Printed>]>([
    ['a fail-over of OSTs', {}, { osts: osts(8, () => ({ oss: 'oss2', ...target })), down: ['oss1'] }],
    [
      'a fail-over of the MDT',
      { idle: { mds2: 'lustre-mds' } },
      { mdts: [mdt({ mds: 'mds2', ...target })], down: ['mds1'], mgs: 'mds2' },
    ],
    [
      'a fail-over back',
      { osts: osts(8, () => ({ oss: 'oss2' })), idle: { oss1: 'lustre-oss' } },
      { osts: osts(8) },
    ],
    ['an OST is taken out', {}, { osts: osts(8, (at) => (at === 3 ? retired : {})) }],
    ['a client unmounts and mounts', {}, { osts: osts(8, () => ({ client: 'NEW' })) }],
    ['clients of two are rebooted', { clients: ['a', 'b'] }, { down: ['a'] }],
  ])('after %s: nothing above a notice', (_, before, then) => {
    expect(siteOf(before).later(60, then).loud()).toEqual([]);
  });
});

describe('OSTs that an MDT does not list', () => {
  const kinds = (site: PrintedSite): readonly string[] =>
    site.said().filter((line) => /mdt-lacks/.test(line));

  it('an MDT that lists none is being mounted', () => {
    const none = osts(8, () => ({ unknownTo: [1] }));
    expect(kinds(new PrintedSite({ mdts: two, osts: none }))).toEqual([]);
  });

  it('an OST that is retired, or that no MDT reaches, is lacked by nobody', () => {
    for (const more of [{ active: { 0: 0 } }, { states: { 0: 'DISCONN' } }])
      expect(
        kinds(
          new PrintedSite({
            mdts: two,
            osts: osts(8, (at) => (at === 7 ? { unknownTo: [1], ...more } : {})),
          }),
        ),
      ).toEqual([]);
  });

  it('what the reading before listed was there: one answer proves nothing', () => {
    const site = new PrintedSite({ mdts: two, osts: osts(8) });
    const lacks = osts(8, (at) => (at === 7 ? { unknownTo: [1] } : {}));
    expect(kinds(site.later(30, { osts: lacks }))).toEqual([]);
    expect(kinds(site.later(30, { osts: lacks }))).toHaveLength(1);
  });
});

describe('an OST that nobody has in its configuration', () => {
  const unused = (site: PrintedSite): readonly string[] =>
    site.said().filter((line) => /ost-unused/.test(line));
  const siteWith = (printed: Partial<Printed>): PrintedSite =>
    new PrintedSite({ mdts: two, osts: osts(8), ...printed });
  const kinds = (printed: Partial<Printed>): readonly string[] => unused(siteWith(printed).later(10));
  const only = (more: Partial<PrintedOst>): PrintedOst[] =>
    osts(8, (at) => (at === 7 ? { unknownTo: [0, 1], lackedBy: ['login1'], ...more } : {}));

  it('is none where one MDT or a client knows it', () => {
    expect(kinds({ osts: only({ unknownTo: [1] }) })).toEqual([]);
    expect(kinds({ osts: only({ lackedBy: [] }) })).toEqual([]);
    expect(kinds({ osts: only({}) })).toEqual([
      expect.stringMatching(
        /^notice ost-unused: work-OST0007 mounted on oss2, but in nobody's configuration/,
      ),
    ]);
  });

  it('is not told of one that was mounted since the readings before: it is heard of within seconds', () => {
    const added = only({});
    const site = siteWith({ osts: osts(7) });
    expect(unused(site.later(10, { osts: added }))).toEqual([]);
    expect(unused(site.later(10))).toEqual([]);
    expect(unused(siteWith({ osts: added }))).toEqual([]);
    expect(unused(siteWith({ osts: added }).later(10))).toHaveLength(1);
  });

  it('is not told while an MDT lists no OST, being mounted, or was not read', () => {
    expect(kinds({ osts: osts(8, () => ({ unknownTo: [0, 1], lackedBy: ['login1'] })) })).toEqual([]);
    expect(kinds({ osts: only({}), mdts: [mdt(), mdt({ mds: 'mds2', mounted: false })] })).toEqual([]);
  });
});
