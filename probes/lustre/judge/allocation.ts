import { groupThousands, percent } from '../../../src/text/units.ts';
import { importState, isAtLeast, shortVersion } from '../read/words.ts';

/** Whether an MDT will put new objects on an OST. */
export interface Allocation {
  verdict: 'blocked' | 'avoided' | 'allocates' | 'unknown';
  /** A few words for the table: `no: inactive`. */
  short: string;
  /** The whole reason. */
  because: string;
  /** Flags that somebody set to keep objects away and that have no effect here. */
  ignored: readonly ('degraded' | 'max_create_count=0')[];
}

export interface AllocationInput {
  version?: string | undefined;
  active?: boolean | undefined;
  maxCreateCount?: number | undefined;
  prealloc?: number | undefined;
  /** Import state of the MDT to the OST. */
  state?: string | undefined;
  degraded?: boolean | undefined;
  noCreate?: boolean | undefined;
  readOnly?: boolean | undefined;
  qos: Qos;
}

const preallocTexts: Readonly<Record<number, string>> = {
  [-11]: 'no objects precreated yet',
  [-19]: 'OST not connected',
  [-28]: 'no space or inodes left',
  [-30]: 'OST is read-only',
  [-108]: 'deactivated',
};

const blockedAllocation = (short: string, because: string): Allocation => ({
  verdict: 'blocked',
  short: `no: ${short}`,
  because,
  ignored: [],
});

const unknownAllocation = (short: string, because: string): Allocation => ({
  verdict: 'unknown',
  short: `? ${short}`,
  because,
  ignored: [],
});

/** What keeps objects away, or keeps it from being known, whatever is set to keep them away. */
const withoutFlags = (input: AllocationInput): Allocation | undefined => {
  const { active, prealloc, state } = input;
  if (active === false) return blockedAllocation('inactive', 'the MDT holds it inactive (active=0)');
  if (input.readOnly) return blockedAllocation('read-only', 'the OST is read-only');
  if (input.noCreate) return blockedAllocation('no_create', 'no_create is set on the OSS');
  if (state !== undefined && importState(state) !== 'connected')
    return blockedAllocation(state.toLowerCase(), `the MDT's connection is ${state}`);
  if (prealloc !== undefined && prealloc < 0)
    return blockedAllocation(
      prealloc === -28 ? 'full' : 'not ready',
      `${preallocTexts[prealloc] ?? 'precreation fails'} (prealloc_status ${prealloc})`,
    );
  if (active === undefined && state === undefined && prealloc === undefined)
    return unknownAllocation('MDT not read', 'this MDT was not read');
  // In all releases there are both: what is not there could not be read.
  if (active === undefined)
    return unknownAllocation('active', 'whether the MDT holds it active was not read');
  return state === undefined
    ? unknownAllocation('connection', "the state of the MDT's connection was not read")
    : undefined;
};

/** The verdict of docs/systems/lustre.md, by version. What is not known is never taken for fine. */
export const allocationOf = (input: AllocationInput): Allocation => {
  const { version, maxCreateCount } = input;
  const release = version === undefined ? 'this Lustre' : `Lustre ${shortVersion(version)}`;
  const ignored: Allocation['ignored'][number][] = [];
  const whatever = withoutFlags(input);
  if (whatever) return whatever;
  if (maxCreateCount === undefined)
    return unknownAllocation('max_create_count', 'max_create_count was not read');
  if (maxCreateCount === 0) {
    if (version === undefined)
      return unknownAllocation(
        'max_create_count=0',
        'whether max_create_count=0 counts depends on the version, which is not known',
      );
    // LU-4825: honoured since 2.9.
    if (isAtLeast(version, '2.9')) return blockedAllocation('creates stopped', 'max_create_count=0');
    ignored.push('max_create_count=0');
  }
  if (input.degraded) {
    if (version === undefined)
      return unknownAllocation('degraded', 'what degraded does depends on the version, which is not known');
    const advisory = 'still used when too few others are left, or when named with setstripe';
    // LU-522: since 2.9 weighing skips it too.
    if (isAtLeast(version, '2.9'))
      return { verdict: 'avoided', short: 'avoided: degraded', because: `degraded: ${advisory}`, ignored };
    if (input.qos.inUse === undefined)
      return unknownAllocation('degraded', `degraded counts only while QOS is not in use: ${input.qos.text}`);
    if (!input.qos.inUse) {
      const because = `degraded, and ${release} uses round-robin now (${input.qos.text}): ${advisory}`;
      return { verdict: 'avoided', short: 'avoided: degraded', because, ignored };
    }
    ignored.push('degraded');
  }
  if (ignored.includes('degraded'))
    return {
      verdict: 'allocates',
      short: 'yes: QOS ignores D',
      because: `degraded is ignored because ${release} and free space is unbalanced (${input.qos.text})`,
      ignored,
    };
  if (ignored.length > 0)
    return {
      verdict: 'allocates',
      short: 'yes: max 0 ignored',
      because: `max_create_count=0 is ignored by ${release}: it counts since 2.9`,
      ignored,
    };
  const room = ` (max_create_count ${groupThousands(maxCreateCount)})`;
  const unread = input.degraded === undefined ? '; whether it is degraded was not read' : '';
  return { verdict: 'allocates', short: 'yes', because: `nothing stops it${room}${unread}`, ignored };
};

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
