import { parseHead, type AuditHead } from './audit-head.ts';
import { FIRST_PREV } from './audit-line.ts';
import type { Traces } from './audit-traces.ts';

/** Log, head and traces as they were found. */
export interface Found {
  log: 'missing' | 'empty' | 'one line' | 'more';
  /** Undefined: there is no such file. */
  head: string | undefined;
  traces: Traces;
}

/** What the head says, or why it can't be believed. */
export type Judged = { head: AuditHead | undefined; problem?: string };

/**
 * A log that was never begun, one of the version before (which made both files empty, and wrote a head of one line), and one that
 * lost something look alike in places; the file of what was begun tells them apart. Where it stands head and log must be whole;
 * where it does not, what the version before can have left is accepted, once: then the file is made.
 */
export const judgeHead = ({ log, head, traces }: Found): Judged => {
  if (head === undefined || head === '') return withoutHead(log, head, traces);
  const parsed = parseHead(head);
  if (parsed === undefined) return judgeBroken('the file beside the log is no head file');
  if (parsed.point === undefined && traces.begun)
    return judgeBroken('the head file beside the log lost its second line');
  if (log === 'missing' && parsed.seq > 0)
    return judgeBroken(`the log is gone: its head names record ${parsed.seq}`);
  return { head: parsed };
};

const judgeBroken = (problem: string): Judged => ({ head: undefined, problem });

const withoutHead = (log: Found['log'], head: '' | undefined, traces: Traces): Judged => {
  const { begun, sealed, lock } = traces;
  const nothing = log === 'missing' && head === undefined;
  const before = begun || sealed.length > 0 || (nothing && lock);
  const is = head === undefined ? 'missing' : 'empty';
  if (log === 'missing' || log === 'empty') {
    if (!before) return { head: undefined };
    return nothing
      ? judgeBroken(`the log and its head are gone, and were there before: ${leftOf(traces)}`)
      : judgeBroken(
          `the log is ${log}, the head file beside it ${is}, and acts were done before: ${leftOf(traces)}`,
        );
  }
  // The version before was killed between its first record and the head of it.
  if (head === '' && log === 'one line' && !begun) return { head: { seq: 0, lineHash: FIRST_PREV } };
  return judgeBroken(`the head file beside the log is ${is}: lines may have been cut off`);
};

const leftOf = ({ begun, sealed, lock }: Traces): string => {
  const left = [
    ...(begun ? ['begun.jsonl'] : []),
    ...sealed.map((one) => `sealed-${one}`),
    ...(lock ? ['its lock'] : []),
  ];
  return `${left.join(', ')} still ${left.length === 1 ? 'is' : 'are'} there`;
};
