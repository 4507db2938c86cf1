import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import type { UpsUnit } from '../readings.ts';
import { servedBy } from './served.ts';
import { writingOf } from './writing.ts';

/** A host that a UPS feeds and whose write cache is off for no reason of its own. */
export interface DarkCache {
  host: string;
  /** Whose data it holds, in words, where its writes are slow. */
  slow: string;
  evidence: readonly EvidenceDraft[];
}

/**
 * Whether something outside of the controller may have taken the cache: what its own battery, a learn cycle or its setting explains hangs on
 * no UPS.
 */
export const isCacheTaken = ({ kind, suspects = [] }: Pick<FindingDraft, 'kind' | 'suspects'>): boolean =>
  kind === 'cache-off' && suspects.some(({ cause }) => cause === 'cache-off');

/** Of these hosts those whose write cache was taken from outside, by what was found. */
export const darkCaches = (
  feeds: readonly string[],
  found: readonly FindingDraft[],
  judgement: Judgement,
): DarkCache[] =>
  feeds.flatMap((host) => {
    const own = found.filter((one) => isCacheTaken(one) && one.subject.id === host);
    if (own.length === 0) return [];
    const slow = writingOf(host, judgement)?.slow === true;
    return [
      {
        host,
        slow: slow ? servedBy(host, judgement).words : '',
        evidence: own.flatMap(({ evidence }) => evidence.slice(0, 2)).slice(0, 2),
      },
    ];
  });

/** `write cache of array1 off, 12 OSTs slow` */
export const darkWords = (dark: readonly DarkCache[]): string => {
  const slow = dark.flatMap((one) => (one.slow === '' ? [] : one.slow));
  const cache = `write cache of ${fold(dark.map(({ host }) => host))} off`;
  return slow.length === 0 ? cache : `${cache}, ${slow.join(', ')} slow`;
};

const CHARGED_PCT = 90;
const LONG_S = 300;

/** What speaks against trusting this battery, by what was read of it now; none: it was measured and is good. */
export const batteryDoubts = ({
  onBattery,
  replaceBattery,
  chargePct,
  runtimeS,
  selfTest,
}: UpsUnit): string[] => [
  ...(onBattery === false ? [] : ['it is not known to be on line']),
  ...(replaceBattery === false ? [] : ['it may want its battery replaced']),
  ...(chargePct !== undefined && chargePct >= CHARGED_PCT ? [] : ['its charge is low or not known']),
  ...(runtimeS !== undefined && runtimeS >= LONG_S ? [] : ['its runtime is short or not known']),
  // NUT: "Done and passed"; apcupsd: "OK" or "NO" behind the reason of the test.
  ...(/^(?:Done and passed|OK)$/i.test(selfTest ?? '') ? [] : ['no self-test of it is known to have passed']),
];

/** What to do by hand: the vendor's reset makes a controller trust a battery, so that it is named only where the battery was measured. */
export const resetAdvice = (unit: UpsUnit): string => {
  const order = 'Order the battery for exactly this model.';
  const doubts = batteryDoubts(unit);
  if (doubts.length > 0)
    return `${order} The vendor's reset of its date is no way here: ${doubts.join('; ')}, and it would make controllers trust a battery that nobody measured.`;
  const minutes = Math.round((unit.runtimeS ?? 0) / 60);
  return `${order} Until it is in, the vendor's reset of the battery's date, in the site's runbook, brings the write cache back: read just now were self-test "${unit.selfTest}", charge ${unit.chargePct} % and runtime ${minutes} min. Note who did it.`;
};
