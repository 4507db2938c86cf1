import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { linkStates } from '../judge/states.ts';
import { badSeries } from '../judge/track.ts';
import { farEnd, type Link } from '../links/link.ts';
import { ratePerSecond } from '../read/words.ts';
import { nameOf } from './case-of.ts';

/** Where to look first and what to do there, of the bad frames that a port receives or sends. */
const verdictSeries = (portId: string): string => `switch/port/${portId}/verdict`;

/** Verdicts are kept as long as the rates they rest on: what a link was shut for is still to be told when its counters stand still. */
export const verdictTracks = (judgement: Judgement): readonly Track[] =>
  linkStates(judgement).flatMap(({ severity, worst: { end, verdict } }) =>
    severity === undefined || !verdict
      ? []
      : [
          {
            series: verdictSeries(end.id),
            value: `${verdict.first.at.name}: ${verdict.first.steps.join(', ')}`,
          },
        ],
  );

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
export const findEarlierVerdict = (
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
    text: `${ratePerSecond(rate)} bad frames/s ${to === portId ? `from ${sender}` : `at ${receiver}`}`,
    ...(typeof first === 'string' && { first }),
  };
};
