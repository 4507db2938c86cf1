import { trendOf } from '../../../src/kit/trends.ts';
import type { FindingDraft, Remedy } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age, clock, clockTime } from '../../../src/text/ages.ts';
import { type HeldLock, holder } from './held-lock.ts';
import { locksOf } from './lock-state.ts';
import { lockCourse } from './track-locks.ts';
import { finding, commandsOf } from './pool.ts';

/** A lock that a command holds for less than this is nobody's business, ms. */
const longMs = 60_000;

/** Locks that stand in the way: orphaned or waiting at once, others when they last. */
export const lockFindings = (judgement: Judgement): FindingDraft[] =>
  locksOf(judgement)
    .filter(
      (lock) =>
        lock.kind === 'orphaned' ||
        lock.kind === 'blocked' ||
        judgement.now - lock.since >= longMs ||
        lock.rivals.length > 0,
    )
    .map((lock) => findingOf(lock, judgement));

/** The subject of a lock: its volume, or the site for the one lock of all volumes. */
const subjectOf = (lock: HeldLock, judgement: Judgement): Subject =>
  lock.volume === undefined ? { kind: 'site', id: judgement.site.name } : { kind: 'volume', id: lock.volume };

const findingOf = (lock: HeldLock, judgement: Judgement): FindingDraft =>
  finding({
    key: `${lock.volume ?? 'all'}${lock.type === 'vol' || lock.type === 'global' ? '' : `:${lock.type}`}`,
    kind: `lock-${lock.kind}`,
    severity: lock.kind === 'running' || lock.kind === 'held' ? 'warning' : 'critical',
    subject: subjectOf(lock, judgement),
    summary: sentence(lock, judgement),
    advice: advice(lock),
    evidence: [
      ...lock.evidence,
      ...lock.reasons.map((text) => ({ text })),
      ...(lock.free.length > 0 ? [{ text: `free on ${lock.free.join(', ')}` }] : []),
      ...lock.unseen.map(({ host, why }) => ({ text: `${host}: ${why}`, host })),
      ...lock.rivals.map((text) => ({ text: `the peers disagree: locked for ${text} too` })),
      ...(lock.endsAt === undefined
        ? [{ text: 'no lock timer in this version of gluster' }]
        : [
            {
              text: `the lock timer ends the lock by ${clock(lock.endsAt)}${lock.endsAt > judgement.now ? `, in ${age(lock.endsAt - judgement.now)}` : ', which is past'}`,
            },
          ]),
    ],
    suspects: suspectsOf(lock),
    remedies: remediesOf(lock),
    ...(lock.volume !== undefined && trendIn(lock.volume, judgement)),
    since: lock.since,
  });

/** The glusterd that keeps a lock for nobody, or that a command waits for. */
const suspectsOf = ({ kind, ownerHost, waitsFor }: HeldLock): FindingDraft['suspects'] => {
  const blame = (id: string, cause: string): NonNullable<FindingDraft['suspects']> => [
    { subject: { kind: 'host', id }, cause, confidence: 'high' },
  ];
  if (kind === 'orphaned' && ownerHost !== undefined) return blame(ownerHost, 'stale-lock');
  return kind === 'blocked' && waitsFor
    ? blame(waitsFor.host, waitsFor.state === 'stopped' ? 'daemon-stopped' : 'daemon-hung')
    : undefined;
};

const trendIn = (volume: string, judgement: Judgement): Pick<FindingDraft, 'trend'> => {
  const trend = trendOf(judgement, lockCourse(volume));
  return trend ? { trend } : {};
};

/** `home0: stale lock of gl1 on gl3 since 02:34; any volume command on gl1 clears it`. */
const sentence = (lock: HeldLock, judgement: Judgement): string => {
  const { ownerName, kind, since, waitsFor } = lock;
  const at = clockTime(since, judgement.now);
  const what = whatIsLocked(lock);
  const head = `${what}: lock of ${holder(lock)}`;
  if (lock.rivals.length > 0) return `${head} and of ${lock.rivals[0]}: the peers disagree`;
  if (kind === 'orphaned')
    return `${what}: stale lock of ${holder(lock)} since ${at}; any volume command on ${ownerName} clears it`;
  if (kind === 'blocked' && waitsFor) {
    const end = lock.endsAt === undefined ? '' : `; timer ends ${clock(lock.endsAt)}`;
    return `${head} waits: glusterd of ${waitsFor.host} is ${waitsFor.state}${end}`;
  }
  if (kind === 'running') {
    const command = commandsOf(judgement).find(({ host }) => host === lock.ownerHost)?.text;
    return `${head} since ${at}, its transaction runs${command === undefined ? '' : `: ${command}`}`;
  }
  return `${head} since ${at}: ${lock.reasons[0] ?? 'the reason is not known'}`;
};

/** Besides volumes, snapshots and what is global have locks. */
const whatIsLocked = ({ volume, type }: HeldLock): string =>
  volume === undefined ? 'all volumes' : type === 'vol' ? volume : `${type} ${volume}`;

const advice = ({ kind, ownerName, waitsFor, endsAt }: HeldLock): string => {
  const timer = endsAt === undefined ? '' : ` The lock timer ends the lock by ${clock(endsAt)}.`;
  if (kind === 'orphaned')
    return `Run any volume command on ${ownerName}: gluster refuses the command once and clears the lock, because the owner matches. From another peer no command clears the lock.${timer}`;
  if (kind === 'blocked' && waitsFor?.state === 'silent')
    return `Find out what glusterd of ${waitsFor.host} is busy with: the transaction goes on when that glusterd answers.${timer}`;
  if (kind === 'blocked')
    return `Continue or restart glusterd of ${waitsFor?.host ?? 'that peer'}; when it is continued, the transaction that waits will still take effect.${timer}`;
  if (kind === 'running') return `Let the transaction end, or find out why it does not.${timer}`;
  return `Bring all peers back first: the lock can't be judged while some of them don't answer.${timer}`;
};

const laterRungs = ['gluster.free-lock-wait', 'gluster.free-lock-restart'];

/** The mildest that can help first; what goes on is let go on. */
const rungsOf: Readonly<Record<HeldLock['kind'], readonly string[]>> = {
  orphaned: ['gluster.free-lock', ...laterRungs],
  blocked: laterRungs,
  held: laterRungs,
  running: ['gluster.free-lock-wait'],
};

const remediesOf = (lock: HeldLock): Remedy[] => {
  if (lock.volume === undefined || lock.type !== 'vol') return [];
  const subjects = [{ kind: 'volume' as const, id: lock.volume }];
  const rungs =
    lock.waitsFor?.state === 'stopped' ? ['gluster.free-lock-continue', ...laterRungs] : rungsOf[lock.kind];
  return rungs.map((action) => ({ action, subjects }));
};
