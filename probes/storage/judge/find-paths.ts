import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import type { ArraysReading, ReadMap } from '../readings.ts';
import { belowWords, heldByMap, placesOn } from './places.ts';
import { arraySources, freshValue, hitBy, hostSubject } from './sources.ts';

const findingOf = findingsOf('storage');

const DAY_MS = 24 * 3_600_000;

const seriesOf = (host: string, map: ReadMap): string => `storage.paths:${host}:${map.name}`;

export const pathTracks = (judgement: Judgement) =>
  arraySources(judgement).flatMap((source) =>
    (freshValue(source)?.maps ?? []).map((map) => ({
      series: seriesOf(source.host, map),
      value: map.usable,
    })),
  );

/** A path that was deleted is not failed, it is gone: the most that were usable within a day are what there should be. */
const remembered = (host: string, map: ReadMap, { history, now }: Judgement): number =>
  Math.max(
    map.paths,
    ...history.changes(seriesOf(host, map), now - DAY_MS).map(({ value }) => Number(value)),
  );

const marginalText = ({ marginal = [] }: ReadMap): string =>
  marginal.length === 0 ? '' : `, of these ${marginal.join(', ')} marginal`;

/** Errors now and then: multipathd uses it only when nothing else is left. */
const marginalFinding = (source: Source<ArraysReading>, map: ReadMap): FindingDraft[] => {
  const { marginal = [], name } = map;
  const { host } = source;
  return marginal.length === 0
    ? []
    : [
        findingOf({
          kind: 'paths-marginal',
          key: `${host}:${name}`,
          severity: 'warning',
          subject: hostSubject(host),
          summary: `${host}: ${name}: ${marginal.join(', ')} marginal, ${map.usable - marginal.length} of ${count(map.usable, 'path')} left that work well`,
          advice:
            'A path with errors now and then is used last: look at its cable, its optics and the error counts of its port before the others fail.',
          suspects: [
            { subject: hostSubject(host), cause: 'path-lost', confidence: 'medium', values: { map: name } },
          ],
          evidence: [evidenceFrom(source, `${name}: marginal ${marginal.join(', ')} of ${map.paths} listed`)],
        }),
      ];
};

const findOne = (source: Source<ArraysReading>, map: ReadMap, judgement: Judgement): FindingDraft[] => {
  const { host } = source;
  const should = remembered(host, map, judgement);
  if (map.usable >= should && map.usable > 0) return marginalFinding(source, map);
  const held = heldByMap(map, placesOn(host, judgement.facts), freshValue(source));
  const none = map.usable === 0;
  const waits = map.queueing === true ? 'IO waits without an error' : 'IO fails';
  return [
    findingOf({
      kind: none ? 'no-path' : 'paths-lost',
      key: `${host}:${map.name}`,
      severity: none ? 'critical' : 'warning',
      subject: hostSubject(host),
      summary: `${host}: ${map.name}${belowWords(held)} has ${none ? `no path: ${waits}` : `${map.usable} of ${count(should, 'path')}`}${marginalText(map)}`,
      advice: none
        ? 'Look at the controllers and their cables; processes that use this map hang until a path is back.'
        : 'Look at the cable and the controller of the path that is gone: the next one takes the disk with it.',
      suspects: [
        { subject: hostSubject(host), cause: 'path-lost', confidence: 'high', values: { map: map.name } },
      ],
      evidence: [
        evidenceFrom(
          source,
          `${map.name}: ${map.usable} usable of ${map.paths} listed, ${should} within a day${map.lost ? `; not usable: ${map.lost.join(', ')}` : ''}${map.marginal ? `; marginal: ${map.marginal.join(', ')}` : ''}`,
        ),
      ],
      ...(none && { breaks: [{ what: 'data' as const, of: hitBy(host, held) }] }),
    }),
  ];
};

export const pathFindings = (judgement: Judgement): FindingDraft[] =>
  arraySources(judgement).flatMap((source) =>
    (freshValue(source)?.maps ?? []).flatMap((map) => findOne(source, map, judgement)),
  );
