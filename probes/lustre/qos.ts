import { percent } from '../../src/text/units.ts';

/** Whether an MDT weighs OSTs by free space now, with the arithmetic in words. */
export interface Qos {
  /** Undefined: can't be told. */
  inUse: boolean | undefined;
  text: string;
}

export interface QosInput {
  /** `qos_threshold_rr`, percent. */
  thresholdPct?: number | undefined;
  /** Available space of the OSTs that the MDT may use, KiB. */
  avail: readonly number[];
}

/**
 * The allocator's own test (`lod_qos_calc_ppo` to 2.12, `ltd_qos_penalties_calc` since): OSTs are alike, so plain round-robin,
 * while `(max * (256 - t)) >> 8 < min` with t = threshold * 256 / 100. A ratio of free space, not a difference of fill levels. It
 * passes over OSTs with nothing available, and wants two at least. Inodes are compared among MDTs only, for directories.
 */
export const qosOf = ({ thresholdPct, avail }: QosInput): Qos => {
  if (thresholdPct === undefined) return { inUse: undefined, text: 'qos_threshold_rr not known' };
  const counted = avail.filter((kb) => kb > 0);
  if (avail.length === 0) return { inUse: undefined, text: 'free space of the OSTs not known' };
  const full = avail.length - counted.length;
  const apart = full > 0 ? `, ${full} without any not counted` : '';
  if (counted.length < 2)
    return { inUse: false, text: `QOS not in use: ${counted.length} OST with free space${apart}` };
  const max = BigInt(Math.max(...counted)) * 1024n;
  const min = BigInt(Math.min(...counted)) * 1024n;
  const free = `min ${percent(Number(min) / Number(max))} of max free${apart}`;
  if (thresholdPct >= 100) return { inUse: false, text: `QOS off: threshold 100 % (${free})` };
  const t = BigInt(Math.floor((thresholdPct * 256) / 100));
  const inUse = (max * (256n - t)) >> 8n >= min;
  const limit = percent(Number(256n - t) / 256);
  return { inUse, text: `${free}, QOS ${inUse ? 'in use' : 'not in use'}: used below ${limit}` };
};
