import { beforeEach, describe, expect, it } from 'vitest';
import type { Verification } from '../../src/model/action.ts';
import type { Sent } from '../../src/remedy/send-steps.ts';
import { readUndoFailure, verifyOne, verifySent, type Verdict } from '../../src/remedy/verify-sent.ts';
import { createWorld, type World } from './world.ts';

const READS = [{ probe: 'fake.nodes', host: 'ctl1' }];

let world: World;
beforeEach(() => {
  world = createWorld();
});

const sentAs = (state: Sent['state'], over: Partial<Sent> = {}): Sent => ({
  state,
  changed: state === 'accepted',
  text: state,
  results: [{ host: 'ctl1', sha256: '' }],
  ...over,
});
type Seen = ReturnType<Verification['check']>;
const verifyOf = (check: () => Seen, over: Partial<Verification> = {}): Verification => ({
  text: 'it is so',
  reads: READS,
  deadlineMs: 30_000,
  check,
  ...over,
});
const seen = (state: Seen['state']) => (): Seen => ({ state, text: `it reads ${state}` });
const judge = (check: () => Seen, sent = sentAs('accepted')): Promise<Verdict> =>
  verifyOne(world.parts, verifyOf(check), sent);

describe('what came of commands', () => {
  it.each<[string, () => Seen, Sent, Verdict['outcome'], string]>([
    ['it is so', seen('yes'), sentAs('accepted'), 'done', 'it reads yes'],
    [
      'so, without an end of the command',
      seen('yes'),
      sentAs('uncertain'),
      'done',
      'uncertain; it reads yes',
    ],
    ['so, by somebody else', seen('yes'), sentAs('rejected'), 'nothing', 'rejected; it reads yes'],
    [
      'so, in part by us',
      seen('yes'),
      sentAs('rejected', { changed: true }),
      'done',
      'rejected; it reads yes',
    ],
    ['it will not come', seen('no'), sentAs('accepted'), 'failed', 'it reads no'],
    ['proven that nothing was done', seen('wait'), sentAs('rejected'), 'failed', 'rejected; it reads wait'],
    [
      'not so in time, of what another was to do',
      seen('wait'),
      sentAs('accepted', { results: [] }),
      'failed',
      'not so within 30 s: it reads wait',
    ],
    [
      'the first was done, the second refused',
      seen('wait'),
      sentAs('rejected', { changed: true }),
      'failed',
      'rejected; the steps before it were done: it reads wait',
    ],
    [
      'no end, and not so',
      seen('no'),
      sentAs('uncertain'),
      'unknown',
      'uncertain; the command may still take effect: it reads no',
    ],
    [
      'unread, and nothing was done',
      seen('unread'),
      sentAs('rejected'),
      'failed',
      'rejected; what is true now could not be read: it reads unread',
    ],
    [
      'unread',
      seen('unread'),
      sentAs('accepted'),
      'unknown',
      'what is true now could not be read: it reads unread',
    ],
    [
      'so, and not written down',
      seen('yes'),
      sentAs('accepted', { unwritten: 'no logger' }),
      'done',
      'not written down (no logger); it reads yes',
    ],
  ])('%s', async (_, check, sent, outcome, text) => {
    expect(await judge(check, sent)).toMatchObject({ outcome, text });
  });

  it('is read for 30 s; ten where it is proven that nothing was done', async () => {
    const took = async (sent: Sent) => (await judge(seen('unread'), sent)).tookMs;
    expect(await took(sentAs('accepted'))).toBe(30_005);
    expect(await took(sentAs('rejected'))).toBe(10_005);
  });

  it('is looked at less and less often, every two seconds at last, and once more at the end', async () => {
    const at = world.clock.mono();
    const looks: number[] = [];
    const item = {
      target: { verify: verifyOf(seen('wait'), { deadlineMs: 8_000 }) },
      sent: sentAs('accepted'),
      sentAt: at,
    };
    let took = 0;
    await verifySent(
      world.parts,
      [item],
      (_, { tookMs }) => void (took = tookMs),
      () => looks.push(world.clock.mono() - at),
    );
    expect([looks, took]).toEqual([[5, 260, 765, 1_770, 3_775, 5_780, 7_785], 8_005]);
  });

  it('is told at the very end of its time, and a reading that does not come is waited for until then', async () => {
    const verify = verifyOf(seen('wait'), { deadlineMs: 5 });
    expect((await verifyOne(world.parts, verify, sentAs('accepted'))).tookMs).toBe(5);
    let asked = 0;
    const reader = {
      ...world.parts.reader,
      readNow: () => {
        asked += 1;
        return new Promise<void>(() => undefined);
      },
    };
    const verdict = await verifyOne({ ...world.parts, reader }, verifyOf(seen('yes')), sentAs('accepted'));
    expect(verdict).toMatchObject({ outcome: 'unknown', tookMs: 30_000 });
    expect(asked).toBe(1);
  });

  it('that throws while it is judged is not known', async () => {
    const verdict = await judge(() => {
      throw new Error('a defect');
    });
    expect(verdict).toMatchObject({
      outcome: 'unknown',
      text: 'what is true now could not be read: a defect',
    });
  });
});

describe('several at once', () => {
  it('are each settled in its time; who waits is told how far it is, and nothing of what was not read', async () => {
    const told: string[] = [];
    const at = world.clock.mono();
    const one = (name: string, from: number, deadlineMs = 30_000) => ({
      target: {
        verify: verifyOf(() => ({ state: world.clock.mono() - at >= from ? 'yes' : 'wait', text: name }), {
          deadlineMs,
        }),
      },
      sent: sentAs('accepted'),
      sentAt: at,
    });
    world.beforeRead = () => {
      world.broken =
        world.clock.mono() - at > 700 && world.clock.mono() - at < 1_000
          ? { kind: 'timeout', message: 'late' }
          : undefined;
    };
    await verifySent(
      world.parts,
      [one('slow', 4_000), one('quick', 0), one('short', 60_000, 5_000)],
      ({ target }, { outcome, tookMs }) =>
        told.push(`${target.verify.check(world.parts.reader.judgement()).text} ${outcome} ${tookMs}`),
      (_, text) => told.push(`${text} ${world.clock.mono() - at}`),
    );
    // Not told at 765 ms: nothing was read then.
    expect(told).toEqual([
      'slow 5',
      'quick done 5',
      'short 5',
      'slow 260',
      'short 260',
      'slow 1770',
      'short 1770',
      'slow 3775',
      'short 3775',
      'slow done 5005',
      'short unknown 5005',
    ]);
  });

  it('and none at all is nothing to wait for', async () => {
    let reads = 0;
    world.beforeRead = () => void (reads += 1);
    await verifySent(world.parts, [], () => undefined);
    expect(reads).toBe(0);
  });
});

describe('what an undo tells of its own failure', () => {
  it('is put behind what was read, where it tells of one', async () => {
    const told = (tell: () => string | undefined) =>
      readUndoFailure(world.parts, { reads: READS, explain: tell });
    expect(await readUndoFailure(world.parts, undefined)).toBe('');
    expect(await told(() => undefined)).toBe('');
    expect(await told(() => 'no route')).toBe('; its undo failed: no route');
    const failing = () => {
      throw new Error('a defect');
    };
    expect(await told(failing)).toBe('; what its undo reported could not be judged: a defect');
  });
});
