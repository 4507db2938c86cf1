import { afterEach, describe, expect, test } from 'vitest';
import type { PlanCard } from '../../../src/model/run.ts';
import type { Requests } from '../../../src/model/wire.ts';
import { card, one, open, requests, toDialog } from './acting.ts';

afterEach(() => one.close());

/** Each time the plan is made anew the next of these is the answer, the last one for ever. */
const living = async (shown: PlanCard, ...later: readonly Requests['plan']['out'][]): Promise<void> => {
  let at = -1;
  await open(shown, {
    plan: ({ renews }) => {
      if (renews === undefined) return { card: shown };
      at = Math.min(at + 1, later.length - 1);
      return later[at] ?? { card: shown };
    },
  });
  await toDialog();
};

/** Past the next time at which the plan is made anew. */
const wait = async (): Promise<void> => {
  one.pass(4000);
  await one.settle();
};

const renewals = () => requests('plan').flatMap((args) => ('renews' in args ? [args.renews] : []));
const refused = { refused: { guard: '3 live', reason: 'node12 is IDLE' } };
const service = { danger: 'service', confirmText: '17 nodes' } as const;

describe('a plan that is read', () => {
  test('is made anew every few seconds, and never expires', async () => {
    await living(card());
    for (let times = 0; times < 30; times++) await wait();
    expect(renewals().length).toBeGreaterThan(20);
    expect(new Set(renewals())).toEqual(new Set(['plan1']));
    await one.keys('y');
    expect(requests('confirm')).toEqual([{ plan: 'plan1', typed: 'y' }]);
  });

  test('the same bytes: its lines change, what was typed stands', async () => {
    const left = [{ id: 'node31', reason: 'check fails ("no route")' }];
    await living(card(service), { card: card({ ...service, leftOut: left }) });
    await one.type('1');
    await one.type('7');
    await wait();
    expect(one.screen()).toContain('no route');
    expect(one.screen()).toContain('Enter: 17_');
  });

  test('other bytes: it says what has changed, and what was typed is void', async () => {
    const fewer = card({
      ...service,
      id: 'plan2',
      targets: card().targets.slice(1),
      commands: card().commands.slice(1),
      hash: 'def',
    });
    await living(card(service), { card: fewer });
    for (const char of '17 nodes') await one.type(char);
    await wait();
    expect(one.screen()).toContain('node12 left out: read the plan again; what was typed is void');
    expect(one.screen()).toContain('Enter: _');
    one.pass(1000);
    await one.keys('Enter');
    expect(requests('confirm')).toEqual([]);
  });

  test('a key on its way to what was there before confirms nothing', async () => {
    await living(card(), { card: card({ id: 'plan2', hash: 'def' }) });
    await wait();
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
    expect(one.screen()).toContain('too soon: the plan has only just appeared');
    one.pass(500);
    await one.keys('x');
    one.pass(500);
    await one.keys('y');
    expect(requests('confirm')).toEqual([{ plan: 'plan2', typed: 'y' }]);
  });

  test('a guard that does not hold any more stands there in full, and y says why it does nothing', async () => {
    await living(card(), refused, { card: card({ id: 'plan2' }) });
    await wait();
    expect(one.screen()).toContain('not now     node12 is IDLE');
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
    expect(one.screen()).toContain('the plan cannot be confirmed now');
    await wait();
    expect(one.screen()).not.toContain('not now');
    expect(one.screen()).toContain('the plan can be confirmed now: read the plan again');
    expect(one.screen()).not.toContain('cannot be confirmed now');
  });

  test('a collector that stops leaves it, and nothing can be confirmed', async () => {
    await living(card());
    one.mirror.noteStopped('killed');
    one.pass(1000);
    await one.settle();
    expect(one.screen()).toContain('the collector is stopped');
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
  });

  test('an answer that comes after it was closed is dropped, too', async () => {
    await living(card(), { card: card({ id: 'plan2' }) });
    one.pass(4000);
    one.console.press([{ name: 'Esc', alone: true, repeat: false }]);
    await one.settle();
    expect(requests('confirm')).toEqual([]);
    expect(requests('drop')).toContainEqual({ plan: 'plan1' });
  });
});
