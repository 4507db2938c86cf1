import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { settingsOf } from '../settings.ts';
import { hostSubject, mdRemedies, nameOf, type SeenArray } from './sources.ts';
import { fateWords } from './slot-fates.ts';

const findingOf = findingsOf('storage');

const MINUTE_MS = 60_000;
/** A rebuild that is where it was for so long stands still. */
const STALLED_MS = 10 * MINUTE_MS;
/** So long a spare may lie idle beside a place that it could fill. */
const IDLE_MS = 2 * MINUTE_MS;

const seriesOf = ({ host, array }: SeenArray): string => `storage.rebuild:${host}:${array.id}`;

/** The position of a rebuild, kept so that one that stands still is told from one that waits. */
export const rebuildTracks = (seen: readonly SeenArray[]): Track[] =>
  seen.flatMap((one) => {
    const { work, waits, workDone } = one.array;
    return work === undefined || waits !== undefined || workDone === undefined
      ? []
      : [{ series: seriesOf(one), value: workDone }];
  });

/** KiB a second since the reading before, and the ms until the end at that rate. Tools go by the last seconds, and jump. */
const rateOf = (seen: SeenArray): { kibS: number; endMs?: number } | undefined => {
  const { workDone, workTotal, work } = seen.array;
  const oldest = seen.earlier.findLast(
    ({ array }) => array.work === work && array.workDone !== undefined && array.waits === undefined,
  );
  const at = seen.source.good?.at;
  if (workDone === undefined || oldest?.array.workDone === undefined || at === undefined) return undefined;
  const seconds = (at - oldest.at) / 1000;
  const done = workDone - oldest.array.workDone;
  if (seconds <= 0 || done < 0) return undefined;
  const kibS = done / seconds;
  const left = workTotal === undefined ? undefined : workTotal - workDone;
  return { kibS, ...(kibS > 0 && left !== undefined && { endMs: (left / kibS) * 1000 }) };
};

const workWords = { rebuild: 'rebuilds', resync: 'resyncs', reshape: 'is reshaped', unknown: 'is worked on' };

/** `43 %, 12 MB/s, ends in about 13 h` */
export const progressOf = (seen: SeenArray): string => {
  const { workPct, waits } = seen.array;
  const rate = rateOf(seen);
  return [
    workPct === undefined ? 'position not known' : `${Math.floor(workPct * 10) / 10} %`,
    ...(waits === undefined ? [] : [`waits (${waits})`]),
    ...(rate ? [`${(rate.kibS / 1000).toFixed(rate.kibS < 10_000 ? 1 : 0)} MB/s`] : []),
    ...(rate?.endMs === undefined ? [] : [`ends in about ${age(rate.endMs)}`]),
  ].join(', ');
};

const isStalled = (seen: SeenArray, { history, now }: Judgement): boolean => {
  const points = history.changes(seriesOf(seen), now - STALLED_MS);
  const [first] = points;
  // What held at the beginning of the time is written down, too: one value alone that is old enough has not moved.
  return (
    first !== undefined &&
    points.length === 1 &&
    now - first.at >= STALLED_MS &&
    Number(first.value) === seen.array.workDone
  );
};

/** In all readings of two minutes: a place to fill, a spare, and nothing that fills it. */
const isIdle = (seen: SeenArray): boolean => {
  const at = seen.source.good?.at ?? 0;
  const all = [{ at, array: seen.array }, ...seen.earlier];
  const oldest = all.at(-1)?.at ?? at;
  return (
    at - oldest >= IDLE_MS &&
    all.every(
      ({ array }) =>
        (array.spares ?? 0) > 0 &&
        array.work === undefined &&
        array.slots.some(({ state }) => state === 'missing'),
    )
  );
};

const stall = (seen: SeenArray, judgement: Judgement): string | undefined => {
  const { array, redundancy } = seen;
  const wanted = array.work === 'rebuild' || (redundancy?.missing ?? 0) > 0;
  if (array.frozen === true && wanted) return 'frozen by hand: sync_action reads frozen';
  // Waiting for another one that shares a disk, or for the first write, is no stall.
  if (array.waits !== undefined) return undefined;
  if (array.work !== undefined && isStalled(seen, judgement)) return 'no progress in 10 min';
  return isIdle(seen) ? 'a spare lies idle beside an empty place' : undefined;
};

