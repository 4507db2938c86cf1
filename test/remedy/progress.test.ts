import { expect, it } from 'vitest';
import type { Action, Verification } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { verifySent } from '../../src/remedy/verify-sent.ts';
import { createWorld, fakeAction, node } from './world.ts';

it('long work tells how far it is each time it is read again, until it ends', async () => {
  const seen = ['round 1 of 2', 'round 2 of 2', 'n4 is slow'];
  let mono = 0;
  const check: Verification['check'] = () => {
    const text = seen.shift() ?? '';
    return { state: seen.length > 0 ? 'wait' : 'yes', text };
  };
  const said: string[] = [];
  await verifySent(
    {
      reader: {
        touches: () => 'nothing',
        judgement: () => ({ readings: {} }) as Judgement,
        readNow: () => Promise.resolve(),
      },
      clock: {
        now: () => mono,
        mono: () => mono,
        sleep: (ms) => {
          mono += ms;
          return Promise.resolve();
        },
      },
    },
    [
      {
        target: { verify: { text: 'it is through', reads: [], deadlineMs: 60_000, check } },
        sent: { state: 'accepted', changed: true, text: 'accepted', results: [] },
        sentAt: 0,
      },
    ],
    (_item, verdict) => void said.push(`${verdict.outcome}: ${verdict.text}`),
    (_item, text) => void said.push(text),
  );
  expect(said).toEqual(['round 1 of 2', 'round 2 of 2', 'done: n4 is slow']);
});

it('a run says by when what it waits for comes of itself, as long as it waits', async () => {
  const world = createWorld(1);
  const endsAt = world.clock.now() + 120_000;
  const whole = fakeAction();
  const timed: Action = {
    ...whole,
    plan: (...asked) => {
      const plan = whole.plan(...asked);
      if ('refused' in plan) return plan;
      const targets = plan.targets.map((target) => ({ ...target, verify: { ...target.verify, endsAt } }));
      return { ...plan, targets };
    },
  };
  const engine = world.engine({ actionSets: [{ system: 'fake', actions: [timed] }] });
  const seen = new Map<string, number | undefined>();
  engine.onChange(() => {
    const target = engine.runs()[0]?.targets[0];
    if (target) seen.set(target.state, target.endsAt);
  });
  const planned = await engine.plan('fake.resume', [node('n1')], {});
  if ('refused' in planned) throw new Error(planned.refused.reason);
  const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
  if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
  await engine.awaitEnd(confirmed.run);
  expect(Object.fromEntries(seen)).toEqual({
    waiting: undefined,
    checking: undefined,
    sent: undefined,
    'reading back': endsAt,
    verified: undefined,
  });
});
