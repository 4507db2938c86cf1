import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { EnclosuresReading } from '../enclosures.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { arrayFindings } from './find-arrays.ts';
import { cacheAndDiskFindings } from './find-caches.ts';
import { diskFindings, smartSources, smartTracks } from './find-disks.ts';
import { enclosureFindings } from './find-enclosures.ts';
import { ledFindings } from './find-leds.ts';
import { orderFindings } from './find-order.ts';
import { pathFindings, pathTracks } from './find-paths.ts';
import { rebuildFindings, rebuildTracks, spareTracks } from './find-rebuilds.ts';
import { toldFindings } from './find-told.ts';
import { upsFindings } from './find-ups.ts';
import { sameDiskFindings, slotTracks } from './slot-fates.ts';
import { arraySources, freshValue, hostSubject, seenArrays, unreadParts } from './sources.ts';

const findingOf = findingsOf('storage');

/** One notice for all hosts of which the same part could not be read. */
const unreadFindings = (judgement: Judgement): FindingDraft[] => {
  const unread = arraySources(judgement).flatMap((source) =>
    Object.entries(freshValue(source)?.unread ?? {}).map(([part, why]) => ({ source, part, why })),
  );
  const disks = smartSources(judgement).flatMap((source) =>
    Object.entries(freshValue(source)?.unread ?? {})
      .slice(0, 1)
      .map(([name, why]) => ({ source, part: 'smart', why: `${name}: ${why}` })),
  );
  const slots = judgement.readings.sources<EnclosuresReading>('storage.enclosures').flatMap((source) => {
    const why = freshValue(source)?.unread;
    return why === undefined ? [] : [{ source, part: 'slots', why }];
  });
  const parts = judgement.readings.sources<EnclosuresReading>('storage.enclosures').flatMap((source) => {
    const why = freshValue(source)?.partsUnread;
    return why === undefined ? [] : [{ source, part: 'enclosures', why }];
  });
  return [...Map.groupBy([...unread, ...disks, ...slots, ...parts], ({ part }) => part)].map(
    ([part, group]) => {
      const hosts = group.map(({ source }) => source.host);
      return findingOf({
        kind: 'part-unread',
        key: part,
        severity: 'notice',
        subject: hosts.length === 1 ? hostSubject(hosts[0] ?? '') : { kind: 'site', id: fold(hosts) },
        members: hosts.map(hostSubject),
        summary: `Storage of ${fold(hosts)}: ${unreadParts[part] ?? part} not known: ${group[0]?.why ?? ''}`,
        evidence: group.slice(0, 5).map(({ source, why }) => evidenceFrom(source, why)),
        suspects: [{ subject: hostSubject(hosts[0] ?? ''), cause: 'not-read', confidence: 'high' }],
      });
    },
  );
};

/** Everything wrong with what protects the data. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => {
  const seen = seenArrays(judgement);
  const caches = [...cacheAndDiskFindings(judgement), ...toldFindings(judgement)];
  return [
    ...arrayFindings(seen),
    ...rebuildFindings(seen, judgement),
    ...caches,
    ...diskFindings(judgement),
    ...sameDiskFindings(judgement),
    ...orderFindings(judgement),
    ...pathFindings(judgement),
    ...upsFindings(judgement, caches),
    ...enclosureFindings(judgement),
    ...ledFindings(judgement),
    ...unreadFindings(judgement),
  ];
};

export const tracks = (judgement: Judgement): readonly Track[] => [
  ...rebuildTracks(seenArrays(judgement)),
  ...spareTracks(seenArrays(judgement)),
  ...pathTracks(judgement),
  ...smartTracks(judgement),
  ...slotTracks(judgement),
];
