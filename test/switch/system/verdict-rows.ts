import { expect } from 'vitest';
import { groundText, type Case, type CauseKind, type End } from '../../../probes/switch/verdict/case.ts';
import { verdictOf } from '../../../probes/switch/verdict/verdict.ts';
import { receiver, sender } from './verdict-ends.ts';

/** What is seen at the two ends of a link, and what the verdict says of it. */
export interface VerdictRow {
  what: string;
  from?: Partial<End>;
  to?: Partial<End>;
  more?: Partial<Case>;
  best: CauseKind;
  first: string;
  next?: string;
  second?: CauseKind;
  confidence?: 'high' | 'medium' | 'low';
  says?: RegExp;
}

export const expectVerdict = ({
  from,
  to,
  more,
  best,
  first,
  next,
  second,
  confidence,
  says,
}: VerdictRow): void => {
  const verdict = verdictOf({ from: sender(from), to: receiver(to), bothWays: false, ...more });
  expect(verdict?.causes[0]?.kind).toBe(best);
  expect(verdict?.first.at.name).toBe(first);
  if (second !== undefined) expect(verdict?.causes[1]?.kind).toBe(second);
  if (next !== undefined) expect(verdict?.next?.at.name).toBe(next);
  if (confidence !== undefined) expect(verdict?.confidence).toBe(confidence);
  if (says) expect(verdict?.causes[0]?.evidence.map(groundText).join('; ')).toMatch(says);
  expect(verdict?.causes.every(({ evidence }) => evidence.length > 0)).toBe(true);
  expect(verdict?.first.steps.join()).not.toBe('replace');
};
