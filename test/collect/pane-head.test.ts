import { expect, it } from 'vitest';
import { paneOf } from '../../src/collect/pane-head.ts';
import { systems } from '../../src/registries/systems.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, host } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

it('a system that the site has no host for is absent: nothing of it is unknown', () => {
  const site = siteOf([host('ctl1', 'slurm-controller')]);
  const { collector } = rig(site, systems, () => answerOf(''));
  const heads = systems.map((system) => paneOf(collector, system).head);
  expect(heads.filter(({ absent }) => !absent).map(({ id }) => id)).toEqual(['slurm', 'hosts']);
  for (const head of heads.filter(({ absent }) => absent))
    expect(head).toMatchObject({ summary: 'not on this site', sign: 'fine', sources: [] });
});