const stalledFindings = (seen: readonly SeenArray[], judgement: Judgement): FindingDraft[] =>
  seen.flatMap((one) => {
    const why = stall(one, judgement);
    if (why === undefined) return [];
    const { host, array, redundancy, source } = one;
    return [
      findingOf({
        kind: 'rebuild-stalled',
        key: `${host}:${array.id}`,
        severity: redundancy?.left === 0 ? 'critical' : 'warning',
        subject: hostSubject(host),
        summary: `${nameOf(one)}: rebuild stands still: ${why}`,
        advice:
          'Look at sync_action and the kernel log of the host: `frozen` was set by a person, a read error of a member is a failing disk.',
        suspects: [
          {
            subject: hostSubject(host),
            cause: 'rebuild-stalled',
            confidence: 'medium',
            values: { array: array.id },
          },
        ],
        evidence: [evidenceFrom(source, `${array.level}: ${why}`)],
      }),
    ];
  });

/** Which disk is filled, where its controller tells it from the one before. */
const filledDisks = ({ host, array }: SeenArray, judgement: Judgement): string[] =>
  array.slots.flatMap(({ disk, state }) => {
    const number = disk === undefined || state !== 'filling' ? undefined : fateWords(host, disk, judgement);
    return number === undefined ? [] : [`${disk}: ${number}`];
  });

/** Each rebuild with its rate and its end, and how many run at once. */
const runningFindings = (seen: readonly SeenArray[], judgement: Judgement): FindingDraft[] => {
  const running = seen.filter(({ array }) => array.work === 'rebuild');
  const many = running.length > 1 && running.length * 4 > seen.length;
  return running
    .filter((one) => stall(one, judgement) === undefined)
    .map((one) =>
      findingOf({
        kind: 'rebuild',
        key: `${one.host}:${one.array.id}`,
        severity: 'notice',
        subject: hostSubject(one.host),
        summary: `${nameOf(one)} ${workWords.rebuild}: ${progressOf(one)}${many ? `; ${running.length} of ${seen.length} arrays do` : ''}`,
        evidence: [
          evidenceFrom(one.source, `${one.array.level}: ${progressOf(one)}`),
          ...filledDisks(one, judgement).map((text) => evidenceFrom(one.source, text)),
        ],
        remedies: mdRemedies(one, 'storage.rebuild-speed'),
      }),
    );
};

/** A spare that was there within this time is missed. */
const SPARE_MS = 7 * 24 * 60 * MINUTE_MS;

const sparesOf = ({ host, array }: SeenArray): string => `storage.spares:${host}:${array.id}`;

export const spareTracks = (seen: readonly SeenArray[]): Track[] =>
  seen.flatMap((one) =>
    one.array.spares === undefined ? [] : [{ series: sparesOf(one), value: one.array.spares }],
  );

/**
 * Arrays that had a spare and have none: it took over, or was taken away. One that never had any is meant so, unless the site file says
 * that the arrays of its host have spares.
 */
const spareFindings = (seen: readonly SeenArray[], { history, now, site }: Judgement): FindingDraft[] =>
  seen.flatMap((one) => {
    const { host, array, source } = one;
    const isWanted = settingsOf(site).spared.includes(host) && (one.redundancy?.tolerance ?? 0) > 0;
    const had = Math.max(
      0,
      ...history.changes(sparesOf(one), now - SPARE_MS).map(({ value }) => Number(value)),
    );
    if (array.spares !== 0 || (had === 0 && !isWanted)) return [];
    const before = had === 0 ? 'the site file wants one' : `${had} within the last week`;
    return [
      findingOf({
        kind: 'no-spare',
        key: `${host}:${array.id}`,
        severity: 'warning',
        subject: hostSubject(host),
        summary: `${nameOf(one)}: no spare left, ${before}: the next failure finds none`,
        advice:
          'Add a disk as a spare once the rebuild has ended; it must be as large as the smallest member.',
        suspects: [
          { subject: hostSubject(host), cause: 'no-spare', confidence: 'high', values: { array: array.id } },
        ],
        evidence: [evidenceFrom(source, `${array.level}: 0 spares, ${before}`)],
        remedies: mdRemedies(one, 'storage.add-disk'),
      }),
    ];
  });

export const rebuildFindings = (seen: readonly SeenArray[], judgement: Judgement): FindingDraft[] => [
  ...stalledFindings(seen, judgement),
  ...runningFindings(seen, judgement),
  ...spareFindings(seen, judgement),
];
