import type { EvidenceDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import type { MdsReading, OssReading } from '../readings.ts';

type ServerProbe = 'lustre.mds' | 'lustre.oss';

/** The servers of one kind: what they have mounted, as far as they tell. */
export interface Servers {
  all: number;
  /** They answer and have nothing mounted. */
  empty: readonly string[];
  /** They can't be read now. */
  silent: readonly string[];
}

const targetsIn = (value: MdsReading | OssReading): number =>
  'mdts' in value ? value.mdts.length : value.osts.length;

export const serversOf = (probe: ServerProbe, { readings }: Judgement): Servers => {
  const sources = readings.sources<MdsReading | OssReading>(probe);
  const fresh = sources.filter(({ state, good }) => state === 'fresh' && good);
  return {
    all: sources.length,
    empty: fresh.flatMap(({ host, good }) => (good && targetsIn(good.value) === 0 ? [host] : [])),
    silent: sources.filter((source) => !fresh.includes(source)).map(({ host }) => host),
  };
};

/** For the advice where a file system is not `served`: no server of the site was ever seen with a target of it. */
export const unlistedAdvice = (fs: string): string =>
  `No server of the site file was seen with a target of ${fs}: if another centre serves this file system, call them; else see where the target should be mounted.`;

/** What each server has mounted, or that it was not read: where a target is missing. */
export const findMounts = (
  probe: ServerProbe,
  kind: 'MDT' | 'OST',
  { readings }: Judgement,
): EvidenceDraft[] =>
  readings
    .sources<MdsReading | OssReading>(probe)
    .slice(0, 12)
    .map((source) => {
      const { host, state, good, failure } = source;
      const words =
        state === 'fresh' && good
          ? `${targetsIn(good.value)} ${kind}s mounted`
          : `not read now${failure === undefined ? '' : `: ${failure.message}`}`;
      return evidenceFrom(source, `${host}: ${words}`);
    });
