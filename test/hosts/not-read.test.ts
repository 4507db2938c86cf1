import { expect, test } from 'vitest';
import { findings } from '../../probes/hosts/judge/findings.ts';
import { saysWhyNotRead } from '../../src/kit/unread.ts';
import type { Fact } from '../../src/model/fact.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import { findingOf } from '../helpers/safe-finding.ts';
import type { Failure, Source } from '../../src/model/reading.ts';
import { readingsOf } from '../../src/collect/parse-job.ts';
import { factsOf, splitMessage, start } from '../helpers/judging.ts';

const read = (host: string, probe: string, notUnderstood = 0, at = start): Source => ({
  host,
  probe,
  state: 'fresh',
  askedAt: start,
  good: { probe, host, at, mono: 0, durationMs: 5, value: {}, notUnderstood },
  before: [],
  everyMs: 10_000,
  durations: [5],
});

const failed = (host: string, probe: string, more: Partial<Failure> = {}): Source => ({
  host,
  probe,
  state: 'failed',
  askedAt: start,
  failingSince: start,
  failure: splitMessage(host, { kind: 'command', message: `${host}: Invalid input`, ...more }),
  before: [],
  everyMs: 10_000,
  durations: [],
});

const unasked = (host: string, probe: string, state: 'never' | 'notAsked'): Source => ({
  host,
  probe,
  state,
  before: [],
  everyMs: 10_000,
  durations: [],
});

const found = (sources: readonly Source[], facts: readonly Fact[] = []): readonly FindingDraft[] =>
  findings({ readings: readingsOf(sources), facts: factsOf(facts) });

test('a part that failed is a warning of its system, which names the host as data', () => {
  const [one, ...more] = found([
    read('leaf7', 'switch.neighbors'),
    failed('leaf7', 'switch.counters'),
    failed('leaf7', 'switch.lags', { message: 'leaf7: LAGs: refused' }),
  ]);
  expect(more).toEqual([]);
  expect(one).toMatchObject({
    id: 'switch:not-read:leaf7',
    system: 'switch',
    kind: 'not-read',
    severity: 'warning',
    subject: { kind: 'host', id: 'leaf7' },
    summary: 'leaf7: 2 of 3 readings failed: Invalid input',
    suspects: [{ subject: { kind: 'host', id: 'leaf7' }, cause: 'not-read', confidence: 'high' }],
    since: start,
  });
  expect(one?.evidence.map(({ text, values }) => [text, values])).toEqual([
    ['switch.counters: Invalid input', { failed: 'command' }],
    ['switch.lags: LAGs: refused', { failed: 'command' }],
  ]);
});

test('so are lines that were not understood, and two systems on one host are two findings', () => {
  const all = found([read('adm1', 'slurm.nodes', 3), failed('adm1', 'gluster.peer')]);
  expect(all.map(({ id, summary }) => [id, summary])).toEqual([
    ['slurm:not-read:adm1', 'adm1: 1 of 1 reading read in part: 3 lines not understood'],
    ['gluster:not-read:adm1', 'adm1: 1 of 1 reading failed: Invalid input'],
  ]);
});

test('five hosts that fail alike are one finding; what fails in another way stands alone', () => {
  const names = ['n1', 'n2', 'n3', 'n4', 'n5'];
  const all = found([
    ...names.map((name) => failed(name, 'slurm.checks', { code: 'noCommand' })),
    failed('n6', 'slurm.checks', { kind: 'timeout' }),
  ]);
  expect(all.map(({ id, members }) => [id, members?.length])).toEqual([
    ['slurm:not-read:slurm.checks:command:noCommand', 5],
    ['slurm:not-read:n6', undefined],
  ]);
});

