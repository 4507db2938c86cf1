import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source, Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { SmartDisk, SmartReading } from '../readings.ts';
import { freshValue, hostSubject, seenArrays } from './sources.ts';

const findingOf = findingsOf('storage');

const DAY_MS = 86_400_000;
/** Reallocated sectors from which a disk is replaced now, and how many more of them in a day. */
const [MANY, MANY_A_DAY] = [100, 10];
/** Percent of its life by the vendor from which an NVMe disk is worn. */
const WORN_PCT = 90;

export const smartSources = ({ readings }: Judgement): readonly Source<SmartReading>[] =>
  readings.sources<SmartReading>('storage.smart');

/** Counters of which the growth says more than the figure. */
export const tracked = ['reallocated', 'grownDefects', 'mediaErrors'] as const;
type Grown = (typeof tracked)[number];

export const seriesOf = (host: string, { name, serial }: SmartDisk, counter: Grown): string =>
  `storage.smart:${host}:${serial ?? name}:${counter}`;

export const smartTracks = (judgement: Judgement): Track[] =>
  smartSources(judgement).flatMap((source) =>
    (freshValue(source)?.disks ?? []).flatMap((disk) =>
      tracked.flatMap((counter) => {
        const value = disk[counter];
        return value === undefined ? [] : [{ series: seriesOf(source.host, disk, counter), value }];
      }),
    ),
  );

/** How much more than at the beginning of the day; undefined where that is not known. */
const growth = (
  host: string,
  disk: SmartDisk,
  counter: Grown,
  { history, now }: Judgement,
): number | undefined => {
  const [first] = history.changes(seriesOf(host, disk, counter), now - DAY_MS);
  const value = disk[counter];
  return first === undefined || value === undefined ? undefined : value - Number(first.value);
};

interface Sign {
  text: string;
  critical?: true;
  /** Alone no sign that it fails. */
  weak?: true;
}

/** A bad cable, a reset and a power cut leave a few commands without an answer, too. */
const FEW_TIMEOUTS = 10;

/** Attributes of which the first count already makes a failure many times likelier (Google 2007; Backblaze 2016). */
const firstCounts: readonly (readonly [
  keyof SmartDisk &
    ('reportedUncorrect' | 'commandTimeout' | 'pending' | 'offlineUncorrectable' | 'uncorrectedErrors'),
  string,
])[] = [
  ['reportedUncorrect', 'errors that could not be corrected (187)'],
  ['commandTimeout', 'command time-outs (188)'],
  ['pending', 'sectors that can not be read (197)'],
  ['offlineUncorrectable', 'sectors that a scan could not correct (198)'],
  ['uncorrectedErrors', 'errors that could not be corrected'],
];

const ataSigns = (host: string, disk: SmartDisk, judgement: Judgement): Sign[] => {
  const { reallocated = 0, grownDefects = 0 } = disk;
  const more = growth(host, disk, 'reallocated', judgement) ?? 0;
  const defects = growth(host, disk, 'grownDefects', judgement) ?? 0;
  return [
    ...(reallocated > 0
      ? [
          {
            text: `${reallocated} reallocated sectors (5)${more > 0 ? `, ${more} more within a day` : ''}`,
            ...((reallocated > MANY || more >= MANY_A_DAY) && { critical: true as const }),
          },
        ]
      : []),
    // Every disk has some when it is new: only that they grow is a sign.
    ...(defects > 0 ? [{ text: `${grownDefects} grown defects, ${defects} more within a day` }] : []),
    ...firstCounts.flatMap(([counter, words]) => {
      const value = disk[counter] ?? 0;
      const isWeak = counter === 'commandTimeout' && value <= FEW_TIMEOUTS;
      return value > 0 ? [{ text: `${value} ${words}`, ...(isWeak && { weak: true as const }) }] : [];
    }),
  ];
};

/** Bits of the critical warning (NVM Express, SMART / Health Information). */
const warnings: readonly (readonly [bit: number, words: string])[] = [
  [1, 'spare blocks run out'],
  [2, 'temperature'],
  [4, 'reliability degraded'],
  [8, 'read only'],
  [16, 'backup of its memory failed'],
  [32, 'persistent memory unreliable'],
];

