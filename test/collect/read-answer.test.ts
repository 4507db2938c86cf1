import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { commandName } from '../../src/collect/failures.ts';
import { readAnswer, type Interpreted } from '../../src/collect/read-answer.ts';
import { readingsOf } from '../../src/collect/parse-job.ts';
import type { RawAnswer } from '../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../src/model/errors.ts';
import type { Probe } from '../../src/model/system.ts';
import { isPlain } from '../../src/text/safe.ts';
import { answerOf, broken, host, probeOf, unreachable } from './helpers/fake-site.ts';
import { callsOf } from '../helpers/counted.ts';
import { siteOf } from '../helpers/judging.ts';

const asked = { host: 'h1', command: 'scontrol show nodes', deadlineMs: 8000 };
const context = { site: siteOf([]), readings: readingsOf([]), now: 0 };

const read = (raw: RawAnswer, probe: Probe = probeOf('a')): Interpreted =>
  readAnswer(probe, host('h1'), context, raw, asked);
const failing = (raw: RawAnswer, probe?: Probe): unknown => {
  const result = read(raw, probe);
  return result.ok ? undefined : result.failure;
};
const throwing = (error: unknown): Probe =>
  probeOf('a', {
    read: () => {
      throw error;
    },
  });

describe('a slow link', () => {
  const said = (raw: RawAnswer, last: { durationMs: number; hostMs?: number }): unknown => {
    const result = readAnswer(probeOf('a'), host('h1'), context, raw, { ...asked, last });
    return result.ok ? undefined : result.failure.message;
  };
  const slow = { durationMs: 14_000, hostMs: 200 };
  it('is named where an answer does not come', () => {
    expect(said(broken({ timedOut: true }), slow)).toBe(
      'h1: scontrol show nodes timed out after 8 s; its last answer took 14.0 s, 13.8 s of it there and back: the link is slow',
    );
    expect(said(broken({ cancelled: true, durationMs: 44_000 }), slow)).toBe(
      'h1: scontrol show nodes was given up after 44 s without an answer; its last answer took 14.0 s, 13.8 s of it there and back: the link is slow',
    );
  });
  it('is not blamed where the command itself was ended on the host, was slow before, or nothing is known', () => {
    const plain = 'h1: scontrol show nodes timed out after 8 s';
    expect(said(answerOf('', { timedOut: true, exitCode: 124 }), slow)).toBe(plain);
    expect(said(broken({ timedOut: true }), { durationMs: 14_000, hostMs: 13_900 })).toBe(plain);
    expect(said(broken({ timedOut: true }), { durationMs: 14_000 })).toBe(plain);
    expect(said(broken({ cancelled: true, durationMs: 5 }), { durationMs: 20 })).toBe(
      'h1: scontrol show nodes was given up',
    );
  });
});