test('two groups that fail differently are two findings with names of their own', () => {
  const of = (from: number, more: Parameters<typeof failed>[2]) =>
    [0, 1, 2, 3, 4].map((at) => failed(`n${from + at}`, 'slurm.checks', more));
  const ids = found([...of(1, { code: 'noCommand' }), ...of(6, { kind: 'timeout' })]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});

test('silent where all was read, where a host has a finding of its own, and of what only a person asks for', () => {
  expect(found([read('leaf7', 'switch.counters')])).toEqual([]);
  const gone = found([failed('n1', 'slurm.checks', { kind: 'connect', connect: 'unreachable' })]);
  expect(gone.map(({ id }) => id)).toEqual(['hosts:host-unreachable:n1']);
});

test('a connection that failed once while others answer is a part that was not read', () => {
  const [one] = found([
    failed('n1', 'slurm.checks', { kind: 'connect', connect: 'sessions' }),
    read('n1', 'slurm.ping', 0, start + 5),
  ]);
  expect(one).toMatchObject({ id: 'slurm:not-read:n1', lacks: [{ what: 'reach' }] });
});

test('a host that is off as planned is a notice, and what ends in the middle there is none', () => {
  const off: Fact = { name: 'node.off', subject: { kind: 'node', id: 'n1' }, value: { why: 'power saving' } };
  const gone = failed('n1', 'slurm.checks', { kind: 'connect', connect: 'unreachable', message: 'no route' });
  expect(found([gone], [off])).toMatchObject([
    {
      id: 'hosts:host-unreachable:n1',
      severity: 'notice',
      summary: 'n1 unreachable by SSH, as planned (power saving): no route',
    },
  ]);
  expect(found([failed('n1', 'slurm.checks', { kind: 'lost' })], [off])).toEqual([]);
  expect(found([failed('n1', 'slurm.checks')], [off])).toHaveLength(1);
});

test.each(['hostKeyChanged', 'auth', 'notSsh'] as const)(
  'who says %s is not off, whatever was planned',
  (connect) => {
    const off: Fact = {
      name: 'node.off',
      subject: { kind: 'node', id: 'n1' },
      value: { why: 'maintenance' },
    };
    const odd = failed('n1', 'slurm.checks', { kind: 'connect', connect, message: 'something answers' });
    expect(found([odd], [off])).toMatchObject([
      {
        severity: 'warning',
        summary: 'n1 unreachable by SSH: something answers',
        suspects: [{ subject: { id: 'n1' } }],
      },
    ]);
  },
);

test.each(['unreachable', 'dns', 'noBanner', 'timeout'] as const)('off as planned: %s', (connect) => {
  const off: Fact = { name: 'node.off', subject: { kind: 'node', id: 'n1' }, value: { why: 'reboot' } };
  expect(found([failed('n1', 'slurm.checks', { kind: 'connect', connect })], [off])).toMatchObject([
    { severity: 'notice' },
  ]);
});

test('what says why folds it: failures there, not lines that were not understood, nor another host', () => {
  const cause = saysWhyNotRead(['unread']);
  const why = (by: FindingDraft | undefined, effect: FindingDraft | undefined): string | undefined =>
    by &&
    effect &&
    cause.explain(findingOf(by), findingOf(effect), { mayCross: () => 'no', switchesOf: () => [] });
  const [failing] = found([failed('oss1', 'lustre.oss')]);
  const [inPart] = found([read('oss1', 'lustre.oss', 2)]);
  const [elsewhere] = found([failed('oss2', 'lustre.oss')]);
  const says = failing && { ...failing, kind: 'unread' };
  expect(why(says, failing)).toBe('it says why');
  expect(why(says, inPart)).toBeUndefined();
  expect(why(says, elsewhere)).toBeUndefined();
  expect(why(says && { ...says, severity: 'notice' }, failing)).toBeUndefined();
});

test.each<[string, readonly Source[]]>([
  ['all is read', [read('h1', 'slurm.nodes'), read('h1', 'lustre.mds'), read('h2', 'nfs.mounts')]],
  [
    'nothing was asked yet, or is not due',
    [unasked('h1', 'slurm.nodes', 'never'), unasked('h1', 'slurm.check', 'notAsked')],
  ],
  [
    'one late answer behind a fresh one',
    [read('h1', 'slurm.nodes'), { ...read('h1', 'lustre.df'), state: 'stale' }],
  ],
  [
    'a hundred hosts',
    Array.from({ length: 100 }, (_, at) => read(`n${at}`, 'slurm.alive', 0, start - 60_000)),
  ],
])('nothing is wrong: %s', (_name, sources) => {
  expect(found(sources)).toEqual([]);
});
