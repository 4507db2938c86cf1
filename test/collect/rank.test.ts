import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain as explainWith } from '../../src/collect/explain.ts';
import { rank } from '../../src/collect/rank.ts';
import type { Fact, Facts } from '../../src/model/fact.ts';
import type { Finding, FindingDraft } from '../../src/model/finding.ts';
import { findingOf } from '../helpers/safe-finding.ts';
import { systems } from '../../src/registries/systems.ts';
import { width } from '../../src/text/width.ts';
import { createFacts } from '../../src/collect/facts.ts';
import { host } from './helpers/fake-site.ts';
import { watched } from '../helpers/counted.ts';
import { factsOf, siteOf } from '../helpers/judging.ts';
import { textOf } from '../../src/model/words.ts';

const now = Date.UTC(2026, 10, 20, 12, 0);

const finding = (id: string, more: Partial<FindingDraft> = {}): Finding => {
  const [system = '', kind = '', subject = ''] = id.split(':');
  return findingOf({
    id,
    system,
    kind,
    severity: 'warning',
    subject: { kind: 'node', id: subject },
    summary: `${subject} ${kind}`,
    evidence: [],
    hurt: {},
    remedies: [],
    since: now - 60_000,
    ...more,
  });
};

const nodes = (...ids: string[]): Pick<Finding, 'members'> => ({
  members: ids.map((id) => ({ kind: 'node', id })),
});

const site = siteOf(
  [
    host('n1', 'compute', { rack: 'r7' }),
    host('n2', 'compute', { rack: 'r7' }),
    host('n3', 'compute', { rack: 'r8' }),
    host('core3', 'switch'),
  ],
  {
    windows: [
      { from: now - 1000, to: now + 4 * 3_600_000, subjects: ['rack:r7'], text: 'power work' },
      { from: now - 1000, to: now + 3_600_000, subjects: ['core3'], text: 'firmware' },
      { from: now + 1000, to: now + 3_600_000, subjects: ['n3'], text: 'later' },
    ],
    runbooks: [{ finding: 'slurm:drained-group:*', url: 'https://wiki.example.org/d', contact: 'oncall' }],
  },
);

const known = systems.map(({ id, causes = [] }) => ({ system: id, causes }));
const ranked = (findings: Finding[], facts?: Facts): ReturnType<typeof rank> =>
  rank(findings, { site, now, firstSeen: () => now, causes: known, ...(facts && { facts }) });

describe('since when', () => {
  it('is when it began where that is known, else when it was first seen, by whoever saw it first', () => {
    const when = (more: Partial<FindingDraft>) => {
      const { since, ...rest } = finding('a:x:1', more);
      const [one] = ranked([{ ...rest, ...(more.since !== undefined && { since }) } as Finding]);
      return [one?.since, one?.sinceIs];
    };
    expect(when({ since: now - 10 })).toEqual([now - 10, undefined]);
    expect(when({})).toEqual([now, 'seen']);
    // A test that is run again tells nothing younger than what was seen before.
    expect(when({ since: now + 10, sinceIs: 'seen' })).toEqual([now, 'seen']);
    expect(when({ since: now - 10, sinceIs: 'seen' })).toEqual([now - 10, 'seen']);
  });
});

const order = (findings: Finding[]): string[] => ranked(findings).map(({ id }) => id);

