import { expect, it } from 'vitest';
import type { Verification } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { verifySent } from '../../src/remedy/verify-sent.ts';

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
      reader: { judgement: () => ({}) as Judgement, readNow: () => Promise.resolve() },
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
