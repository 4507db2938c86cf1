import { grouped } from '../../src/text/units.ts';
import type { Qos } from './qos.ts';
import { atLeast, shortVersion } from './version.ts';
import { importIs } from './words.ts';

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

/** The verdict of domain/lustre.md section 5, by version. What is not known is never taken for fine. */
export const allocationOf = (input: AllocationInput): Allocation => {
  const { version, active, maxCreateCount, prealloc, state } = input;
  const release = version === undefined ? 'this Lustre' : `Lustre ${shortVersion(version)}`;
  const ignored: Allocation['ignored'][number][] = [];
  const no = (short: string, because: string): Allocation => ({
    verdict: 'blocked',
    short: `no: ${short}`,
    because,
    ignored,
  });
  if (active === false) return no('inactive', 'the MDT holds it inactive (active=0)');
  if (input.readOnly) return no('read-only', 'the OST is read-only');
  if (input.noCreate) return no('no_create', 'no_create is set on the OSS');
  if (state !== undefined && importIs(state) !== 'connected')
    return no(state.toLowerCase(), `the MDT's connection is ${state}`);
  if (prealloc !== undefined && prealloc < 0)
    return no(
      prealloc === -28 ? 'full' : 'not ready',
      `${preallocTexts[prealloc] ?? 'precreation fails'} (prealloc_status ${prealloc})`,
    );
  if (active === undefined && state === undefined && prealloc === undefined)
    return unknown('MDT not read', 'no MDT was read');
  // In all releases there are both: what is not there could not be read.
  if (active === undefined) return unknown('active', 'whether the MDT holds it active was not read');
  if (state === undefined) return unknown('connection', "the state of the MDT's connection was not read");
  if (maxCreateCount === undefined) return unknown('max_create_count', 'max_create_count was not read');
  if (maxCreateCount === 0) {
    if (version === undefined)
      return unknown(
        'max_create_count=0',
        'whether max_create_count=0 counts depends on the version, which is not known',
      );
    // LU-4825: honoured since 2.9.
    if (atLeast(version, '2.9')) return no('creates stopped', 'max_create_count=0');
    ignored.push('max_create_count=0');
  }
  if (input.degraded) {
    if (version === undefined)
      return unknown('degraded', 'what degraded does depends on the version, which is not known');
    const advisory = 'still used when too few others are left, or when named with setstripe';
    // LU-522: since 2.9 weighing skips it too.
    if (atLeast(version, '2.9'))
      return { verdict: 'avoided', short: 'avoided: degraded', because: `degraded: ${advisory}`, ignored };
    if (input.qos.inUse === undefined)
      return unknown('degraded', `degraded counts only while QOS is not in use: ${input.qos.text}`);
    if (!input.qos.inUse) {
      const because = `degraded, and ${release} uses round-robin now (${input.qos.text}): ${advisory}`;
      return { verdict: 'avoided', short: 'avoided: degraded', because, ignored };
    }
    ignored.push('degraded');
  }
  const [first] = ignored;
  if (first === 'degraded' || ignored.includes('degraded'))
    return {
      verdict: 'allocates',
      short: 'yes: QOS ignores D',
      because: `degraded is ignored because ${release} and free space is unbalanced (${input.qos.text})`,
      ignored,
    };
  if (first !== undefined)
    return {
      verdict: 'allocates',
      short: 'yes: max 0 ignored',
      because: `max_create_count=0 is ignored by ${release}: it counts since 2.9`,
      ignored,
    };
  const room = ` (max_create_count ${grouped(maxCreateCount)})`;
  const unread = input.degraded === undefined ? '; whether it is degraded was not read' : '';
  return { verdict: 'allocates', short: 'yes', because: `nothing stops it${room}${unread}`, ignored };
};

const unknown = (short: string, because: string): Allocation => ({
  verdict: 'unknown',
  short: `? ${short}`,
  because,
  ignored: [],
});
