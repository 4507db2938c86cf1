import { describe, expect, it } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { Settling } from '../../src/model/action.ts';
import { lookAgain, settlingKey } from '../../src/remedy/recover.ts';
import { memoryKey } from '../../src/remedy/revive.ts';
import type { PreparedHold, PreparedTarget } from '../../src/remedy/prepared.ts';
import { logged, START } from './logged.ts';
import { lookDesk, reads } from './look-desk.ts';
import { preparedHold, preparedTarget } from './prepared.ts';

const READS = [{ probe: 'fake.nodes', host: 'ctl1' }];
const noAnswer = (seconds: number) => `ctl1 gave no fresh answer to fake.nodes within ${seconds}.0 s`;
/** Looks at `one` as this process remembers it; time goes on by what is slept. */
const looking = (one: LoggedAction, target: Partial<PreparedTarget> | undefined, atMs = 3_600_000) => {
  const { parts, time, sources, slept } = lookDesk(atMs);
  const memory = new Map(target === undefined ? [] : [[memoryKey(one.run, one), preparedTarget(target)]]);
  const since = new Map<string, number>();
  const look = (asReadSince?: number) =>
    lookAgain(parts, one, [one], { memory, since, ...(asReadSince !== undefined && { asReadSince }) });
  return { look, since, slept, time, sources };
};

const one = logged();
const key = settlingKey(one);

describe('a target of an earlier run is read again', () => {
  it('not before its commands must have ended', async () => {
    const early = looking(one, { verify: reads('yes') }, 20_000);
    await early.look();
    expect(early.slept).toEqual([40_000]);
    const late = looking(one, { verify: reads('yes') }, 60_000);
    await late.look();
    expect(late.slept).toEqual([]);
  });

  it('and is done at once when it reads as it was wanted', async () => {
    const { look } = looking(one, { verify: reads('yes', 'n1 is drained') });
    expect(await look()).toEqual({ outcome: 'done', text: 'read again: n1 is drained' });
  });

  it.each([
    ['can’t be told', reads('unread', 'of two readings'), 'it is not known now: of two readings'],
    [
      'can’t be judged',
      reads('yes', '', {
        check: () => {
          throw new Error('no such field');
        },
      }),
      'it could not be judged: no such field',
    ],
  ])('and is unknown when it %s: what was seen before counts no more', async (_, verify, text) => {
    const { look, since } = looking(one, { verify });
    since.set(key, 5);
    expect(await look()).toEqual({ outcome: 'unknown', text });
    expect(since.has(key)).toBe(false);
    since.set(key, 5);
    await look(0);
    expect(since.get(key)).toBe(5);
  });

  it('and is unknown when it can’t be read, also of what was read anyway', async () => {
    const unread = logged({}, { verify: { text: '', reads: READS, deadlineMs: 1 } });
    const { look, since, time } = looking(unread, { verify: reads('yes') });
    since.set(key, 5);
    expect(await look()).toEqual({ outcome: 'unknown', text: `it can't be read now: ${noAnswer(60)}` });
    expect(since.has(key)).toBe(false);
    expect(await look(time.ms)).toEqual({ outcome: 'unknown', text: `it can't be read now: ${noAnswer(0)}` });
  });

  it('by what was read anyway only what shows as done is a word', async () => {
    const shows = looking(logged({}, { verify: { text: '', reads: READS, deadlineMs: 1 } }), {
      verify: reads('yes'),
    });
    shows.sources.good('fake.nodes', 'ctl1', 1, undefined, 0);
    expect(await shows.look(0)).toMatchObject({ outcome: 'done' });
    const not = looking(one, { verify: reads('no', 'n1 is up') });
    expect(await not.look(0)).toEqual({ outcome: 'unknown', text: 'it is not so now: n1 is up' });
    expect(not.since.size).toBe(0);
  });
});

describe('what is not so now', () => {
  it('may still come for 30 s, from reading to reading, and has failed then', async () => {
    const { look, time, since } = looking(one, { verify: reads('wait', 'n1 is up') });
    expect(await look()).toEqual({
      outcome: 'unknown',
      text: 'it is not so now (n1 is up), and may still come; it is looked at again for 30 s',
      settlesInMs: 30_000,
    });
    expect(since.get(key)).toBe(3_600_000);
    time.ms += 29_999;
    expect(await look()).toMatchObject({ outcome: 'unknown', settlesInMs: 1 });
    time.ms += 1;
    expect(await look()).toEqual({ outcome: 'failed', text: 'read again, it is not so: n1 is up' });
  });

  const settling = (settles: Settling) => looking(one, { verify: reads('wait', 'n1 is up', { settles }) });

  it('may come for as long as its action says', async () => {
    expect(await settling({ ms: 90_000 } as Settling).look()).toMatchObject({ settlesInMs: 90_000 });
    expect(await settling({ ms: 0 } as Settling).look()).toMatchObject({ outcome: 'failed' });
  });

  it('is no word while who may carry it out is silent: the wait begins anew', async () => {
    const silent = settling({
      ms: 0,
      reads: [],
      whyPending: () => 'slurmctld does not answer',
    } as unknown as Settling);
    silent.since.set(key, 5);
    expect(await silent.look()).toEqual({
      outcome: 'unknown',
      text: 'it is not so now (n1 is up), and slurmctld does not answer',
    });
    expect(silent.since.has(key)).toBe(false);
    const unread = settling({ ms: 0, reads: READS, whyPending: () => undefined } as unknown as Settling);
    expect(await unread.look()).toMatchObject({ text: `it is not so now (n1 is up), and ${noAnswer(60)}` });
    const answers = settling({ ms: 0, whyPending: () => undefined } as unknown as Settling);
    expect(await answers.look()).toMatchObject({ outcome: 'failed' });
  });
});

