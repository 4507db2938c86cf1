import { describe, expect, it } from 'vitest';
import { groupClues, placesInNames } from '../../../src/commands/init/host-lists.ts';

describe('groups that people keep', () => {
  const said = (groups: string, genders = '') => [
    {
      host: 'admin1',
      printed: new Map([
        ['groups', { text: groups, code: 0 }],
        ['genders', { text: genders, code: 0 }],
      ]),
    },
  ];

  it('those of racks are proposed as places, others are told', () => {
    const { notes, places } = groupClues(
      said(
        '/usr/bin/nodeset\n@compute node[1-4]\n@rack1 node[1-2]\n',
        '# genders\nnode[3-4] compute,rack=r2\n',
      ),
      ['node1', 'node3'],
    );
    expect(places).toEqual([
      { label: 'rack', value: 'rack1', hosts: 'node[1-2]', from: 'ClusterShell on admin1' },
      { label: 'rack', value: 'r2', hosts: 'node[3-4]', from: 'genders on admin1' },
    ]);
    expect(notes).toEqual([
      'ClusterShell on admin1 has the group compute; to use it here: groups: { compute: "node[1-4]" }',
      'genders on admin1 has the group compute; to use it here: groups: { compute: "node[3-4]" }',
    ]);
  });

  it('those of none of the hosts found are left out, as are the examples of a package', () => {
    expect(groupClues(said('@all example[4-6,32-159]\n'), ['node1'])).toEqual({ notes: [], places: [] });
  });
});

describe('racks in names', () => {
  it('are proposed where two are seen', () => {
    expect(placesInNames(['r1n1', 'r1n2', 'r2n1', 'ctl1'])).toEqual([
      { label: 'rack', value: 'r1', hosts: 'r1n[1-2]', from: "the hosts' names" },
      { label: 'rack', value: 'r2', hosts: 'r2n1', from: "the hosts' names" },
    ]);
  });

  it('are none in plain numbers, nor in one alone', () => {
    expect(placesInNames(['node1', 'node2', 'server1-a', 'server2-a'])).toEqual([]);
    expect(placesInNames(['r1n1', 'r1n2'])).toEqual([]);
  });
});
