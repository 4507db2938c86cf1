import { describe, expect, it } from 'vitest';
import { expandNow } from '../../src/collect/look.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import type { Fact } from '../../src/model/fact.ts';
import { systems } from '../../src/registries/systems.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { factsOf, judgementOf, Sources } from '../helpers/judging.ts';

const site = viewOf(
  parseSite(
    ['site: x', 'groups: {gpu: "node[1-2]"}', 'hosts:', '  - {names: "node[1-8]", roles: [compute]}'].join(
      '\n',
    ),
    'site.yaml',
    knowledge,
  ).site,
);

const batch: Fact = {
  name: 'group',
  subject: { kind: 'partition', id: 'batch' },
  value: { name: 'slurm:batch', members: ['node2', 'node3'] },
};

const expand = (set: string, ...facts: readonly Fact[]) =>
  expandNow(
    {
      site,
      systems,
      judgement: () => ({ ...judgementOf({ readings: new Sources(), site }), facts: factsOf(facts) }),
    },
    set,
  );

describe('a set that is typed into the console', () => {
  it('has the groups of the site file and those of systems as they were read', () => {
    expect(expand('@gpu,@slurm:batch', batch)).toEqual({ names: ['node1', 'node2', 'node3'] });
    expect(expand('@slurm:batch!@gpu', batch)).toEqual({ names: ['node3'] });
  });

  it('is not known before its system was read, and a name that it does not have is told', () => {
    expect(expand('@slurm:batch')).toEqual({ why: '"@slurm:batch" is known only once Slurm was read' });
    expect(expand('@slurm:bacth', batch)).toMatchObject({
      why: expect.stringContaining('did you mean "@slurm:batch"?'),
    });
    expect(expand('@other:x', batch)).toMatchObject({ why: expect.stringContaining('no group "@other:x"') });
  });
});
