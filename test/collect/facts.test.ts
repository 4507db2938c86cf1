import { expect, it } from 'vitest';
import type { Fact } from '../../src/model/fact.ts';
import { createFacts, factReads } from '../../src/collect/facts.ts';
import { viewOf } from '../../src/site/view.ts';
import { systems } from '../../src/registries/systems.ts';

const site = viewOf({
  name: 'test',
  file: 'site.yaml',
  readOnly: false,
  hosts: ['ctl1', 'ctl2', 'node1'].map((name) => ({
    name,
    roles: [name.startsWith('ctl') ? 'slurm-controller' : 'compute'],
    platform: 'linux',
    location: {},
    legacy: false,
  })),
  settings: {},
  links: [],
  windows: [],
  runbooks: [],
  intervals: {},
  transports: {},
});

it('who must not act on old facts is told what to ask again, and where', () => {
  const facts = createFacts(() => [], factReads(site, systems));
  expect(facts.askedBy?.('node.busy')).toEqual([
    { probe: 'slurm.jobs', host: 'ctl1' },
    { probe: 'slurm.jobs', host: 'ctl2' },
  ]);
  expect(createFacts(() => []).askedBy?.('node.busy')).toEqual([]);
});

it('every probe named for a fact exists and its system publishes that fact', () => {
  for (const system of systems)
    for (const [name, probes] of Object.entries(system.factProbes ?? {})) {
      expect(system.publishes).toContain(name);
      expect(system.probes.map(({ id }) => id)).toEqual(expect.arrayContaining([...probes]));
    }
});

it('facts of several systems are found by their name and subject, in every one', () => {
  const n1 = { kind: 'node', id: 'n1' } as const;
  const busy: Fact = { name: 'node.busy', subject: n1, value: { jobs: ['7'], users: ['alice'] } };
  const uplink: Fact = { name: 'host.uplink', subject: { kind: 'host', id: 'n1' }, value: { port: 'a:1' } };
  let collected = 0;
  const facts = createFacts(() => {
    collected += 1;
    return [[busy], [], [uplink]];
  });
  expect(collected).toBe(0);
  expect(facts.find('node.busy', n1)).toBe(busy);
  expect(facts.list('host.uplink')).toEqual([uplink]);
  expect(facts.find('node.drained', n1)).toBeUndefined();
  expect(facts.list('node.drained')).toEqual([]);
  expect(collected).toBe(1);
});
