import type { Fact } from '../../../src/model/fact.ts';
import type { Track } from '../../../src/model/reading.ts';
import { mountPlace, type Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { readTrack, type Course } from '../../../src/kit/trends.ts';
import { reachOf } from './reach.ts';
import { lockShare, locksOf } from './locks.ts';
import { flagsOf, flagsSeries, thresholdSeries } from './flags.ts';
import { lateTypes, quotaSeries } from './find-quota.ts';
import { lustreOf } from './join.ts';
import { fsOf, fsPlace, hostSubject, mdtSubject, ostSubject } from './names.ts';
import { tasksOf, taskTrack } from './tasks.ts';
import type { DfReading, IoReading, MdsReading, OssReading } from '../readings.ts';

/** The last max_create_count that was not 0: what a return to service restores. */
export const maxSeries = (mdt: string, ost: string): string => `lustre/max/${mdt}/${ost}`;
/** Share used in tenths of a percent. */
export const usedSeries = (ost: string): string => `lustre/ost/${ost}/used`;
/** Share of the lock limit of an OST or its server that is granted, in tenths of a percent. */
const locksSeries = (of: string): string => `lustre/locks/${of}`;
const readOf = (of: string): string => `lustre.locks/${of}`;

/** How much of the locks of an OST, or of all of a server's, was granted; drawn against the limit. */
export const locksCourse = (of: string): Course => ({
  series: locksSeries(of),
  read: [readOf(of)],
  top: 1000,
});

const reachSeries = (ost: string): string => `lustre/ost/${ost}/reach`;

/** What the history keeps. Nothing of what was not read just now: an old reading is no news. */
export const tracks = (judgement: Judgement): readonly Track[] => [
  ...targetTracks(judgement),
  ...serverTracks(judgement),
  ...quotaTracks(judgement),
  ...tasksOf(judgement)
    .filter(({ life }) => life !== 'unknown')
    .filter(({ remembered }) => remembered === undefined)
    .map(taskTrack),
];

/** Which quota types of each target are late; the empty text for none, so that the beginning is seen. */
const quotaTracks = ({ readings }: Judgement): Track[] =>
  ['lustre.mds', 'lustre.oss'].flatMap((probe) =>
    readings
      .sources<MdsReading | OssReading>(probe)
      .flatMap(({ state, good }) => (state === 'fresh' && good ? good.value.quota : []))
      .map((one) => ({ series: quotaSeries(one.target), value: lateTypes(one) })),
  );

const targetTracks = (judgement: Judgement): Track[] =>
  lustreOf(judgement).systems.flatMap(({ osts, mdts }) => [
    ...mdts.flatMap(({ name, mdt, stale }) =>
      mdt?.thresholdPct === undefined || stale
        ? []
        : [{ series: thresholdSeries(name), value: mdt.thresholdPct }],
    ),
    ...osts.flatMap((ost) => {
      const fresh = !ost.ownStale && ost.mdts.length > 0 && ost.mdts.every(({ stale }) => !stale);
      const reach = reachOf(ost);
      return [
        ...(fresh
          ? [
              { series: flagsSeries(ost.name), value: flagsOf(ost).join(' ') },
              ...(reach === 'unknown' ? [] : [{ series: reachSeries(ost.name), value: reach }]),
            ]
          : []),
        ...(ost.used === undefined || ost.ownStale
          ? []
          : [{ series: usedSeries(ost.name), value: Math.round(ost.used * 1000) }]),
        ...(ost.ownStale ? [] : locksTrack(ost.name, lockShare(ost), judgement)),
        ...ost.mdts.flatMap(({ mdt, osp, stale }) =>
          stale || osp?.maxCreateCount === undefined || osp.maxCreateCount === 0
            ? []
            : [{ series: maxSeries(mdt, ost.name), value: osp.maxCreateCount }],
        ),
      ];
    }),
  ]);

const locksTrack = (of: string, share: number | undefined, { now }: Judgement): Track[] =>
  share === undefined
    ? []
    : [{ series: locksSeries(of), value: Math.round(share * 1000) }, readTrack(readOf(of), now)];

const serverTracks = (judgement: Judgement): Track[] =>
  judgement.readings
    .sources<OssReading>('lustre.oss')
    .flatMap(({ host, state }) =>
      state === 'fresh' ? locksTrack(host, locksOf(host, judgement).share, judgement) : [],
    );

/** What hangs on what: targets on their servers and file systems, mounts on the MDT that the root of their file system is on. */
export const facts = (judgement: Judgement): readonly Fact[] => [
  ...targetFacts(judgement),
  ...mountFacts(judgement),
  ...placeFacts(judgement),
];

/** What targets lie on, by their servers now: one that has moved to a partner is told there. */
const placeFacts = ({ readings }: Judgement): Fact[] => {
  const factsOf = (
    host: string,
    subject: Subject,
    { mountedFrom: on }: { mountedFrom?: string | undefined },
  ): Fact[] => (on === undefined ? [] : [{ name: 'data.place', subject, value: { host, on } }]);
  return [
    ...readings
      .sources<IoReading>('lustre.oss-io')
      .flatMap(({ host, state, good }) =>
        state === 'fresh' && good
          ? good.value.osts.flatMap((ost) => factsOf(host, ostSubject(ost.name), ost))
          : [],
      ),
    ...readings
      .sources<MdsReading>('lustre.mds')
      .flatMap(({ host, state, good }) =>
        state === 'fresh' && good
          ? good.value.mdts.flatMap((mdt) => factsOf(host, mdtSubject(mdt.name), mdt))
          : [],
      ),
  ];
};

/** Without MDT0000 no path of the file system is found; without an OST its files are, and the mount stays. */
const mountFacts = ({ readings }: Judgement): Fact[] => {
  const systems = new Map<string, Set<string>>();
  for (const { good } of readings.sources<DfReading>('lustre.df'))
    for (const { name, mount } of good?.value.targets ?? [])
      if (name !== undefined && mount !== undefined)
        systems.set(mount, (systems.get(mount) ?? new Set()).add(fsOf(name)));
  return [...systems].flatMap(([mount, [fs, ...others]]) =>
    fs === undefined || others.length > 0
      ? []
      : {
          name: 'depends',
          subject: mountPlace(mount),
          value: { on: mdtSubject(`${fs}-MDT0000`), carries: 'data' },
        },
  );
};

/** Which server serves which target, and of which file system it is a part. */
const targetFacts = (judgement: Judgement): Fact[] =>
  lustreOf(judgement).systems.flatMap(({ name: fs, osts, mdts }) =>
    [
      ...mdts.map(({ name, host }) => ({ subject: mdtSubject(name), host })),
      ...osts.map(({ name, oss }) => ({ subject: ostSubject(name), host: oss })),
    ].flatMap(({ subject, host }) =>
      [...(host === undefined ? [] : [hostSubject(host)]), fsPlace(fs)].map((on): Fact => ({
        name: 'depends',
        subject,
        value: { on, carries: 'data' },
      })),
    ),
  );
