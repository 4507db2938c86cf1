import { describe, expect, it } from 'vitest';
import { explain } from '../../src/collect/correlate.ts';
import { createFacts } from '../../src/collect/facts.ts';
import { ruleNames, rules, rulesOf } from '../../src/collect/rules.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Subject, SubjectKind } from '../../src/model/subject.ts';
import { host } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const finding = (id: string, kind: SubjectKind, on: string, more: Partial<Finding> = {}): Finding => {
  const [system = '', what = ''] = id.split(':');
  const subject: Subject = { kind, id: on };
  return {
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
  };
};
const nodes = (...names: string[]): Pick<Finding, 'members'> => ({
  members: names.map((id) => ({ kind: 'node', id })),
});

const site = siteOf([
  host('core3', 'switch', { room: 'a' }),
  ...['n1', 'n2', 'n3', 'n4'].map((name) => host(name, 'compute', { room: 'a', breaker: 'b7' })),
  ...['n5', 'n6', 'n7', 'n8'].map((name) => host(name, 'compute', { room: 'a', breaker: 'b8' })),
  host('oss4', 'lustre-oss', { room: 'a', breaker: 'b7' }),
]);
const facts = createFacts(() => [
  ['n1', 'n2'].map((id) => ({
    name: 'host.uplink',
    subject: { kind: 'host', id },
    value: { port: 'core3:te1/1' },
  })),
]);
const causes = (findings: readonly Finding[], off: readonly string[] = []) =>
  Object.fromEntries(explain(findings, rulesOf(off), { site, facts }));
const badLink = finding('switch:bad-link:core3:te3/46', 'port', 'core3:te3/46');

describe('what explains what', () => {
  it('a lost breaker explains whatever else stands on it, and nothing that only shares the room', () => {
    const lost = finding('slurm:lost-together:b7', 'node', 'n[1-4]', nodes('n1', 'n2', 'n3', 'n4'));
    expect(
      causes([
        lost,
        finding('site:host-unreachable:oss4', 'host', 'oss4'),
        finding('lustre:unreachable:oss4', 'ost', 'fs-OST0001'),
        finding('site:host-unreachable:n5', 'host', 'n5'),
      ]),
    ).toEqual({
      'site:host-unreachable:oss4': lost.id,
      'lustre:unreachable:oss4': 'site:host-unreachable:oss4',
    });
  });

  it('a silent switch explains the hosts that hang on it, and no others', () => {
    expect(
      causes([
        finding('site:host-unreachable:core3', 'host', 'core3'),
        finding('slurm:not-responding:x', 'node', 'n[1-2]', nodes('n1', 'n2')),
        finding('slurm:down-group:y', 'node', 'n[2-3]', nodes('n2', 'n3')),
      ]),
    ).toEqual({ 'slurm:not-responding:x': 'site:host-unreachable:core3' });
  });

  it('a dead uplink explains what hangs on exactly that port: a host by LLDP, a switch by the site file’s links', () => {
    const wired = siteOf([host('core3', 'switch'), host('edge1', 'switch'), host('n1', 'compute')], {
      links: [{ from: 'edge1:et49', to: 'core3:te2/1' }],
    });
    const on = (id: string, kind: SubjectKind, subject: string, text = ''): Finding =>
      finding(id, kind, subject, { evidence: [{ text }] });
    const lag = on(
      'switch:lag-member-out:core3:po1',
      'lag',
      'core3:po1',
      'te2/1 reads down, te1/1 reads down',
    );
    const other = on('switch:lag-member-out:core3:po2', 'lag', 'core3:po2', 'te2/11 reads down');
    const shut = on('switch:shut-by-us:core3:te1/1', 'port', 'core3:te1/1');
    const [edge, node] = ['edge1', 'n1'].map((name) => on(`site:host-unreachable:${name}`, 'host', name));
    if (!edge || !node) throw new Error('two findings');
    const found = (...all: Finding[]) => Object.fromEntries(explain(all, rules, { site: wired, facts }));
    expect(found(lag, edge, node)).toEqual({ [edge.id]: lag.id, [node.id]: lag.id });
    expect(found(other, edge, node)).toEqual({});
    expect(found(shut, edge, node)).toEqual({ [node.id]: shut.id });
  });

  it('a bad link explains jumbo losses, slow pairs across it, and mounts lost behind it', () => {
    const found = [
      badLink,
      finding('switch:matrix-jumbo:s', 'site', 's'),
      finding('iperf:loss:n1:n5', 'pair', 'n1:n5'),
      finding('iperf:loss:n7:n8', 'pair', 'n7:n8'),
      finding('slurm:drained-group:nhc: nfs mount lost', 'node', 'n[1-2]', nodes('n1', 'n2')),
      finding('slurm:drained-group:nhc: hdfs mount lost', 'node', 'n[5-6]', nodes('n5', 'n6')),
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
    const unread = (text: string): Finding =>
      finding('lustre:unread:n8', 'host', 'n8', { evidence: [{ text, host: 'n8' }] });
    const lost = [
      finding('site:host-unreachable:oss4', 'host', 'oss4'),
      finding('lustre:unreachable:oss4', 'ost', 'fs-OST0001'),
    ];
    expect(causes([...lost, unread('n8: lfs df timed out after 60 s')])).toEqual({
      'lustre:unreachable:oss4': 'site:host-unreachable:oss4',
      'lustre:unread:n8': 'lustre:unreachable:oss4',
    });
    expect(causes([...lost, unread('n8: lfs: command not found')])).not.toHaveProperty('lustre:unread:n8');
  });

  it('a bad link explains an NFS server behind its other end that a kernel misses; a lost server does too', () => {
    const nfs = (server: string): Finding =>
      finding('site:nfs:n5', 'host', 'n5', {
        evidence: [{ text: `nfs: server ${server} not responding, still trying`, host: 'n5' }],
      });
    const link = { ...badLink, evidence: [{ text: 'far end', host: 'core3' }] };
    expect(causes([link, nfs('n2')])).toEqual({ 'site:nfs:n5': badLink.id });
    expect(causes([link, nfs('n7')])).toEqual({});
    const lost = finding('site:host-unreachable:n7', 'host', 'n7');
    expect(causes([link, lost, nfs('n7')])).toEqual({ 'site:nfs:n5': lost.id });
  });

  it('the OST that is kept empty explains that space is uneven, another one does not', () => {
    const uneven = (ost: string): Finding =>
      finding('lustre:imbalance:fs', 'volume', 'fs', { evidence: [{ text: `emptiest: ${ost}, 37 % used` }] });
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
          evidence: [{ text: 'te3/46 reads down' }],
        }),
        finding('switch:lag-member-out:core3:Po99', 'lag', 'core3:Po99', {
          evidence: [{ text: 'te3/4 reads down' }],
        }),
      ]),
    ).toEqual({ 'switch:lag-member-out:core3:Po98': 'switch:shut-by-us:core3:te3/46' });
  });

  it('every rule can be switched off', () => {
    expect(rulesOf(ruleNames)).toEqual([]);
    expect(rulesOf([])).toEqual(rules);
  });
});
