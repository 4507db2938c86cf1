import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import type { EnclosurePart, EnclosuresReading } from '../enclosures.ts';
import { freshValue, hostSubject } from './sources.ts';

const findingOf = findingsOf('storage');

/** What an enclosure says of a part that is wrong, or will be; all other words, `Not installed` and `Unknown` among them, say nothing. */
const isBad = ({ status, predicted }: EnclosurePart): boolean =>
  /^(?:Critical|Noncritical|Non-critical|Unrecoverable)$/.test(status) || predicted === true;

/** `power supply 1 Critical (AC fail)`: numbers from 0, as the tool counts. */
export const partWords = ({ kind, index, status, predicted, flags = [] }: EnclosurePart): string => {
  const why = [...flags, ...(predicted === true ? ['expects to fail'] : [])];
  return `${kind.toLowerCase()} ${index} ${status}${why.length > 0 ? ` (${why.join(', ')})` : ''}`;
};

/** Of several power supplies none is left: the next thing that happens takes the enclosure away. */
const isLast = (parts: readonly EnclosurePart[]): boolean => {
  const supplies = parts.filter(({ kind }) => kind === 'Power supply');
  return (
    supplies.filter(({ status }) => status !== 'Not installed').length > 1 &&
    supplies.some(isBad) &&
    supplies.filter(({ status }) => status === 'OK').length <= 1
  );
};

/** Power supplies, fans, sensors and electronics of enclosures; disks are told by their arrays. */
export const enclosureFindings = ({ readings }: Judgement): FindingDraft[] =>
  readings.sources<EnclosuresReading>('storage.enclosures').flatMap((source) => {
    const parts = freshValue(source)?.parts ?? [];
    return [...Map.groupBy(parts, ({ enclosure }) => enclosure)].flatMap(([enclosure, own]) => {
      const bad = own.filter(isBad);
      const [first] = bad;
      if (!first) return [];
      const worst = isLast(own) || bad.some(({ status }) => status === 'Unrecoverable');
      return [
        findingOf({
          kind: 'enclosure-part',
          key: `${source.host}:${enclosure}`,
          severity: worst ? 'critical' : 'warning',
          subject: hostSubject(source.host),
          summary: `${source.host}: enclosure ${enclosure}: ${partWords(first)}${bad.length > 1 ? `, and ${count(bad.length - 1, 'part')} more` : ''}`,
          advice: isLast(own)
            ? 'Replace the power supply now, and pull no other part: one more takes every disk of this enclosure away at once.'
            : 'Replace the part while the others carry it; an enclosure that goes takes all of its disks at once.',
          suspects: [
            {
              subject: hostSubject(source.host),
              cause: 'enclosure-part',
              confidence: 'high',
              values: { enclosure },
            },
          ],
          evidence: bad.slice(0, 6).map((part) => evidenceFrom(source, `${enclosure}: ${partWords(part)}`)),
        }),
      ];
    });
  });
