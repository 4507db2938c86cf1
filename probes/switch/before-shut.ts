import type { Judgement } from '../../src/model/system.ts';
import { nameOf } from './case-of.ts';
import { farEnd, type Link } from './links.ts';
import { badSeries } from './track.ts';
import { verdictSeries } from './track-verdict.ts';
import { perSecond } from './words.ts';

/** A rate is written down when it is read: a port whose last reading before the moment had errors has one in this time. */
const nearMs = 5 * 60_000;
/** Whoever wrote the moment down may have another clock. */
const skewMs = 30_000;

const rateAt = (portId: string, at: number, { history }: Judgement): number =>
  Number(
    history
      .changes(badSeries(portId), at - nearMs)
      .findLast((one) => one.at <= at + skewMs && one.value !== 0)?.value ?? 0,
  );

/**
 * What was wrong with a link when a console took it out, for as long as the history goes back: once it is down its counters tell nothing
 * any more, and the reason for which it was shut would be gone with its finding. Undefined: nothing, or nobody here saw it.
 */
export const wrongBefore = (
  portId: string,
  link: Link,
  at: number,
  judgement: Judgement,
): { text: string; first?: string } | undefined => {
  const far = farEnd(link, portId);
  const [own, theirs] = [portId, far.id].map((id) => rateAt(id, at, judgement));
  const [rate = 0, from, to] = (own ?? 0) >= (theirs ?? 0) ? [own, far.id, portId] : [theirs, portId, far.id];
  if (rate === 0) return undefined;
  const [sender, receiver] = [from, to].map((id) => nameOf(link.a.id === id ? link.a : link.b));
  const first = judgement.history
    .changes(verdictSeries(to), 0)
    .findLast((one) => one.at <= at + skewMs)?.value;
  return {
    text: `${perSecond(rate)} bad frames/s ${to === portId ? `from ${sender}` : `at ${receiver}`}`,
    ...(typeof first === 'string' && { first }),
  };
};