describe('order', () => {
  it('of those that hurt no node the one that hurts more clients', () => {
    const few = finding('a:x:1', { hurt: { clients: 3 }, loss: 1 });
    expect(
      order([few, finding('a:x:2', { hurt: { clients: 400 } }), finding('a:x:3', { hurt: { nodes: 1 } })]),
    ).toEqual(['a:x:3', 'a:x:2', 'a:x:1']);
  });

  it('worst first, then who is hurt, then what lasts longest', () => {
    expect(
      order([
        finding('a:x:1', { severity: 'notice' }),
        finding('a:x:2', { since: now - 10 }),
        finding('a:x:3', { since: now - 999_999 }),
        finding('a:x:4', { hurt: { users: ['u', 'v'] } }),
        finding('a:x:5', { hurt: { nodes: 12 } }),
        finding('a:x:6', { severity: 'critical' }),
      ]),
    ).toEqual(['a:x:6', 'a:x:4', 'a:x:5', 'a:x:3', 'a:x:2', 'a:x:1']);
  });

  it('what a person did goes behind what failed and is as bad, however many it takes', () => {
    const aside = { hurt: { nodes: 15 }, deliberate: true } as const;
    expect(order([finding('a:x:1', aside), finding('a:x:2', { hurt: { nodes: 1 } })])).toEqual([
      'a:x:2',
      'a:x:1',
    ]);
    expect(
      order([finding('a:x:2', { severity: 'notice', hurt: { nodes: 20 } }), finding('a:x:1', aside)]),
    ).toEqual(['a:x:1', 'a:x:2']);
  });

  it('a cause comes before what it explains and weighs as much as the worst of it', () => {
    const found = ranked([
      finding('slurm:controller-slow:ctl1', { severity: 'critical' }),
      finding('hosts:host-unreachable:x', { hurt: { nodes: 9 } }),
      finding('slurm:not-responding:cable', { ...nodes('n9', 'n7') }),
    ]);
    expect(found.map(({ worst }) => worst)).toEqual(['critical', undefined, undefined]);
    expect(found.map(({ id, explains, explainedBy }) => [id, explains, explainedBy])).toEqual([
      ['slurm:not-responding:cable', 1, undefined],
      ['hosts:host-unreachable:x', 0, undefined],
      ['slurm:controller-slow:ctl1', 0, 'slurm:not-responding:cable'],
    ]);
  });

  it('nothing vanishes, ids are unique, every cause is there and comes first, whatever is found', () => {
    const kinds = [
      'slurm:lost-together',
      'slurm:not-responding',
      'slurm:controller-slow',
      'hosts:host-unreachable',
      'hosts:hosts-unreachable',
      'slurm:drained-group',
      'slurm:draining',
    ];
    const any = fc.record({
      kind: fc.constantFrom(...kinds),
      key: fc.constantFrom('n1', 'n2', 'n3', 'n[1-3]'),
      severity: fc.constantFrom('critical' as const, 'warning' as const, 'notice' as const),
      since: fc.nat(10),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (list) => {
        const found = list.map(({ kind, key, severity, since }) =>
          finding(`${kind}:${key}`, { severity, since, ...(key === 'n[1-3]' && nodes('n1', 'n2', 'n3')) }),
        );
        const result = ranked(found);
        const ids = result.map(({ id }) => id);
        expect(new Set(ids)).toEqual(new Set(found.map(({ id }) => id)));
        expect(ids.length).toBe(new Set(ids).size);
        for (const [at, { explainedBy }] of result.entries()) {
          if (explainedBy === undefined) continue;
          expect(ids.indexOf(explainedBy)).toBeGreaterThanOrEqual(0);
          expect(ids.indexOf(explainedBy)).toBeLessThan(at);
        }
      }),
    );
  });
});

const explain = (findings: readonly Finding[]) =>
  new Map([...explainWith(findings, known)].map(([effect, { cause }]) => [effect, cause]));
const silentHost = (name: string): Finding =>
  finding(`hosts:host-unreachable:${name}`, { lacks: [{ what: 'reach', of: [{ kind: 'host', id: name }] }] });

describe('causes', () => {
  it('a slow controller waits for silent nodes', () => {
    const causes = explain([
      finding('slurm:controller-slow:ctl1'),
      finding('slurm:not-responding:not responding', nodes('n1', 'n2')),
    ]);
    expect(causes.get('slurm:controller-slow:ctl1')).toBe('slurm:not-responding:not responding');
  });

  it('nodes lost together explain that their hosts are silent, and no others', () => {
    const causes = explain([
      finding('slurm:lost-together:b7', nodes('n1', 'n2')),
      silentHost('n1'),
      silentHost('n3'),
    ]);
    expect([...causes]).toEqual([['hosts:host-unreachable:n1', 'slurm:lost-together:b7']]);
  });

  it('never goes round in a circle', () => {
    const always = { name: 'always', explain: () => 'so it is' };
    const causes = explainWith(
      [finding('a:x:1'), finding('a:y:1')],
      [
        {
          system: 'a',
          causes: [
            { ...always, causes: ['x'], effects: ['y'] },
            { ...always, causes: ['y'], effects: ['x'] },
            { ...always, causes: ['x'], effects: ['x'] },
          ],
        },
      ],
    );
    expect([...causes]).toEqual([['a:y:1', { cause: 'a:x:1', why: 'so it is' }]]);
  });

  it('many hosts: the members of a cause are gathered once, not for each effect', () => {
    const hosts = Array.from({ length: 2000 }, (_, n) => `h${n}`);
    let reads = 0;
    const { members = [] } = nodes(...hosts);
    const gathered = watched([...members], () => (reads += 1));
    const cause = finding('slurm:lost-together:x', {
      members: gathered,
      breaks: [{ what: 'power', of: gathered }],
    });
    const list = [cause, ...hosts.map(silentHost)];
    // Made safe, each was read before.
    reads = 0;
    expect(explain(list).size).toBe(hosts.length);
    // Gathered for each effect it would be 2,000 times as much.
    expect(reads).toBeLessThan(hosts.length * 4);
  });
});