const nvmeSigns = (host: string, disk: SmartDisk, judgement: Judgement): Sign[] => {
  const { criticalWarning = 0, availableSpare, spareThreshold, percentageUsed = 0, mediaErrors = 0 } = disk;
  const more = growth(host, disk, 'mediaErrors', judgement) ?? 0;
  const words = warnings.filter(([bit]) => (criticalWarning & bit) !== 0).map(([, word]) => word);
  return [
    ...(criticalWarning !== 0
      ? [{ text: `critical warning ${criticalWarning}: ${words.join(', ')}`, critical: true as const }]
      : []),
    ...(availableSpare !== undefined && spareThreshold !== undefined && availableSpare < spareThreshold
      ? [{ text: `spare blocks ${availableSpare} %, threshold ${spareThreshold} %`, critical: true as const }]
      : []),
    ...(percentageUsed >= WORN_PCT ? [{ text: `${percentageUsed} % of its life used` }] : []),
    ...(more > 0 ? [{ text: `${mediaErrors} media errors, ${more} more within a day` }] : []),
  ];
};

const signsOf = (host: string, disk: SmartDisk, judgement: Judgement): Sign[] => [
  ...(disk.passed === false
    ? [{ text: 'the disk itself reports that it fails', critical: true as const }]
    : []),
  ...(disk.failing
    ? [{ text: `${disk.failing.join(', ')} below the threshold now`, critical: true as const }]
    : []),
  ...ataSigns(host, disk, judgement),
  ...nvmeSigns(host, disk, judgement),
];

/** A disk that failure studies expect to fail, with why. That none is found proves nothing: a third fails without any sign. */
export interface PredictedDisk {
  host: string;
  source: Source<SmartReading>;
  disk: SmartDisk;
  signs: readonly Sign[];
}

export const predictedDisks = (judgement: Judgement): PredictedDisk[] =>
  smartSources(judgement).flatMap((source) =>
    (freshValue(source)?.disks ?? []).flatMap((disk) => {
      const signs = signsOf(source.host, disk, judgement);
      return signs.length === 0 ? [] : [{ host: source.host, source, disk, signs }];
    }),
  );

const isWeak = ({ signs }: PredictedDisk): boolean => signs.every(({ weak }) => weak === true);

export const diskFindings = (judgement: Judgement): FindingDraft[] => {
  const predicted = predictedDisks(judgement);
  const arrays = seenArrays(judgement);
  return predicted.map((found) => {
    const { host, source, disk, signs } = found;
    const own = arrays.find(
      (seen) => seen.host === host && seen.array.slots.some((slot) => slot.disk === disk.name),
    );
    const other = predicted.find(
      (one) =>
        one.host === host &&
        one.disk.name !== disk.name &&
        !isWeak(found) &&
        !isWeak(one) &&
        own?.array.slots.some((slot) => slot.disk === one.disk.name) === true,
    );
    const critical = other !== undefined || signs.some((sign) => sign.critical === true);
    const where = own === undefined ? '' : ` of ${own.array.id}`;
    return findingOf({
      kind: 'disk-predicted',
      key: `${host}:${disk.serial ?? disk.name}`,
      severity: critical ? 'critical' : isWeak(found) ? 'notice' : 'warning',
      subject: hostSubject(host),
      summary: `${host}: disk ${disk.name}${where} ${isWeak(found) ? 'may have a bad cable or fail' : 'is likely to fail'}: ${signs[0]?.text ?? ''}${other ? `; ${other.disk.name} of the same array, too` : ''}`,
      advice: isWeak(found)
        ? 'Look whether there are more tomorrow, and at its cable and slot.'
        : 'Replace it while it still works, with the old disk left in until the copy is whole: redundancy never falls then. Which disk may be pulled stands in the detail of this host.',
      suspects: [
        {
          subject: hostSubject(host),
          cause: 'disk-predicted',
          confidence: 'medium',
          values: { disk: disk.name },
        },
      ],
      evidence: [
        evidenceFrom(
          source,
          `${disk.name}, ${disk.model ?? 'model not known'}, serial ${disk.serial ?? 'not known'}`,
        ),
        ...signs.map(({ text }) => evidenceFrom(source, text)),
      ],
    });
  });
};