it('an action that has no words for it is asked for 10 minutes, and then nothing waits for it', async () => {
  const text =
    'whether it took effect is not known from the present readings: this program has no action fake.drain';
  const asked = looking(one, undefined, 599_999);
  expect(await asked.look()).toEqual({ outcome: 'unknown', text });
  asked.time.ms += 1;
  expect(await asked.look()).toEqual({
    outcome: 'unknown',
    text: `${text}; nothing waits for it any more: check it by hand`,
    closed: true,
  });
});

describe('a held change whose time is over', () => {
  const restored = { text: '', reads: [], deadlineMs: 1 };
  const timer = { by: 'timer' as const, seconds: 120, text: '', restored };
  const writes = { ...timer, writesChange: true as const };
  const device = { ...timer, by: 'device' as const };
  const heldAt = (
    hold: Partial<PreparedHold>,
    over: Partial<LoggedAction> = {},
    detail: Partial<LoggedAction['detail']> = { hold: timer },
    verify = reads('no', 'te3/46 is down'),
  ) =>
    looking(logged({ held: { armed: START }, ...over }, detail), {
      verify,
      hold: preparedHold({ kept: reads('no'), restored: reads('no', 'te3/46 is shut'), ...hold }),
    });
  const keep = { held: { armed: START, keep: START } };

  it('was kept, where that was asked for and reads so within a second', async () => {
    const kept = heldAt({ kept: reads('yes', 'it stays') }, keep);
    expect(await kept.look()).toEqual({ outcome: 'done', text: 'read again: kept: it stays' });
    // What nobody asked to keep is not kept, however it reads.
    const unasked = heldAt({ kept: reads('yes'), restored: reads('yes', 'te3/46 is up') });
    expect(await unasked.look()).toMatchObject({ outcome: 'undone' });
    const slow = heldAt({ kept: reads('wait'), restored: reads('yes', 'te3/46 is up') }, keep);
    expect(await slow.look()).toMatchObject({ outcome: 'undone' });
    expect(slow.time.ms).toBe(3_601_000);
  });

  it.each([
    ['it was restored', { changed: START, armed: START }, timer],
    ['it was restored', { changed: START }, writes],
    ['it was never changed: its console ended before the undo was seen to be armed', {}, timer],
    ['it was never changed: its console ended before the change was sent', { armed: START }, writes],
    [
      'it was never changed: its console ended before the change was sent',
      {},
      { ...writes, by: 'device' as const },
    ],
    ['it is as before; the log does not say', { armed: START }, timer],
    ['it is as before; the log does not say', {}, device],
    ['it is as before; the log does not say', { change: START, armed: START }, writes],
    ['it is as before; the log does not say', { change: START }, timer],
  ])('reads as before: %s (%j)', async (text, held, hold) => {
    const undone = await heldAt({ restored: reads('yes', 'te3/46 is up') }, { held }, { hold }).look();
    expect(undone).toMatchObject({ outcome: 'undone' });
    expect(undone.text).toContain(`read again: ${text}`);
    expect(undone.text).toMatch(/: te3\/46 is up$/);
  });

  it('reads as before: what a damaged log does not hold proves nothing', async () => {
    const undone = await heldAt({ restored: reads('yes') }, { held: {}, gaps: true }).look();
    expect(undone.text).toContain('the log does not say whether');
  });

  it('that can’t be read is unknown, with what its undo tells', async () => {
    const failure = { reads: [], explain: () => 'adm9: no route' };
    expect(await heldAt({ restored: reads('unread', 'no answer'), failure }).look()).toEqual({
      outcome: 'unknown',
      text: "it can't be read now: what is true now could not be read: no answer; its undo failed: adm9: no route",
    });
  });

  it('that was not restored has failed, be it so now or not; where that can’t be read it is unknown', async () => {
    const failure = { reads: [], explain: () => 'adm9: no route' };
    const stands = heldAt({ failure }, {}, { hold: timer }, reads('yes', 'te3/46 is down'));
    expect(await stands.look()).toEqual({
      outcome: 'failed',
      text: 'read again: it was not restored: te3/46 is down; its undo failed: adm9: no route',
    });
    const unread = heldAt({}, {}, { hold: timer }, reads('unread', 'no answer'));
    expect(await unread.look()).toMatchObject({ outcome: 'unknown' });
    expect(unread.time.ms).toBe(3_601_000);
  });
});
