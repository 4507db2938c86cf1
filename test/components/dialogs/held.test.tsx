import { afterEach, describe, expect, test } from 'vitest';
import type { HoldView, PlanCard, RunView } from '../../../src/model/run.ts';
import { confirmBody } from '../../../components/dialogs/confirm/body.ts';
import { confirmOf } from '../../helpers/confirm.ts';
import { makeTheme } from '../../../components/theme.ts';
import { firstUpdate, NOW, updateOf } from '../fixture.ts';
import { rig, type Replies, type Rig } from '../harness.tsx';

const hold = (change: Partial<HoldView> = {}): HoldView => ({
  target: 'core3:te3/46',
  by: 'timer',
  state: 'waiting',
  secondsLeft: 98,
  text: 'a timer on admin1 restores te3/46 after 120 s',
  typed: 'keep',
  watched: ['jumbo matrix  before 3 of 64 cells lossy  now 0 of 64'],
  good: { ok: true, text: 'no cell is lossy' },
  watches: 1,
  goodInARow: 1,
  ...change,
});

const run = (change: Partial<RunView> = {}): RunView => ({
  id: 'run1',
  title: 'Shut te3/46',
  state: 'running',
  startedAt: NOW,
  targets: [{ id: 'core3:te3/46', state: 'held', text: 'te3/46 is down' }],
  ...change,
});

let one: Rig;
afterEach(() => one.close());

const holding = async (replies: Replies = {}, change: Partial<HoldView> = {}): Promise<void> => {
  one = await rig({ replies: { detail: () => [], keep: () => ({ keeping: true }), ...replies } });
  one.mirror.receive(firstUpdate());
  one.mirror.receive(updateOf({ seq: 5, now: NOW, runs: [run({ hold: hold(change) })] }));
  one.pass(1000);
  await one.settle();
};
const requests = (name: string) =>
  one.sent.flatMap((message) => (message.type === 'request' && message.name === name ? [message.args] : []));

describe('a run that an earlier console left', () => {
  const left = async (change: Partial<RunView>, seq: number): Promise<void> => {
    one.mirror.receive(updateOf({ seq, now: NOW, runs: [run({ left: true, ...change })] }));
    one.pass(1000);
    await one.settle();
  };

  test('is shown by itself while its undo is waited for, and then what came of it, each once', async () => {
    one = await rig({ replies: { detail: () => [] } });
    one.mirror.receive(firstUpdate());
    const waits = { id: 'core3:te3/46', state: 'reading back' as const, text: 'undone unless it was kept' };
    const result = 'left by alice, whose console ended while it was held';
    await left({ targets: [{ ...waits, endsAt: NOW + 60_000 }], result }, 5);
    expect(one.screen()).toContain('s left, by');
    expect(one.screen()).toContain(result);
    expect(one.screen()).not.toContain('stop before the next target');
    await one.keys('Esc');
    await left({ targets: [waits], result }, 6);
    expect(one.screen()).not.toContain(result);
    await left({ state: 'undone', result: 'read again: it was restored' }, 7);
    expect(one.screen()).toContain('undone: back in the state of before');
    expect(one.screen()).toContain('read again: it was restored');
    await one.keys('Esc');
    one.pass(1000);
    await one.settle();
    expect(one.screen()).not.toContain('read again: it was restored');
  });
});

describe('a change that is held', () => {
  test('comes up by itself with the time left, what is watched and what to type', async () => {
    await holding();
    expect(one.screen()).toContain('98 s left, then restored by itself unless kept');
    expect(one.screen()).toContain('a timer on admin1 restores te3/46');
    expect(one.screen()).toContain('now 0 of 64');
    expect(one.screen()).toContain('✓ no cell is lossy');
    expect(one.screen()).toContain(
      'type keep to keep it · U restores it now (asks) · doing nothing restores it',
    );
  });

  test('is kept by the word and Enter, by nothing else', async () => {
    await holding();
    await one.keys('Enter');
    await one.keys('y', 'Enter');
    expect(one.screen()).toContain('not kept: type keep, then Enter');
    expect(requests('keep')).toEqual([]);
    await one.keys('k', 'e', 'e', 'p', 'Enter');
    expect(requests('keep')).toEqual([{ run: 'run1', typed: 'keep' }]);
    expect(requests('stop')).toEqual([]);
  });

  test('is restored by U twice; anything else takes the first one back', async () => {
    await holding({ restore: () => ({ restoring: true }) });
    await one.keys('U');
    expect(one.screen()).toContain('U once more restores it now');
    await one.keys('Esc', 'U');
    expect(requests('restore')).toEqual([]);
    await one.keys('U');
    expect(requests('restore')).toEqual([{ run: 'run1' }]);
  });

  test('says why it could not be kept', async () => {
    const refused = { guard: '9 armed undo', reason: 'too late to keep the change: it is being restored' };
    await holding({ keep: () => ({ refused }) });
    await one.keys('k', 'e', 'e', 'p', 'Enter');
    await one.settle();
    expect(one.screen()).toContain('too late to keep the change');
  });

  test('stays on the screen, and what is not good is said', async () => {
    await holding({}, { good: { ok: false, text: '3 cells lossy' } });
    await one.keys('Esc');
    expect(one.screen()).toContain('doing nothing restores it');
    expect(one.screen()).toContain('! 3 cells lossy');
  });

  test('quitting asks, and leaves the undo armed without waiting for it', async () => {
    await holding({ stop: () => ({}) });
    await one.keys('Ctrl-C');
    expect(one.screen()).toContain('leaving leaves its undo armed, 98 s left');
    expect(one.exits).toBe(0);
    await one.keys('x');
    one.pass(1000);
    await one.settle();
    expect(one.exits).toBeGreaterThan(0);
  });

  test('all of the plan shows what keeps and what restores it before anything is confirmed', async () => {
    await holding();
    const card: PlanCard = {
      id: 'p1',
      action: 'switch.shut',
      title: 'Shut te3/46',
      verb: 'shut',
      site: 'sherlock',
      danger: 'access',
      targets: [{ kind: 'port', id: 'core3:te3/46' }],
      where: 'core3 as ops',
      commands: [{ host: 'admin1', line: 'arm' }],
      hold: {
        by: 'timer',
        seconds: 120,
        text: 'a timer on admin1 restores te3/46',
        keep: [{ host: 'admin1', line: 'systemctl stop faultline-undo' }],
        restore: [{ host: 'core3', line: 'no shutdown' }],
      },
      users: '',
      because: [],
      leftOut: [],
      guards: [],
      afterwards: '',
      undo: '',
      confirmText: 'shut core3:te3/46',
      armedAfterMs: 2000,
      hash: 'x',
    };
    const size = { columns: 120, rows: 40 };
    const { lines } = confirmBody(makeTheme({}), confirmOf(card, { whole: true }), size, 0);
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    expect(text).toContain('if not kept within 120 s it is undone');
    expect(text).toContain('admin1: systemctl stop faultline-undo');
    expect(text).toContain('core3: no shutdown');
  });
});