describe('planned work', () => {
  it('turns a finding into a notice that says until when, by label, host of a port, or by the system itself', () => {
    const [a, b, c] = ranked(
      [
        finding('slurm:not-responding:n1', { severity: 'critical' }),
        finding('switch:crc:p', { subject: { kind: 'port', id: 'core3:te3/46' } }),
        finding('slurm:drained-group:x', {
          subject: { kind: 'node', id: 'n3' },
          plannedUntil: now + 7_200_000,
        }),
      ].map((one) => ({ ...one, since: now })),
    );
    for (const one of [a, b, c]) expect(one?.severity).toBe('notice');
    expect([a, b, c].map((one) => one?.summary).toSorted()).toEqual([
      'n1 not-responding, planned until 16:00',
      'p crc, planned until 13:00',
      'x drained-group, planned until 14:00',
    ]);
  });

  it('not when one of the group is outside, before it begins or after it ended', () => {
    const found = ranked([
      finding('slurm:not-responding:g', { ...nodes('n1', 'n3') }),
      finding('slurm:not-responding:n3'),
      finding('slurm:not-responding:n9', { plannedUntil: now - 1 }),
    ]);
    expect(found.map(({ severity }) => severity)).toEqual(['warning', 'warning', 'warning']);
    expect(found.every((one) => !('plannedUntil' in one))).toBe(true);
  });

  it('by what it hangs on: what goes without, where all of that is worked on', () => {
    const lacking = (id: string, ...osts: string[]) =>
      finding(id, {
        subject: { kind: 'ost', id: osts.join(',') },
        members: osts.map((ost) => ({ kind: 'ost' as const, id: ost })),
        severity: 'critical',
        lacks: [{ what: 'data', of: osts.map((ost) => ({ kind: 'ost' as const, id: ost })) }],
      });
    const on = (ost: string, ...ids: string[]): Fact[] =>
      ids.map((id) => ({
        name: 'depends',
        subject: { kind: 'ost', id: ost },
        value: { on: { kind: 'host', id }, carries: 'data' },
      }));
    const facts = factsOf([...on('a', 'n1'), ...on('b', 'n9'), ...on('c', 'n1')]);
    const severities = (one: Finding) =>
      ranked([one], facts).map(({ severity, plannedUntil }) => [severity, plannedUntil !== undefined]);
    expect(severities(lacking('lustre:unreachable:a', 'a', 'c'))).toEqual([['notice', true]]);
    // One of them hangs on another; nothing is known of it; it hangs there, but does not go without anything.
    expect(severities(lacking('lustre:unreachable:ab', 'a', 'b'))).toEqual([['critical', false]]);
    expect(severities(lacking('lustre:unreachable:x', 'x'))).toEqual([['critical', false]]);
    expect(severities({ ...lacking('lustre:full:a', 'a'), lacks: [] })).toEqual([['critical', false]]);
  });

  it('as far as can be told, where all that is suspected is worked on: a warning is left', () => {
    const suspected = (...names: string[]): Finding =>
      finding('lustre:unreachable:z', {
        subject: { kind: 'ost', id: 'z' },
        severity: 'critical',
        suspects: names.map((id) => ({
          subject: { kind: 'host', id },
          cause: 'host-unreachable',
          confidence: 'medium',
        })),
      });
    const severities = (one: Finding) =>
      ranked([one]).map(({ severity, plannedUntil }) => [severity, plannedUntil !== undefined]);
    expect(severities(suspected('n1'))).toEqual([['warning', true]]);
    expect(severities(suspected('n1', 'n9'))).toEqual([['critical', false]]);
    expect(severities(suspected())).toEqual([['critical', false]]);
  });

  it('keeps the summary within 100 columns', () => {
    const [long] = ranked([finding('slurm:x:n1', { summary: 'x'.repeat(100) })]);
    expect(width(textOf(long?.summary) ?? '')).toBe(100);
    expect(long?.summary).toMatch(/…, planned until 16:00$/);
  });
});

