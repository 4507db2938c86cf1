import { describe, expect, it } from 'vitest';
import type { HeldLock } from '../../src/remedy/locks.ts';
import { createHoldControl } from '../../src/remedy/hold-control.ts';
import { createLater } from '../../src/remedy/later.ts';
import { findLastProblem, lostLock, record, type RunContext } from '../../src/remedy/run-context.ts';
import { commandTo, preparedHold, preparedPlan, preparedTarget } from './prepared.ts';
import { createWorld } from './world.ts';

type Check = Awaited<ReturnType<HeldLock['check']>>;

/** A lock that is found so; `expires`: after so many questions. */
const lockOn = (group: string, found?: Check, expires = Infinity): HeldLock => {
  let asked = 0;
  return {
    group,
    isExpired: () => (asked += 1) > expires,
    check: async () => found,
    release: async () => undefined,
  } as unknown as HeldLock;
};

const contextOf = (locks: readonly HeldLock[], plan = preparedPlan()) => {
  const logged: string[] = [];
  const world = createWorld(1);
  const parts = { ...world.parts, log: (line: string) => void logged.push(line) };
  const context: RunContext = {
    parts,
    plan,
    run: 'run-1',
    confirmed: 'y',
    locks,
    later: createLater(parts),
    remark: () => undefined,
    control: createHoldControl(),
    show: () => undefined,
    showHold: () => undefined,
  };
  return { context, logged };
};

describe('right before the first byte', () => {
  it('nothing is in the way of what was shown, under locks that are still ours', () => {
    const held = preparedPlan({ targets: [preparedTarget({ hold: preparedHold() }), preparedTarget()] });
    for (const plan of [preparedPlan(), held])
      expect(findLastProblem(contextOf([lockOn('a')], plan).context)).toBeUndefined();
  });

  it.each([
    ['a command', { steps: [commandTo('drain')] }],
    ['a command of the hold', { hold: preparedHold({ restore: [commandTo('other')] }) }],
  ])('%s that is not the one that was shown is not sent', (_, change) => {
    const shown = preparedPlan({ targets: [preparedTarget({ hold: preparedHold() })] });
    const plan = { ...shown, targets: [preparedTarget({ hold: preparedHold(), ...change })] };
    expect(findLastProblem(contextOf([], plan).context)).toEqual({
      guard: '2 shown is sent',
      text: 'the commands are not the ones that were shown',
    });
  });

  it('a lock that has expired is named', () => {
    expect(findLastProblem(contextOf([lockOn('a'), lockOn('b', undefined, 0)]).context)).toEqual({
      guard: '12 lock',
      text: 'the lock on b has expired',
    });
  });
});

describe('the locks as they stand in the folder', () => {
  const lost: Check = { state: 'lost', reason: 'bob broke it' };
  const unread: Check = { state: 'unread', reason: 'admin1 did not answer' };

  it('of these groups are in nobody’s way while they stand; those of other groups are not asked', async () => {
    const { context } = contextOf([lockOn('a'), lockOn('b', lost), lockOn('c', undefined, 0)]);
    expect(await lostLock(context, ['a'])).toBeUndefined();
    expect(await lostLock(context, [])).toBeUndefined();
  });

  it('that are no longer ours stop it, whatever reason was typed', async () => {
    for (const plan of [preparedPlan(), preparedPlan({ withoutLock: 'agreed with bob' })])
      expect(await lostLock(contextOf([lockOn('a'), lockOn('b', lost)], plan).context, ['a', 'b'])).toEqual({
        guard: '12 lock',
        text: 'the lock on b is no longer ours: bob broke it',
      });
  });

  it('that cannot be read stop it, unless a typed reason goes without, which is logged', async () => {
    const { context } = contextOf([lockOn('a', unread)]);
    expect(await lostLock(context, ['a'])).toEqual({
      guard: '12 lock',
      text: 'the lock on a could not be read again: admin1 did not answer; to go without it: --set exceed12="why it is safe"',
    });
    const without = contextOf([lockOn('a', unread)], preparedPlan({ withoutLock: 'agreed with bob' }));
    expect(await lostLock(without.context, ['a'])).toBeUndefined();
    expect(without.logged).toEqual([
      'run run-1: the lock on a could not be read again: admin1 did not answer; it goes on without the lock: agreed with bob',
    ]);
  });

  it('that expired while they were read stop it', async () => {
    expect(await lostLock(contextOf([lockOn('a', undefined, 0)]).context, ['a'])).toEqual({
      guard: '12 lock',
      text: 'the lock on a has expired',
    });
  });
});

describe('what has happened already', () => {
  const note = { kind: 'note', detail: {} } as const;

  it('is written down; that it could not be is logged with its run', async () => {
    const good = contextOf([]);
    expect(await record(good.context, note)).toBe(true);
    expect(good.logged).toEqual([]);
    const bad = contextOf([]);
    const audit = {
      ...bad.context.parts.audit,
      append: async () => ({ ok: false, reason: 'full disk' }) as const,
    };
    expect(await record({ ...bad.context, parts: { ...bad.context.parts, audit } }, note)).toBe(false);
    expect(bad.logged).toEqual(['run run-1: full disk']);
  });
});
