import { percent } from '../../src/text/units.ts';
import { atLeast } from './version.ts';

/** Whether an MDT weighs OSTs by free space now, with the arithmetic in words. */
export interface Qos {
  /** Undefined: can't be told. */
  inUse: boolean | undefined;
  text: string;
}

export interface QosInput {
  version?: string | undefined;
  /** `qos_threshold_rr`, percent. */
  thresholdPct?: number | undefined;
  /** Available space of the OSTs that the MDT may use, KiB. */
  avail: readonly number[];
}

/**
 * The allocator's own test (lod_qos.c): OSTs are alike, so plain round-robin, while
 * `(max * (256 - t)) >> 8 < min` with t = threshold * 256 / 100. A ratio of free space, not a difference of fill levels.
 * 100 skips the test outright from 2.16 on, and in 2.15.8 (LU-15393); before, an OST with nothing available still
 * switches weighing on. From 2.13 on inodes weigh in as well: not computed here.
 */
export const qosOf = ({ version, thresholdPct, avail }: QosInput): Qos => {
  if (thresholdPct === undefined) return { inUse: undefined, text: 'qos_threshold_rr not known' };
  if (avail.length === 0) return { inUse: undefined, text: 'free space of the OSTs not known' };
  const max = BigInt(Math.max(...avail));
  const min = BigInt(Math.min(...avail));
  const share = max === 0n ? 1 : Number(min) / Number(max);
  const free = `min ${percent(share)} of max free`;
  if (thresholdPct >= 100 && version !== undefined && atLeast(version, '2.15.8'))
    return { inUse: false, text: `QOS off: threshold 100 % (${free})` };
  const t = BigInt(Math.floor((thresholdPct * 256) / 100));
  const inUse = (max * (256n - t)) >> 8n >= min;
  const limit = percent(Number(256n - t) / 256);
  return {
    inUse,
    text: `${free}, QOS ${inUse ? 'in use' : 'not in use'}: ${thresholdPct >= 100 && inUse ? 'an OST has nothing available' : `used below ${limit}`}`,
  };
};
