import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/collect/explain.ts';
import { createFacts } from '../../src/collect/facts.ts';
import type { Fact } from '../../src/model/fact.ts';
import type { Finding } from '../../src/model/finding.ts';
import { findingOf } from '../helpers/safe-finding.ts';
import { host } from './helpers/fake-site.ts';
import { causes } from '../../probes/switch/causes.ts';
import { siteOf } from '../helpers/judging.ts';

/** `s1:a-s2:b` is a cable; `n1@s1` a host on a switch. */
const topologyOf = (cables: readonly string[], hosts: readonly string[]) => {
  const links = cables.map((text): Fact => {
    const [a = '', b = ''] = text.split('-');
    return { name: 'cable', subject: { kind: 'link', id: text }, value: { ports: [a, b] } };
  });
  const uplinks = hosts.map((text): Fact => {
    const [id = '', on = ''] = text.split('@');
    return { name: 'host.uplink', subject: { kind: 'host', id }, value: { port: `${on}:p-${id}` } };
  });
  const switches = new Set(cables.flatMap((text) => text.split('-').map((end) => end.split(':')[0] ?? '')));
  const site = siteOf([
    ...[...switches].map((name) => host(name, 'switch')),
    ...hosts.map((text) => host(text.split('@')[0] ?? '', 'compute')),
  ]);
  return { site, facts: createFacts(() => [[...links, ...uplinks]]) };
};

const badLink = (port: string): Finding =>
  findingOf({
    id: `switch:bad-link:${port}`,
    system: 'switch',
    kind: 'bad-link',
    severity: 'warning',
    subject: { kind: 'port', id: port },
    summary: 'bad frames',
    evidence: [],
    hurt: {},
    remedies: [],
  });
/** Nodes drained because a mount was lost: of these servers, of one that is not named, or (`undefined`) for another reason. */
const lost = (servers: readonly string[] | undefined, ...names: string[]): Finding => ({
  ...badLink('x'),
  id: `slurm:drained-group:x`,
  system: 'slurm',
  kind: 'drained-group',
  subject: { kind: 'node', id: names.join(',') },
  members: names.map((id) => ({ kind: 'node', id })),
  ...(servers && {
    lacks: [
      {
        what: 'data' as const,
        of: names.map((id) => ({ kind: 'node' as const, id })),
        from: servers.map((id) => ({ kind: 'host' as const, id })),
      },
    ],
  }),
});

/** Whether the drained nodes are folded below the bad link. */
const folds = (topology: ReturnType<typeof topologyOf>, port: string, effect: Finding): boolean =>
  explain([badLink(port), effect], [{ system: 'switch', causes }], topology).get(effect.id)?.cause ===
  `switch:bad-link:${port}`;

