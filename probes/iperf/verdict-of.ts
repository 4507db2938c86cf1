import { figure } from './figure.ts';
import { mean } from './samples.ts';
import type { Around, Verdict } from './verdict.ts';
import { rules, steady, type Known } from './verdict-rules.ts';

/** The verdict on one direction: the first that holds, from what is proven best to what is merely seen. Pure. */
export const verdictOf = (around: Around): Verdict => {
  const { samples, error } = around;
  if (samples === undefined || samples.total <= 0)
    return {
      kind: error === undefined ? 'noData' : 'failed',
      sign: error === undefined ? 'unknown' : 'warning',
      text: error ?? 'no data',
      evidence: error === undefined ? [] : [error],
      bps: 0,
      samples: 0,
    };
  if (error !== undefined)
    return {
      kind: 'failed',
      sign: 'warning',
      text: `${error}; ${figure(samples.total)} Gbit/s until then`,
      evidence: [error],
      bps: samples.total,
      samples: samples.intervals.length,
    };
  const bps = samples.intervals.length >= 3 ? mean(samples.intervals) : samples.total;
  const known: Known = { ...around, samples, bps };
  const found = rules.map((rule) => rule(known)).find((one) => one !== undefined) ?? steady(known);
  const count = samples.intervals.length;
  return {
    bps,
    samples: count,
    ...found,
    evidence: [
      ...found.evidence,
      `rests on ${count} ${count === 1 ? 'interval' : 'intervals'} (first and tail left out) of ${around.streams} ${around.streams === 1 ? 'stream' : 'streams'}`,
    ],
  };
};
