import { expect, test } from 'vitest';
import { askedLine, paneStatus } from '../../components/status.ts';
import type { PaneHead, SourceLine } from '../../src/model/wire.ts';
import { NOW, slurmHead } from './fixture.ts';

const source = (change: Partial<SourceLine>): SourceLine => ({
  probe: 'slurm.nodes',
  host: 'ctl1',
  state: 'fresh',
  goodAt: NOW - 4000,
  everyMs: 10_000,
  ...change,
});
const failed = (change: Partial<SourceLine> = {}) =>
  source({
    state: 'failed',
    failingSince: NOW - 12_000,
    message: 'ctl1: no answer to scontrol ping; is slurmctld up?',
    said: { what: 'no answer to scontrol ping', next: 'is slurmctld up?' },
    ...change,
  });
const status = (...sources: SourceLine[]) => paneStatus({ ...slurmHead, sources } satisfies PaneHead, NOW);
const none = 'no nodes out of service';

test('a fresh pane says its age, and none when there are none', () => {
  expect(status(source({}))).toMatchObject({ age: '4 s', notes: [], problems: [] });
  expect(status(source({})).trouble).toBeUndefined();
  expect(status(source({})).drawEmpty(none)).toBe(none);
});

test('a probe that fails everywhere leads the title and is never "none"', () => {
  const one = status(failed(), source({ probe: 'slurm.ping' }));
  expect(one.trouble).toMatch(/^ctl1: no answer to scontrol ping for 12 s, shown rows are from \d\d:41:03$/);
  expect(one.drawEmpty(none)).toMatch(
    /^not known: ctl1: no answer .*; when last read: no nodes out of service$/,
  );
});

test('a source whose rows are shown speaks for all that fail: one that was never read shows none', () => {
  const { goodAt: _, ...unread } = failed({ probe: 'slurm.load' });
  expect(status(unread, failed()).trouble).toMatch(/, shown rows are from \d\d:41:03$/);
});

test('what was never read says so, and nothing of a reading of before', () => {
  const { goodAt: _, ...unread } = failed();
  expect(status(unread).drawEmpty(none)).toBe(
    'not known: ctl1: no answer to scontrol ping for 12 s, never read',
  );
});

test('one host of many is a note: the table stays what it is', () => {
  const hosts = Array.from({ length: 9 }, (_, index) =>
    source({ probe: 'slurm.check', host: `node${index}` }),
  );
  const one = status(source({}), ...hosts, failed({ probe: 'slurm.check', host: 'node99' }));
  expect(one.trouble).toBeUndefined();
  expect(one.notes).toEqual(['no answer from 1 of 11 hosts']);
  expect(one.drawEmpty(none)).toBe('no nodes out of service (no answer from 1 of 11 hosts)');
  expect(one.problems).toHaveLength(1);
});

test('a slower probe whose hosts are all down is a note as well', () => {
  const one = status(source({}), failed({ probe: 'slurm.check', host: 'node99', everyMs: 60_000 }));
  expect(one.trouble).toBeUndefined();
  expect(one.notes).toEqual(['no answer from 1 of 2 hosts']);
});

test('many failing sources are counted, three are named', () => {
  const all = Array.from({ length: 9 }, (_, index) => failed({ host: `h${index}` }));
  expect(status(...all).problems).toHaveLength(4);
  expect(status(...all).problems.at(-1)).toBe('and 6 more readings');
  expect(status(...all).trouble).toContain('no answer from 9 of 9 hosts: ');
});

test('sources of one host that fail alike are one line, with the longest failure and the oldest rows', () => {
  const one = status(source({}), failed(), failed({ failingSince: NOW - 60_000, goodAt: NOW - 70_000 }));
  expect(one.problems).toEqual([
    expect.stringMatching(
      /^ctl1: no answer to scontrol ping \(2 readings\) for 1 min, shown rows are from \d\d:39:57$/,
    ),
  ]);
});

test('nothing read yet says what is waited for, or why it is not asked', () => {
  const never = { state: 'never' as const };
  const { goodAt: _, ...bare } = source(never);
  expect(status(bare).instead).toBe('waiting for the first answer from ctl1');
  expect(status({ ...bare, state: 'notAsked', message: 'read-only' }).instead).toBe('not asked: read-only');
  expect(
    status({ ...bare, state: 'failed', failingSince: NOW - 12_000, message: 'ctl1: refused; is sshd up?' })
      .instead,
  ).toBe('not known: ctl1: refused; is sshd up? (for 12 s)');
  expect(status().instead).toBe('waiting for the first answer');
});

test('the age is that of what is asked most often', () => {
  expect(status(source({}), source({ probe: 'heal', everyMs: 600_000, goodAt: NOW - 500_000 })).age).toBe(
    '4 s',
  );
  const heads = {
    ...slurmHead,
    sources: [source({ nextAt: NOW + 6000 }), source({ host: 'ctl2', goodAt: NOW - 5000 })],
  };
  expect(askedLine(heads, NOW)).toBe('asked 2 hosts 5 s ago');
});

test('a probe that was slowed down is noted', () => {
  expect(status(source({ slowedToMs: 50_000 })).notes).toEqual(['asked less often: slow answers']);
});

test('a host that answers is never said to give no answer', () => {
  const half = status(
    source({}),
    failed({ probe: 'slurm.check', everyMs: 60_000 }),
    source({ host: 'ctl2' }),
  );
  expect(half.notes).toEqual(['1 of 3 readings failed']);
  const odd = failed({ host: 'ctl2', probe: 'slurm.check', failure: 'parse', everyMs: 60_000 });
  expect(status(source({}), odd).notes).toEqual(['1 of 2 readings failed']);
});

test('hosts that are asked beside those listed count', () => {
  const sources = [source({}), failed({ host: 'node9', probe: 'slurm.alive', everyMs: 60_000 })];
  expect(paneStatus({ ...slurmHead, sources, hosts: 201 }, NOW).notes).toEqual([
    'no answer from 1 of 201 hosts',
  ]);
});