describe('nodes that lost a mount, below a bad link', () => {
  // Leaves on two spines; two cables between leaf1 and spine1.
  const fabric = topologyOf(
    ['leaf1:1-spine1:1', 'leaf1:2-spine1:2', 'leaf1:3-spine2:1', 'leaf2:1-spine1:3', 'leaf2:2-spine2:2'],
    ['n1@leaf1', 'n2@leaf1', 'n3@leaf2', 'nfs1@leaf2', 'nfs2@leaf1'],
  );

  it('where their way to the server crosses it: their switch is no end of it, and a hash chooses the member', () => {
    expect(folds(fabric, 'spine1:3', lost(['nfs1'], 'n1', 'n2'))).toBe(true);
    expect(folds(fabric, 'leaf2:1', lost(['nfs1'], 'n1', 'n2'))).toBe(true);
    expect(folds(fabric, 'leaf1:2', lost(['nfs1'], 'n1', 'n2'))).toBe(true);
  });

  it('not where it leads beside it, also for nodes on the link’s own switch', () => {
    expect(folds(fabric, 'leaf1:1', lost(['nfs2'], 'n1', 'n2'))).toBe(false);
    expect(folds(fabric, 'leaf2:1', lost(['nfs1'], 'n1', 'n3'))).toBe(false);
    expect(folds(fabric, 'spine1:3', lost(['nfs2', 'nfs1'], 'n1'))).toBe(false);
  });

  it('by their switch alone where no server is named, or nobody knows where it is', () => {
    for (const servers of [[], ['nfs9']]) {
      expect(folds(fabric, 'leaf1:1', lost(servers, 'n1', 'n2'))).toBe(true);
      expect(folds(fabric, 'spine1:3', lost(servers, 'n1', 'n2'))).toBe(false);
    }
    expect(folds(fabric, 'leaf1:1', lost(undefined, 'n1', 'n2'))).toBe(false);
  });

  it('property: folded exactly when every node has a shortest way over it; what stays when it is mended is not', () => {
    const cable = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }));
    const wiring = fc.record({
      cables: fc.array(
        cable.filter(([a, b]) => a !== b),
        { minLength: 1, maxLength: 9 },
      ),
      nodes: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }),
      server: fc.integer({ min: 0, max: 5 }),
      bad: fc.nat(),
    });
    fc.assert(
      fc.property(wiring, ({ cables, nodes, server, bad }) => {
        const names = cables.map(([a, b], at) => `s${a}:${at}-s${b}:${at}`);
        const hosts = nodes.map((on, at) => `n${at}@s${on}`);
        const topology = topologyOf(names, [...hosts, `nfs1@s${server}`]);
        const [one = 0, other = 0] = cables[bad % cables.length] ?? [];
        const port = `s${one}:${bad % cables.length}`;
        const effect = lost(['nfs1'], ...nodes.map((_, at) => `n${at}`));
        const crosses = (from: number): boolean => {
          const ways = waysOf(from, server, cables);
          const shortest = Math.min(...ways.map((way) => way.length));
          return ways
            .filter((way) => way.length === shortest)
            .some((way) =>
              way.some(
                (at, step) =>
                  step > 0 &&
                  [way[step - 1], at].includes(one) &&
                  [way[step - 1], at].includes(other) &&
                  way[step - 1] !== at,
              ),
            );
        };
        expect(folds(topology, port, effect)).toBe(nodes.every(crosses));
      }),
      { numRuns: 500 },
    );
  });
});

/** Every way from one switch to another that meets none twice. */
const waysOf = (from: number, to: number, cables: readonly (readonly [number, number])[]): number[][] => {
  const ways: number[][] = [];
  const go = (way: number[]): void => {
    const at = way.at(-1);
    if (at === to) return void ways.push(way);
    for (const [a, b] of cables)
      for (const next of a === at ? [b] : b === at ? [a] : []) if (!way.includes(next)) go([...way, next]);
  };
  go([from]);
  return ways;
};

describe('frames that a switch cuts through and sends on', () => {
  type Suspects = NonNullable<Finding['suspects']>;
  const suspect = (id: string, cause: string): Suspects[number] => ({
    subject: { kind: 'port', id },
    cause,
    confidence: 'medium',
  });
  const bad = (port: string, ...suspects: Suspects): Finding => ({ ...badLink(port), suspects });
  const none = topologyOf([], []);
  const foldedBelow = (cause: Finding, effect: Finding): string | undefined =>
    explain([cause, effect], [{ system: 'switch', causes }], none).get(effect.id)?.cause;
  const origin = bad('sw2:eth1/1', suspect('sw1:eth2', 'optic'));

  it('what comes behind is explained by the link on which they were damaged', () => {
    expect(foldedBelow(origin, bad('sw3:eth1/1', suspect('sw1:eth2', 'upstream')))).toBe(origin.id);
  });

  it.each([
    ['a link with damage of its own', origin, bad('sw3:eth1/1', suspect('sw2:eth1/2', 'optic'))],
    ['frames that were damaged elsewhere', origin, bad('sw3:eth1/1', suspect('sw9:eth4', 'upstream'))],
    [
      'two links that both only passed them on',
      bad('sw3:eth1/1', suspect('sw1:eth2', 'upstream')),
      bad('sw4:eth1', suspect('sw1:eth2', 'upstream')),
    ],
  ])('silent: %s', (_what, cause, effect) => {
    expect(foldedBelow(cause, effect)).toBeUndefined();
  });
});
