import { makeSafe } from '../../src/text/safe.ts';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/collect/explain.ts';
import { currentRules, formerNames, ruleNamesOf } from '../../src/collect/former-names.ts';
import { createFacts } from '../../src/collect/facts.ts';
import type { Fact } from '../../src/model/fact.ts';
import type { Finding, FindingDraft } from '../../src/model/finding.ts';
import { findingOf } from '../helpers/safe-finding.ts';
import type { Subject, SubjectKind } from '../../src/model/subject.ts';
import { host } from './helpers/fake-site.ts';
import { systems } from '../../src/registries/systems.ts';
import { siteOf } from '../helpers/judging.ts';
import { wordsOf } from '../../src/model/words.ts';

const finding = (id: string, kind: SubjectKind, on: string, more: Partial<FindingDraft> = {}): Finding => {
  const [system = '', what = ''] = id.split(':');
  const subject: Subject = { kind, id: on };
  return findingOf({
    id,
    system,
    kind: what,
    severity: 'warning',
    subject,
    summary: id,
    evidence: [],
    hurt: {},
    remedies: [],
    ...more,
  });
};
const subjects = (kind: SubjectKind, ...names: string[]): Subject[] => names.map((id) => ({ kind, id }));
const nodes = (...names: string[]): Pick<Finding, 'members'> => ({ members: subjects('node', ...names) });
/** Nodes that do not respond. */
const silentNodes = (...names: string[]): Partial<FindingDraft> => ({
  ...nodes(...names),
  lacks: [{ what: 'reach', of: subjects('node', ...names) }],
});
const gone = (name: string): Finding => {
  const own = subjects('host', name);
  return finding(`hosts:host-unreachable:${name}`, 'host', name, {
    breaks: [{ what: 'reach', of: own }],
    lacks: [{ what: 'reach', of: own }],
  });
};
const lostOsts = (...names: string[]): Finding =>
  finding('lustre:unreachable:oss4', 'ost', names.join(','), {
    lacks: [{ what: 'data', of: subjects('ost', ...names) }],
  });

const site = siteOf([
  host('core3', 'switch', { room: 'a' }),
  ...['n1', 'n2', 'n3', 'n4'].map((name) => host(name, 'compute', { room: 'a', breaker: 'b7' })),
  ...['n5', 'n6', 'n7', 'n8'].map((name) => host(name, 'compute', { room: 'a', breaker: 'b8' })),
  host('oss4', 'lustre-oss', { room: 'a', breaker: 'b7' }),
]);
const facts = createFacts(() => [
  ['n1', 'n2'].map((id): Fact => ({
    name: 'host.uplink',
    subject: { kind: 'host', id },
    value: { port: 'core3:te1/1' },
  })),
  ['fs-OST0001'].map((id): Fact => ({
    name: 'depends',
    subject: { kind: 'ost', id },
    value: { on: { kind: 'host', id: 'oss4' }, carries: 'data' },
  })),
]);
const known = systems.map(({ id, causes: own = [] }) => ({ system: id, causes: own }));
const explainedIn = (
  topology: Parameters<typeof explain>[2],
  findings: readonly Finding[],
  off: readonly string[] = [],
) =>
  Object.fromEntries(
    [...explain(findings, known, topology, off)].map(([effect, { cause }]) => [effect, cause]),
  );
const causes = (findings: readonly Finding[], off: readonly string[] = []) =>
  explainedIn({ site, facts }, findings, off);
const slowPair = (from: string, to: string): Finding =>
  finding(`iperf:loss:${from}:${to}`, 'pair', `${from}:${to}`, {
    lacks: [{ what: 'data', of: subjects('host', from), from: subjects('host', to) }],
  });
const lostMount = (id: string, ...names: string[]): Finding =>
  finding(id, 'node', names.join(','), {
    ...nodes(...names),
    lacks: [{ what: 'data', of: subjects('node', ...names), from: [] }],
  });
const badLink = finding('switch:bad-link:core3:te3/46', 'port', 'core3:te3/46');

