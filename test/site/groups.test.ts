import { describe, expect, it } from 'vitest';
import type { Told } from '../../src/model/site.ts';
import { resolveOutside, createGroups } from '../../src/site/groups.ts';
import { parseSite } from '../../src/site/parse.ts';
import { expandSet } from '../../src/text/set-arithmetic.ts';
import { knowledge } from './knowledge.ts';
import { faults, parse } from './parsing.ts';

const site = (...lines: string[]): string => ['site: test', ...lines].join('\n');

describe('groups in the site file', () => {
  it('stand for hosts, in one another and with operators, and roles follow', () => {
    const { site: made } = parse(
      site(
        'groups: {compute: "node[1-4]", gpu: "@compute&node[3-9]", plain: "@compute!@gpu"}',
        'hosts:',
        '  - {names: "@plain", roles: [compute], location: {rack: "r[1-2]"}}',
        '  - {names: "@gpu,ctl1", roles: [slurm-controller]}',
        '  - {names: "g[1-4]!g2", roles: [gluster]}',
        'traffic: [{probe: gluster.flood, between: "02:00-05:00", every: 6h, hosts: "g[1-3]^g[2-3]"}]',
        'windows: [{from: 2026-12-01T08:00Z, to: 2026-12-01T16:00Z, subjects: ["@gpu", "rack:r1", "home0@g1"], text: work}]',
      ),
    );
    expect(made.hosts.map(({ name, location }) => `${name}${location['rack'] ?? ''}`)).toEqual(
      'node1r1 node2r2 node3 node4 ctl1 g1 g3 g4'.split(' '),
    );
    expect(made.traffic?.[0]?.hosts).toEqual(['g1']);
    expect(made.windows[0]?.subjects).toEqual(['node3', 'node4', 'rack:r1', 'home0@g1']);
    expect(made.groups).toEqual({ compute: 'node[1-4]', gpu: '@compute&node[3-9]', plain: '@compute!@gpu' });
  });

  it('say what is wrong where it stands', () => {
    const wrong = site(
      'groups:',
      '  a: "@b"',
      '  b: "node1,@a"',
      '  gpu: node[3-4]',
      '  bad: "node["',
      '  "!": node1',
      'hosts:',
      '  - {names: "@gup", roles: [compute]}',
      '  - {names: "@gpu!@gpu", roles: [compute]}',
    );
    expect(faults(wrong)).toEqual([
      'site.yaml:3:6: the group @a holds itself: @a, which holds @b, which holds @a',
      'site.yaml:4:6: the group @a holds itself: @a, which holds @b, which holds @a',
      'site.yaml:6:8: brackets do not match in "node["',
      'site.yaml:7:8: groups.! is not a good name; use letters, digits, "-" and "_"',
      'site.yaml:9:13: there is no group "@gup"; write names like ctl1 or "node[1-200]"',
      'site.yaml:10:13: "@gpu!@gpu" stands for no name at all',
    ]);
  });

  it('are bounded in depth and size', () => {
    const deep = Array.from({ length: 40 }, (_, at) => `  g${at}: "@g${at + 1}"`);
    expect(faults(site('groups:', ...deep, '  g40: n1', 'hosts: [{names: n1}]'))[0]).toContain(
      'groups are nested more than 32 deep: @g0',
    );
    const wide = Array.from({ length: 12 }, (_, at) => `  g${at}: "n[1-100000]"`);
    expect(faults(site('groups:', ...wide, 'hosts: [{names: n1}]'))[0]).toContain(
      'with "@g10" the groups hold more than 1000000 names',
    );
  });
});

const answered = new Map<string, Told>([
  ['gpu', ['node5', 'node6']],
  ['slow', { why: 'ClusterShell did not answer', known: [] }],
  ['gup', { why: 'ClusterShell has none of that name, or it is empty', known: ['gpu', 'compute'] }],
]);

describe('groups from elsewhere', () => {
  it('are asked for once each, together, and the file goes first', async () => {
    const asked: (readonly string[])[] = [];
    const text = site('groups: {own: node1, both: "@own,@gpu"}', 'hosts: [{names: "@both,@own,@slow"}]');
    const lines = await resolveOutside(
      (outside) => {
        try {
          return parseSite(text, 'site.yaml', knowledge, outside);
        } catch (error) {
          return String(error);
        }
      },
      async (names) => {
        asked.push(names);
        return answered;
      },
    );
    expect(asked.flat().toSorted()).toEqual(['gpu', 'slow']);
    expect(lines).toContain(
      'site.yaml:3:17: there is no group "@slow"; ClusterShell did not answer; known: own, both',
    );
  });

  it('say which name is near', () => {
    const groups = createGroups({ mine: 'node1' }, { answered, wanted: new Set() });
    expect(() => expandSet('@gup', groups)).toThrow('there is no group "@gup"; did you mean "@gpu"?');
    expect(() => expandSet('@mine,@mime', groups)).toThrow('there is no group "@mime"');
    expect(expandSet('@gpu!node5', groups)).toEqual(['node6']);
  });

  it('never hand a name to a source that a shell would take apart', () => {
    const wanted = new Set<string>();
    const groups = createGroups({}, { answered: new Map(), wanted });
    for (const name of ['@a;reboot', '@$(id)', '@a b', '@*', '@-s', '@x:`id`', "@'"])
      expect(() => expandSet(name, groups)).toThrow(/is no group|empty name/);
    expect([...wanted]).toEqual([]);
  });
});
