import { expect, test } from 'vitest';
import { findings } from '../../probes/hosts/judge/findings.ts';
import type { Fact } from '../../src/model/fact.ts';
import { factsOf, splitMessage } from '../helpers/judging.ts';
import type { Failure, Source } from '../../src/model/reading.ts';

const source = (probe: string, more: Partial<Source>): Source => ({
  probe,
  host: 'core3',
  state: 'fresh',
  before: [],
  everyMs: 10_000,
  durations: [],
  ...more,
});

const good = (probe: string, at: number): Source =>
  source(probe, {
    askedAt: at - 50,
    good: { probe, host: 'core3', at, mono: at, durationMs: 50, value: {}, notUnderstood: 0 },
  });

const failed = (probe: string, at: number, kind: Failure['kind'] = 'connect'): Source =>
  source(probe, {
    state: 'failed',
    askedAt: at - 50,
    failingSince: at,
    failure: splitMessage('core3', { kind, message: 'core3: no answer' }),
  });

const found = (...sources: readonly Source[]): string[] =>
  findings({
    facts: factsOf([]),
    readings: {
      listUnreached: () => new Set(['core3']),
      listUnread: () => [],
      listOnHost: () => sources,
      source: () => undefined,
      sources: () => [],
    },
  }).map(({ summary }) => summary);

test('a host is told at once, not when what is asked every quarter of an hour is due again', () => {
  expect(found(good('slow', 1_000), failed('quick', 60_000))).toEqual([
    'core3 unreachable by SSH: no answer',
  ]);
});

test('not while another way to it still brings answers, or complaints', () => {
  expect(found(good('quick', 61_000), failed('own channel', 60_000))).toEqual([]);
  expect(found(failed('quick', 61_000, 'command'), failed('own channel', 60_000))).toEqual([]);
});

const adviceOf = (connect: Failure['connect'], off?: 'power saving'): string | undefined => {
  const failure = { kind: 'connect' as const, message: 'core3: no answer', ...(connect && { connect }) };
  const source = { ...failed('quick', 60_000), failure: splitMessage('core3', failure) };
  const facts: readonly Fact[] =
    off === undefined
      ? []
      : [{ name: 'node.off', subject: { kind: 'node', id: 'core3' }, value: { why: off } }];
  const [finding] = findings({
    facts: factsOf(facts),
    readings: {
      listUnreached: () => new Set(['core3']),
      listUnread: () => [],
      listOnHost: () => [source],
      source: () => undefined,
      sources: () => [],
    },
  });
  return finding?.advice;
};

test('what a person does about it stands with it, by how it fails', () => {
  expect(adviceOf('timeout')).toContain('console or BMC');
  expect(adviceOf('hostKeyChanged')).toContain('known_hosts');
  expect(adviceOf('dns')).not.toContain('BMC');
  expect(adviceOf(undefined)).toContain('ssh by hand');
});

test('nothing is to be done about a host that is off as planned; a wrong key there is', () => {
  expect(adviceOf('timeout', 'power saving')).toBeUndefined();
  expect(adviceOf('hostKeyChanged', 'power saving')).toContain('known_hosts');
});

test.each([
  ['eight at once', 'timeout', 8, true],
  ['seven at once', 'timeout', 7, false],
  ['eight that refuse the login', 'auth', 8, false],
  ['eight without a way to them', 'unreachable', 8, false],
] as const)('this machine itself is looked at first for %s: %s of %i', (_what, connect, many, isOurs) => {
  const hosts = Array.from({ length: many }, (_none, at) => `n${at + 1}`);
  const failure = { kind: 'connect' as const, message: 'no answer', connect };
  const [finding] = findings({
    facts: factsOf([]),
    readings: {
      listUnreached: () => new Set(hosts),
      listUnread: () => [],
      listOnHost: (host) => [{ ...failed('quick', 60_000), host, failure: splitMessage(host, failure) }],
      source: () => undefined,
      sources: () => [],
    },
  });
  expect(finding?.kind).toBe('hosts-unreachable');
  expect(finding?.advice?.includes('load of this machine')).toBe(isOurs);
});
