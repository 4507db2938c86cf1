import { describe, expect, it } from 'vitest';
import { parse, withLines } from './parsing.ts';

describe('clush', () => {
  it('names whom it asks by a node set with groups, spelled as the site spells them', () => {
    const { site } = parse(
      withLines(
        '  - {names: "Node[1-3]", roles: [compute]}',
        'groups: {fleet: "Node[1-3]!Node2"}',
        'clush: [{through: CTL1, hosts: "@fleet,node2", fanout: 32}]',
      ),
    );
    expect(site.clush).toEqual([{ through: 'ctl1', hosts: ['Node1', 'Node3', 'Node2'], fanout: 32 }]);
  });

  it('a site without it has none', () => {
    expect(parse(withLines()).site).not.toHaveProperty('clush');
  });
});