describe('every way to end has its own kind and words', () => {
  it.each<[string, RawAnswer, object]>([
    [
      'not connected',
      unreachable('h1'),
      { kind: 'connect', connect: 'unreachable', message: 'h1: connection refused; is sshd running there?' },
    ],
    [
      'killed by the remote limit',
      answerOf('', { timedOut: true, exitCode: 124 }),
      { kind: 'timeout', message: 'h1: scontrol show nodes timed out after 8 s' },
    ],
    [
      'no end at all',
      broken({ timedOut: true }),
      { kind: 'timeout', message: 'h1: scontrol show nodes timed out after 8 s' },
    ],
    [
      'connection lost',
      broken({ lost: true }),
      { kind: 'lost', message: 'h1: connection lost while scontrol show nodes ran' },
    ],
    ['no exit code is never success', broken({}), { kind: 'lost' }],
    [
      'flooded',
      broken({ truncated: true, lost: true, stdout: new Uint8Array(1_000_000), stdoutBytes: 104_000_000 }),
      {
        kind: 'truncated',
        message: 'h1: answer of scontrol show nodes truncated: 104 MB came, 1 MB kept',
      },
    ],
    ['cancelled', broken({ cancelled: true }), { kind: 'cancelled' }],
  ])('%s', (_name, raw, failure) => {
    expect(failing(raw)).toMatchObject(failure);
  });

  it('the system says that it failed', () => {
    expect(failing(answerOf(''), throwing(new CommandFailed('controllerDown', 'slurmctld is down')))).toEqual(
      {
        kind: 'command',
        code: 'controllerDown',
        message: 'h1: slurmctld is down',
        said: { what: 'slurmctld is down' },
      },
    );
  });

  it('a place that can not be read is shown with its text, made visible and cut', () => {
    const error = new ParseError('no such state', 'line 12', `\u001b[31m${'y'.repeat(500)}`);
    const failure = failing(answerOf(''), throwing(error));
    expect(failure).toMatchObject({ kind: 'parse', message: expect.stringContaining('at line 12') });
    expect(failure).toMatchObject({ message: expect.stringContaining('^[[31m') });
    expect(failure).toMatchObject({ message: expect.not.stringMatching(/y{121}/) });
  });

  it('a value that is not as the schema says names the place', () => {
    const probe = probeOf('a', {
      schema: z.object({ nodes: z.array(z.object({ cpus: z.number() })) }) as never,
    });
    const broken = probeOf('a', {
      ...probe,
      read: () => ({ value: { nodes: [{ cpus: 'x' }] } as never }),
    } as never);
    expect(failing(answerOf(''), broken)).toMatchObject({
      kind: 'parse',
      message: expect.stringContaining('nodes.0.cpus'),
    });
  });

  it('a fault in a parser is a failure of its source, not of the program', () => {
    expect(failing(answerOf(''), throwing(new TypeError('x is undefined')))).toMatchObject({ kind: 'parse' });
    expect(failing(answerOf(''), throwing('thrown text'))).toMatchObject({ kind: 'parse' });
  });
});

describe('what is read', () => {
  it('has no text that could move a cursor, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const result = read(answerOf(bytes));
        expect(result.ok && typeof result.value === 'string' && isPlain(result.value)).toBe(true);
      }),
    );
  });

  it('counts lines that were not understood', () => {
    const probe = probeOf('a', { read: () => ({ value: 'x', notUnderstood: 3 }) });
    expect(read(answerOf(''), probe)).toEqual({ ok: true, value: 'x', notUnderstood: 3 });
  });

  it('10,000 rows: each text is looked at once to make it safe', () => {
    const text = JSON.stringify({
      nodes: Array.from({ length: 10_000 }, (_, n) => ({
        name: `node${n}`,
        state: ['IDLE', 'DRAIN'],
        reason: 'NHC: check failed',
        cpus: 64,
        memory: 512_000,
        partitions: ['batch', 'long'],
        address: `node${n}.example.org`,
        version: '23.11.4',
      })),
    });
    const schema = z.object({
      nodes: z.array(
        z.object({
          name: z.string(),
          state: z.array(z.string()),
          reason: z.string(),
          cpus: z.number(),
          memory: z.number(),
          partitions: z.array(z.string()),
          address: z.string(),
          version: z.string(),
        }),
      ),
    });
    const probe: Probe = {
      ...probeOf('a'),
      read: ({ stdout }) => ({ value: JSON.parse(stdout) as unknown }),
      schema,
    };
    const raw = answerOf(text);
    const tests = callsOf(RegExp.prototype, 'test', () => expect(read(raw, probe).ok).toBe(true));
    // Eight names and ten texts in each row, each looked at once: not by the schema as well, nor to learn whether anything is to change.
    expect(tests).toBeLessThan(10_000 * (8 + 10) * 1.1);
  });
});

describe('the command in a message', () => {
  it.each([
    ['scontrol ping', 'scontrol ping'],
    ["TZ=UTC SLURM_CONF='/etc/s l' scontrol show nodes 2>/dev/null", 'scontrol show nodes'],
    ['sudo -n timeout -k 1 8 lctl get_param x', 'lctl get_param x'],
    ['export TZ=UTC; sinfo --json', 'sinfo --json'],
    ['printf x\nlfs df', 'lfs df'],
    ['true', 'true'],
    [`cat /${'x'.repeat(80)}`, `cat /${'x'.repeat(34)}…`],
  ])('%s', (script, name) => {
    expect(commandName({ script })).toBe(name);
  });
});
