import { expect, test } from 'vitest';
import { view } from '../../probes/hosts/view/pane.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const failing = (sources: Sources, host: string): void => {
  sources.fail('slurm.nodes', host, { kind: 'connect', message: `${host}: no answer` }, start);
  const source = sources.source('slurm.nodes', host);
  if (source) sources.put({ ...source, askedAt: start });
};

test('a host that was never reached has no age: since when it is away is not known', () => {
  const sources = new Sources();
  sources.good('slurm.nodes', 'ctl1', {}, start - 60_000);
  failing(sources, 'ctl1');
  failing(sources, 'ctl2');
  const { blocks } = view(
    judgementOf({ readings: sources, site: siteOf([{ name: 'ctl1' }, { name: 'ctl2' }]) }),
  );
  const rows = blocks.flatMap((block) => (block.type === 'table' ? block.rows : []));
  expect(rows.map(({ key, cells }) => [key, cells['since']?.text, cells['since']?.age])).toEqual([
    ['ctl1', '', start],
    ['ctl2', 'never reached', undefined],
  ]);
});
