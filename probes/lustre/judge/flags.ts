import type { Point } from '../../../src/model/reading.ts';
import type { PastRun } from '../../../src/model/run.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import type { MdtRow, OstRow } from './rows.ts';
import { fsSubject, ostSubject } from './names.ts';

export type Flag = 'inactive' | 'max_create_count=0' | 'degraded' | 'no_create';

/** What somebody set on an OST to keep objects away. */
export const flagsOf = ({ degraded, noCreate, mdts }: OstRow): Flag[] => [
  ...(mdts.some(({ osp }) => osp?.active === false) ? ['inactive' as const] : []),
  ...(mdts.some(({ osp }) => osp?.maxCreateCount === 0) ? ['max_create_count=0' as const] : []),
  ...(degraded ? ['degraded' as const] : []),
  ...(noCreate ? ['no_create' as const] : []),
];

export const flagsSeries = (ost: string): string => `lustre/ost/${ost}/flags`;
export const thresholdSeries = (mdt: string): string => `lustre/mdt/${mdt}/qos_threshold_rr`;

/** Since when something is set and by whom, as far as the history and the audit log tell. */
export interface Origin {
  /** UTC ms. */
  since?: number;
  /** Who set it, where the times leave no doubt. */
  operator?: string;
  /** `since 02:14; last stop-creates: alice at 02:14`. */
  text: string;
}

/** Verbs that set a flag, and those that take it back. */
const verbs: Readonly<Record<Flag, { set: readonly string[]; unset: readonly string[] }>> = {
  inactive: { set: ['stop-creates', 'deactivate'], unset: ['resume-creates', 'activate'] },
  'max_create_count=0': { set: ['stop-creates'], unset: ['resume-creates'] },
  degraded: { set: ['degrade'], unset: ['undegrade'] },
  no_create: { set: [], unset: [] },
};

/** A reading that shows the flag earlier than this before a run was written down is not the run's doing, ms. */
const slackMs = 60_000;
/** A flag first read so long after a run, where it was read unset before, may be somebody else's doing, ms. */
const lateMs = 600_000;

export const flagOrigin = (ost: OstRow, flag: Flag, judgement: Judgement): Origin => {
  const { set, unset } = verbs[flag];
  return originOf(
    judgement.history.changes(flagsSeries(ost.name), 0),
    ({ value }) => String(value).split(' ').includes(flag),
    ostSubject(ost.name),
    { set, all: [...set, ...unset] },
    judgement,
  );
};

/** Of a `qos_threshold_rr` that switches balancing off on these MDTs of one file system: where it was set first. */
export const thresholdOrigin = (off: readonly MdtRow[], judgement: Judgement): Origin =>
  off
    .map(({ name, fs }) =>
      originOf(
        judgement.history.changes(thresholdSeries(name), 0),
        ({ value }) => Number(value) >= 100,
        fsSubject(fs),
        { set: ['qos'], all: ['qos'] },
        judgement,
      ),
    )
    .toSorted((a, b) => (a.since ?? Infinity) - (b.since ?? Infinity))[0] ?? { text: '' };

const originOf = (
  points: readonly Point[],
  isSet: (point: Point) => boolean,
  subject: Subject,
  by: { set: readonly string[]; all: readonly string[] },
  { audit, now }: Judgement,
): Origin => {
  const before = points.findLastIndex((point) => !isSet(point));
  const first = points[before + 1];
  const last = audit?.runsOf(subject).findLast(({ verb }) => by.all.includes(verb));
  const run =
    last && by.set.includes(last.verb) && (first === undefined || first.at > last.at - slackMs)
      ? last
      : undefined;
  const since = run && first ? Math.min(run.at, first.at) : (run?.at ?? first?.at);
  const certain = first === undefined || before < 0 || (run !== undefined && first.at - run.at < lateMs);
  // Set already when it was first read: how long before is not known.
  const longer = run === undefined && before < 0 ? ' or longer' : '';
  const when = since === undefined ? 'since when is not known' : `since ${clockTime(since, now)}${longer}`;
  const who = run ? `; last ${runText(run, now)}` : audit ? '; set by no run that is known here' : '';
  return {
    ...(since !== undefined && { since }),
    ...(run && certain && { operator: run.operator }),
    text: `${when}${who}`,
  };
};

const runText = ({ verb, operator, at, outcome }: PastRun, now: number): string =>
  `${verb}: ${operator} at ${clockTime(at, now)}${outcome === 'done' ? '' : `, ${outcome ?? 'its result is not known here'}`}`;