describe('planned work on a group that a system tells of', () => {
  const group = (...members: readonly string[]) =>
    ({
      name: 'group',
      subject: { kind: 'partition', id: 'batch' },
      value: { name: 'slurm:batch', members },
    }) as const;
  const laterSite = siteOf([{ name: 'n1' }, { name: 'n2' }], {
    windows: [{ from: now - 1, to: now + 3_600_000, subjects: [], later: ['@slurm:batch!n2'], text: 'x' }],
  });
  const severityOf = (id: string, facts: readonly ReturnType<typeof group>[]) =>
    rank([{ ...finding('slurm:x'), severity: 'critical', subject: { kind: 'node', id } }], {
      site: laterSite,
      now,
      firstSeen: () => now,
      facts: createFacts(() => [facts]),
    })[0]?.severity;

  it('counts as planned what is in it now', () => {
    expect(severityOf('n1', [group('n1', 'n2')])).toBe('notice');
    expect(severityOf('n2', [group('n1', 'n2')])).toBe('critical');
  });

  it('plans nothing while its members are not known', () => {
    expect(severityOf('n1', [])).toBe('critical');
    expect(severityOf('n1', [group('n3')])).toBe('critical');
  });
});

describe('runbooks', () => {
  it('are found by pattern', () => {
    const [with_, without] = ranked([
      finding('slurm:drained-group:nhc: (x.*)', { severity: 'critical' }),
      finding('slurm:drained-groupX'),
    ]);
    expect(with_).toMatchObject({ runbook: 'https://wiki.example.org/d', contact: 'oncall' });
    expect(without).not.toHaveProperty('runbook');
  });
});

it('why a finding is explained is safe, whatever it was made of', () => {
  const causes = [{ name: 'x', causes: ['cause'], effects: ['effect'], explain: () => 'a\u001B[2Jb\u202Ec' }];
  const both = [finding('slurm:cause:n1'), finding('slurm:effect:n1')];
  const found = rank(both, { site, now, firstSeen: () => now, causes: [{ system: 'slurm', causes }] });
  expect(found.map(({ explainedWhy }) => textOf(explainedWhy))).toEqual([undefined, 'a^[[2Jb<U+202E>c']);
});

describe('whose jobs run on the nodes that are hurt', () => {
  const busy = (id: string, jobs: string[], users: string[]) =>
    ({ name: 'node.busy', subject: { kind: 'node', id }, value: { jobs, users } }) as const;
  const hurtOf = (found: Finding, facts: readonly ReturnType<typeof busy>[]) =>
    rank([found], { site, now, firstSeen: () => now, facts: createFacts(() => [facts]) })[0]?.hurt;
  const known = [busy('n1', ['7', '8'], ['alice', 'bob']), busy('n2', ['8'], ['bob'])];

  it('is told by who knows it, each job and user once', () => {
    const found = finding('iperf:slow:n1', { ...nodes('n1', 'n2'), hurt: { nodes: 2 } });
    expect(hurtOf(found, known)).toEqual({ nodes: 2, jobs: 2, users: ['alice', 'bob'] });
  });

  it('is not told where nothing is known of them, or not all', () => {
    const found = finding('iperf:slow:n1', { ...nodes('n1', 'n3'), hurt: { nodes: 2 } });
    expect(hurtOf(found, [])).toEqual({ nodes: 2 });
    expect(hurtOf(found, [...known, busy('n3', [], [])])).toEqual({ nodes: 2 });
  });

  it('is left as its system says, and nobody is hurt who was not', () => {
    const own = finding('slurm:down:n1', { hurt: { nodes: 1, jobs: 5 } });
    expect(hurtOf(own, known)).toEqual({ nodes: 1, jobs: 5 });
    expect(hurtOf(finding('hosts:not-read:n1'), known)).toEqual({});
    const port = finding('switch:crc:n1', { subject: { kind: 'port', id: 'n1:te1/1' }, hurt: { nodes: 1 } });
    expect(hurtOf(port, known)).toEqual({ nodes: 1 });
  });
});
