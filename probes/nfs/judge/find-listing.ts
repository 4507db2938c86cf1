import { groupThousands } from '../../../src/text/units.ts';
import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ListingReading } from '../readings.ts';
import { agoText, cureText, curesOf, ENTRIES, gainsIn, secondsText, whyNotCure } from './listings.ts';
import { freshValue, hostSubject } from './servers.ts';

const findingOf = findingsOf('nfs');

const slowOn = (source: Source<ListingReading>, judgement: Judgement): FindingDraft[] => {
  const { host } = source;
  const cures = curesOf(host, judgement);
  const [worst] = gainsIn(cures);
  // Once the snippet is there the measurement is one of before.
  if (!worst || freshValue(source)?.snippets.sh === 'ours') return [];
  const { listing, cure } = worst;
  const { hostMs = 0, offMs = 0 } = cure;
  const why = whyNotCure(cures);
  const asked = Object.entries(listing.colours?.keys ?? {})
    .filter(([key]) => ['ca', 'ex', 'su', 'sg'].includes(key))
    .map(([key, value]) => `${key}=${value}`);
  return [
    findingOf({
      kind: 'listing-slow',
      key: host,
      severity: 'warning',
      subject: hostSubject(host),
      summary: `${host}: ls in ${listing.directory} takes ${secondsText(hostMs)} with colours, ${secondsText(offMs)} without (${groupThousands(ENTRIES)} entries)`,
      since: listing.at,
      advice:
        why ??
        'Without colours for executables, setuid, setgid and capabilities ls need not look at each entry. It holds for new login shells.',
      suspects: [
        {
          subject: hostSubject(host),
          cause: 'ls-colours',
          confidence: 'high',
          values: { factor: Math.round(hostMs / offMs) },
        },
      ],
      evidence: [
        evidenceFrom(
          source,
          `LS_COLORS of login shells asks for ${asked.join(', ') || 'what ls colours by default'} (${listing.colours?.from ?? '?'})`,
        ),
        ...cures
          .slice(0, 6)
          .map((one) => evidenceFrom(source, `${cureText(one.listing, one.cure)}; ${agoText(one)}`)),
      ],
      remedies: why === undefined ? [{ action: 'nfs.colours-off', subjects: [hostSubject(host)] }] : [],
    }),
  ];
};

/** Login hosts whose colours make `ls` look at each entry, where that was measured to cost within a week. */
export const listingFindings = (judgement: Judgement): FindingDraft[] =>
  judgement.readings
    .sources<ListingReading>('nfs.listing')
    .flatMap((source) => (freshValue(source) ? slowOn(source, judgement) : []));
