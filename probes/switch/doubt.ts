import type { EndState, LinkState } from './states.ts';

/** Why nobody knows what an end receives although its device was read twice. */
export const doubtOf = ({ unlisted, port, rates: [now] }: EndState): string | undefined => {
  if (unlisted) return 'not listed';
  if (port === undefined || now === undefined || now.rxBad !== undefined) return undefined;
  return now.remarks[0] ?? 'no error counter';
};

/** Shows bad frames that are not judged yet, nor said to be fine. */
export const isEarly = ({ severity, a, b }: LinkState): boolean =>
  severity === undefined && [a, b].some(({ silent }) => silent !== undefined);

export const isDoubtful = ({ a, b }: LinkState): boolean => [a, b].some((end) => doubtOf(end) !== undefined);