describe('what explains what', () => {
  it('a lost breaker explains whatever else stands on it, and nothing that only shares the room', () => {
    const lost = finding('slurm:lost-together:b7', 'node', 'n[1-4]', {
      ...nodes('n1', 'n2', 'n3', 'n4'),
      breaks: [{ what: 'power', of: [{ kind: 'place', id: 'breaker=b7' }] }],
    });
    expect(causes([lost, gone('oss4'), lostOsts('fs-OST0001'), gone('n5')])).toEqual({
      'hosts:host-unreachable:oss4': lost.id,
      'lustre:unreachable:oss4': 'hosts:host-unreachable:oss4',
    });
  });

  it('a silent switch explains the hosts that hang on it, and no others', () => {
    expect(
      causes([
        gone('core3'),
        finding('slurm:not-responding:x', 'node', 'n[1-2]', silentNodes('n1', 'n2')),
        finding('slurm:down-group:y', 'node', 'n[2-3]', silentNodes('n2', 'n3')),
      ]),
    ).toEqual({ 'slurm:not-responding:x': 'hosts:host-unreachable:core3' });
  });

  it('a dead uplink explains what hangs on exactly that port: a host by LLDP, a switch by the site file’s links', () => {
    const wired = siteOf([host('core3', 'switch'), host('edge1', 'switch'), host('n1', 'compute')], {
      links: [{ from: 'edge1:et49', to: 'core3:te2/1' }],
    });
    const on = (id: string, kind: SubjectKind, subject: string, ...ports: string[]): Finding =>
      finding(id, kind, subject, { breaks: [{ what: 'reach', of: subjects('port', ...ports) }] });
    const lag = on('switch:lag-member-out:core3:po1', 'lag', 'core3:po1', 'core3:te2/1', 'core3:te1/1');
    const other = on('switch:lag-member-out:core3:po2', 'lag', 'core3:po2', 'core3:te2/11');
    const shut = on('switch:shut-by-us:core3:te1/1', 'port', 'core3:te1/1', 'core3:te1/1');
    const [edge, node] = [gone('edge1'), gone('n1')];
    const found = (...all: Finding[]) => explainedIn({ site: wired, facts }, all);
    expect(found(lag, edge, node)).toEqual({ [edge.id]: lag.id, [node.id]: lag.id });
    expect(found(other, edge, node)).toEqual({});
    expect(found(shut, edge, node)).toEqual({ [node.id]: shut.id });
  });

  it('a bad link explains jumbo losses, slow pairs across it, and mounts lost behind it', () => {
    const found = [
      badLink,
      finding('switch:matrix-jumbo:s', 'site', 's'),
      slowPair('n1', 'n5'),
      slowPair('n7', 'n8'),
      lostMount('slurm:drained-group:nhc: nfs mount lost', 'n1', 'n2'),
      lostMount('slurm:drained-group:nhc: hdfs mount lost', 'n5', 'n6'),
      finding('slurm:drained-group:bad dimm', 'node', 'n1', nodes('n1')),
    ];
    expect(Object.keys(causes(found))).toEqual([
      'switch:matrix-jumbo:s',
      'iperf:loss:n1:n5',
      'slurm:drained-group:nhc: nfs mount lost',
    ]);
    expect(causes(found, ['bad-link'])).toEqual({});
  });

  it('a lost OSS explains its OSTs, and the clients whose commands wait for them', () => {
    const unread = (values: { timedOut?: boolean }): Finding =>
      finding('lustre:unread:n8', 'host', 'n8', { evidence: [{ text: 'lfs df', host: 'n8', values }] });
    const lost = [gone('oss4'), lostOsts('fs-OST0001')];
    expect(causes([...lost, unread({ timedOut: true })])).toEqual({
      'lustre:unreachable:oss4': 'hosts:host-unreachable:oss4',
      'lustre:unread:n8': 'lustre:unreachable:oss4',
    });
    expect(causes([...lost, unread({})])).not.toHaveProperty('lustre:unread:n8');
  });

  it('a bad link explains an NFS server behind its other end that a kernel misses; a lost server does too', () => {
    const nfs = (server: string): Finding =>
      finding('nfs:nfs:n5', 'host', 'n5', {
        lacks: [{ what: 'data', of: subjects('host', 'n5'), from: subjects('host', server) }],
      });
    const link = { ...badLink, evidence: [{ text: wordsOf(makeSafe('far end')), host: 'core3' }] };
    expect(causes([link, nfs('n2')])).toEqual({ 'nfs:nfs:n5': badLink.id });
    expect(causes([link, nfs('n7')])).toEqual({});
    const lost = gone('n7');
    expect(causes([link, lost, nfs('n7')])).toEqual({ 'nfs:nfs:n5': lost.id });
  });

  it('the OST that is kept empty explains that space is uneven, another one does not', () => {
    const uneven = (ost: string): Finding =>
      finding('lustre:imbalance:fs', 'volume', 'fs', {
        evidence: [{ text: '37 % used', about: subjects('ost', ost) }],
      });
    const flagged = finding('lustre:flag-ignored:fs-OST001e', 'ost', 'fs-OST001e');
    expect(causes([flagged, uneven('fs-OST001e')])).toEqual({ 'lustre:imbalance:fs': flagged.id });
    expect(causes([flagged, uneven('fs-OST001')])).toEqual({});
  });

  it('interrupts of a host explain its slow pairs at either end', () => {
    const own = finding('iperf:interrupts:n2', 'host', 'n2');
    expect(
      causes([
        own,
        finding('iperf:bimodalTime:n1:n2', 'pair', 'n1:n2'),
        finding('iperf:oneWay:n3:n4', 'pair', 'n3:n4'),
      ]),
    ).toEqual({ 'iperf:bimodalTime:n1:n2': own.id });
  });

  it('a member that we shut is missing in its LAG', () => {
    expect(
      causes([
        finding('switch:shut-by-us:core3:te3/46', 'port', 'core3:te3/46', { severity: 'notice' }),
        finding('switch:lag-member-out:core3:Po98', 'lag', 'core3:Po98', {
          evidence: [{ text: 'down', about: subjects('port', 'core3:te3/46') }],
        }),
        finding('switch:lag-member-out:core3:Po99', 'lag', 'core3:Po99', {
          evidence: [{ text: 'down', about: subjects('port', 'core3:te3/4') }],
        }),
      ]),
    ).toEqual({ 'switch:lag-member-out:core3:Po98': 'switch:shut-by-us:core3:te3/46' });
  });

  it('what depends on two uplinks is lost only with both, and what began long before is not explained', () => {
    const two = createFacts(() => [
      ['a:1', 'b:1'].map((port): Fact => ({
        name: 'depends',
        subject: { kind: 'ost', id: port },
        value: { on: { kind: 'host', id: 'x' }, carries: 'data' },
      })),
    ]);
    const wired = siteOf([host('n1', 'compute')], {
      links: [
        { from: 'n1:eth0', to: 'sw1:1' },
        { from: 'n1:eth1', to: 'sw2:1' },
      ],
    });
    const [one, both] = [['sw1:1'], ['sw1:1', 'sw2:1']].map((ports) =>
      finding('switch:lag-member-out:sw1:po1', 'lag', 'sw1:po1', {
        breaks: [{ what: 'reach', of: subjects('port', ...ports) }],
        since: 3_600_000,
      }),
    );
    if (!one || !both) throw new Error('two findings');
    const node = gone('n1');
    expect(explainedIn({ site: wired, facts: two }, [one, node])).toEqual({});
    expect(explainedIn({ site: wired, facts: two }, [both, node])).toEqual({ [node.id]: both.id });
    expect(explainedIn({ site: wired, facts: two }, [both, { ...node, since: 0 }])).toEqual({});
    expect(explainedIn({ site: wired, facts: two }, [both, { ...node, since: 3_500_000 }])).toEqual({
      [node.id]: both.id,
    });
  });

  it('says why, in words', () => {
    const explained = explain(
      [gone('core3'), finding('slurm:not-responding:x', 'node', 'n1', silentNodes('n1'))],
      known,
      {
        site,
        facts,
      },
    );
    expect(explained.get('slurm:not-responding:x')?.why).toBe('n1 hangs on host core3');
  });

  it('everything can be switched off, by its name and by names of older versions', () => {
    const all = [gone('core3'), finding('slurm:not-responding:x', 'node', 'n1', silentNodes('n1'))];
    expect(Object.keys(causes(all))).toEqual(['slurm:not-responding:x']);
    expect(causes(all, ['dependency'])).toEqual({});
    expect(causes(all, currentRules(['behind-switch'], formerNames(systems)))).toEqual({});
    expect(ruleNamesOf(systems)).toEqual(expect.arrayContaining(['dependency', 'bad-link', 'behind-switch']));
  });
});
