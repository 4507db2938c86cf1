import { expect, it } from 'vitest';
import { currentId, formerId, formerNames, ruleNamesOf } from '../../src/collect/former-names.ts';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { createFirstSeen } from '../../src/collect/first-seen.ts';
import { rank } from '../../src/collect/rank.ts';
import { createBook } from '../../src/collect/shared/book.ts';
import { parseSite } from '../../src/site/parse.ts';
import { systems } from '../../src/registries/systems.ts';
import { siteOf } from '../helpers/judging.ts';
import { host } from './helpers/fake-site.ts';
import { findingOf } from '../helpers/safe-finding.ts';

const names = formerNames(systems);
const finding = findingOf({
  id: 'nfs:nfs:n1',
  system: 'nfs',
  kind: 'nfs',
  severity: 'warning',
  subject: { kind: 'host', id: 'n1' },
  summary: 'x',
  evidence: [],
  hurt: {},
  remedies: [],
});

it('an id of an older version is known by the name it has now, and the other way round', () => {
  expect(currentId('site:host-unreachable:core3', names)).toBe('hosts:host-unreachable:core3');
  expect(formerId('hosts:hosts-unreachable:timeout', names)).toBe('site:hosts-unreachable:timeout');
  expect(currentId('slurm:drained-group:a:b', names)).toBe('slurm:drained-group:a:b');
  expect(formerId('slurm:drained-group:a:b', names)).toBeUndefined();
});

it('runbooks and acknowledgements written for it still count', () => {
  const runbooks = [{ finding: 'site:*', url: 'https://wiki/site' }];
  const site = { ...siteOf([host('n1')]), runbooks };
  const [ranked] = rank([finding], { site, now: 0, firstSeen: () => 0, former: names });
  expect(ranked?.runbook).toBe('https://wiki/site');
  const book = createBook((id) => currentId(id, names));
  const event = { v: 1, id: 'a', at: 1, who: 'alice', from: 'h 1 x', until: 100, text: 'known' } as const;
  const ack = { ...event, kind: 'ack', finding: 'site:nfs:n1', severity: 'warning', names: 'n1' } as const;
  book.add([{ event: ack }], 50);
  expect(book.findAck(finding, 50)).toMatchObject({ who: 'alice', text: 'known' });
  book.add([{ event: { ...event, id: 'b', at: 2, kind: 'unack', finding: 'nfs:nfs:n1' } }], 50);
  expect(book.findAck(finding, 50)).toBeUndefined();
});

it('since when it is there is not forgotten, and the former name is closed', () => {
  const history = memoryHistory();
  history.record([{ series: 'finding/site:nfs:n1', value: 'warning' }], 1000);
  const seen = createFirstSeen(history, 5000, (id) => currentId(id, names));
  expect(seen.findFirstSeen(finding, 9000)).toBe(1000);
  expect(history.changes('finding/site:nfs:n1', 0).at(-1)?.value).toBe('gone');
});

it('a site file that names it is told what it is called now', () => {
  const text = [
    'site: s',
    'hosts: [{names: n1}]',
    'runbooks: [{finding: "site:nfs:*", url: "https://wiki.example.org/p"}]',
    'rules: {off: [behind-switch]}',
  ].join('\n');
  const knowledge = { systems, rules: ruleNamesOf(systems), former: names };
  const { warnings } = parseSite(text, 's.yaml', knowledge);
  expect(warnings.join('\n')).toContain('what "site:nfs:*" stands for is called nfs:nfs now');
  expect(warnings.join('\n')).toContain('"behind-switch" is part of "dependency" now');
});
