import type { EvidenceDraft, FindingDraft } from '../model/finding.ts';
import type { Source } from '../model/reading.ts';
import { cut } from '../text/width.ts';
import { dropUndefined } from './known.ts';

/** Columns of a summary. */
const summaryColumns = 100;

type Optional<T> = { [K in keyof T]?: T[K] | undefined };
type Needed = 'kind' | 'severity' | 'subject' | 'summary' | 'evidence';

/** What a finding says beyond what all of a system share. `key`: with the kind it is the same while the fault lasts. */
export type FindingParts = { key: string } & Pick<FindingDraft, Needed> &
  Optional<Omit<FindingDraft, 'id' | 'system' | Needed>>;

/** How a system makes its findings: id and system of its own, a summary that fits, nobody hurt and no remedy unless told. */
export const findingsOf =
  (system: string) =>
  ({ key, hurt = {}, remedies = [], ...parts }: FindingParts): FindingDraft => ({
    ...dropUndefined(parts),
    id: `${system}:${parts.kind}:${key}`,
    system,
    summary: cut(parts.summary, summaryColumns),
    hurt,
    remedies,
  });

/** Since when sources fail: of one that never answered here that is only when it was first seen. */
export const failingSince = (
  sources: readonly Pick<Source, 'failingSince' | 'good'>[],
): Pick<FindingDraft, 'since' | 'sinceIs'> => {
  const failing = sources.filter((source) => source.failingSince !== undefined);
  if (failing.length === 0) return {};
  return {
    since: Math.min(...failing.map((source) => source.failingSince ?? Infinity)),
    ...(failing.some(({ good }) => good === undefined) && { sinceIs: 'seen' as const }),
  };
};

/** A line of evidence from the last good reading of a source. */
export const evidenceFrom = (source: Source | undefined, text: string): EvidenceDraft => ({
  text,
  ...dropUndefined({ probe: source?.probe, host: source?.good && source.host, at: source?.good?.at }),
});
