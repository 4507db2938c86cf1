import type { Verification } from '../../src/model/action.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';
import { START } from './logged.ts';

/** A verification that reads so, whenever it is looked at. */
export const reads = (
  state: 'yes' | 'wait' | 'no' | 'unread',
  text = `it is ${state}`,
  over: Partial<Verification> = {},
): Verification => ({
  text: 'wanted',
  reads: [],
  deadlineMs: 2_000,
  check: () => ({ state, text }),
  ...over,
});

/** What a look at an earlier run works with: `sources` are read so, and time goes on by what is slept. */
export const lookDesk = (atMs = 3_600_000) => {
  const time = { ms: atMs };
  const sources = new Sources();
  const slept: number[] = [];
  const parts = {
    actionSets: [],
    clock: {
      now: () => START + time.ms,
      mono: () => time.ms,
      sleep: async (ms: number) => {
        slept.push(ms);
        time.ms += ms;
      },
    },
    reader: {
      judgement: () => judgementOf({ readings: sources, site: siteOf([]), mono: time.ms }),
      readNow: async () => undefined,
      touches: () => 'nothing',
    },
  } as unknown as EngineParts;
  return { parts, time, sources, slept };
};
