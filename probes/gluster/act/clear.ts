import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { refusal } from '../../../src/kit/guards.ts';
import { count } from '../../../src/text/units.ts';
import { commandHost, glusterStep, lockGroup, planEach, volumeOf } from './parts.ts';
import { dumpHosts, requireNotLocked, verifyDumps } from './dump-parts.ts';
import { type SeenLock, seenLocks } from '../judge/seen-locks.ts';
import { requireClientsGone, reasonsOf, requireStillThere } from './clear-guards.ts';

const parameters = z.strictObject({
  path: z.string().regex(/^\/[A-Za-z0-9._/@+=, -]{0,400}$/, {
    error: 'a path from the top of the volume: /alice/run.lock',
  }),
  kind: z.enum(['blocked', 'granted'], { error: 'blocked or granted' }).default('blocked'),
});
type Parameters = z.infer<typeof parameters>;

/** What the command calls what a dump shows. */
const words: Readonly<Record<SeenLock['type'], string>> = {
  posixlk: 'posix',
  inodelk: 'inode',
  entrylk: 'entry',
};

const lockTypes = ['posixlk', 'inodelk', 'entrylk'] as const;

const noDump = 'no dump of the last 10 min shows';

/** Tears locks from clients: those that wait, or those that are held by clients which are gone. */
const planClear = (
  subjects: readonly Subject[],
  { path, kind }: Parameters,
  context: PlanContext,
): Plan | Refusal => {
  const what = wordOf(kind);
  return planEach(
    subjects,
    clearAction,
    {
      title: `Clear the ${what} locks on ${path} of`,
      afterwards: `new dumps of the bricks must show none of these ${what} locks any more`,
      undoText: 'none: the client whose lock is cleared gets an error',
      parameters: { path, kind },
    },
    (subject) => planVolume(subject, { path, kind }, context),
  );
};

/** Whose locks are meant: those of the newest dumps, or where a plan looks back those that were cleared. */
const meantLocks = (
  volume: string,
  { path, kind }: Parameters,
  { judgement, looksBack }: Pick<PlanContext, 'judgement' | 'looksBack'>,
) => {
  const state = stateOf(kind);
  const [first] = onPath(volume, path, state, judgement);
  const was = looksBack?.before ?? [];
  const lockType = lockTypes.find((type) => was.includes(`type ${type}`)) ?? first?.type ?? 'posixlk';
  const chosenLocks = (live: Judgement): SeenLock[] =>
    onPath(volume, path, state, live).filter(({ type }) => type === lockType);
  const clients = new Set(
    looksBack
      ? was.flatMap((one) => /^client (.*)$/.exec(one)?.[1] ?? [])
      : chosenLocks(judgement).map(({ client }) => client),
  );
  return { isSeen: first !== undefined, lockType, these: chosenLocks, clients };
};

const stateOf = (kind: Parameters['kind']): SeenLock['state'] => (kind === 'granted' ? 'ACTIVE' : 'BLOCKED');
const wordOf = (kind: Parameters['kind']): string => (kind === 'granted' ? 'held' : 'waiting');

/** The plan of one volume. */
const planVolume = (
  subject: Subject,
  given: Parameters,
  context: Pick<PlanContext, 'judgement' | 'looksBack'>,
): { target: PlanTarget; because: readonly string[] } | Refusal => {
  const { path, kind } = given;
  const { judgement, looksBack } = context;
  const what = wordOf(kind);
  const volume = volumeOf(subject, judgement);
  const host = commandHost(judgement);
  if (!volume) return refusal('5 targets', `${subject.id} is no volume of this pool`);
  if (host === undefined) return refusal('3 peers', 'no glusterd answers');
  const hosts = dumpHosts(volume, judgement);
  // Not looked yet: the guards make it look, and the plan is made again.
  const looked = hosts.every((one) => judgement.readings.source('gluster.dumps', one)?.good !== undefined);
  const { isSeen, lockType, these, clients } = meantLocks(subject.id, given, context);
  if (!isSeen && looked && !looksBack)
    return refusal('3 preconditions', `${noDump} a ${what} lock on ${path}: dump the bricks first`);
  const text = `new dumps show none of these locks ${what} on ${path}`;
  const cleared = verifyDumps(
    volume,
    judgement,
    text,
    (_dumps, live) => {
      // What waited may hold it now, others may wait: that is how it should be.
      const left = these(live).filter(({ client }) => clients.has(client)).length;
      return left === 0
        ? { state: 'yes', text: `none of these locks is ${what} on ${path}` }
        : { state: 'no', text: `${count(left, 'lock')} still ${what}` };
    },
    looksBack,
  );
  const volumeStep = (...args: string[]) => glusterStep(judgement, host, '--mode=script', 'volume', ...args);
  const clear = volumeStep('clear-locks', subject.id, path, 'kind', kind, words[lockType]);
  const copies = volume.replica ?? 1;
  return {
    target: {
      subject,
      object: path,
      steps: [
        ...Array.from({ length: kind === 'blocked' ? copies : 1 }, () => clear),
        volumeStep('statedump', subject.id),
      ],
      guards: [
        requireNotLocked(subject.id, judgement),
        requireStillThere(these, `a lock is ${what} on ${path}`, hosts),
        ...(kind === 'granted' ? [requireClientsGone(these, path, hosts)] : []),
      ],
      whyAlreadyDone: () => undefined,
      verify: cleared.verify,
      before: [
        ...(cleared.before ?? []),
        `type ${lockType}`,
        ...[...clients].map((client) => `client ${client}`),
      ],
      undo: null,
      lockGroups: [lockGroup(subject.id)],
    },
    because: reasonsOf(these(judgement), kind, copies),
  };
};

const onPath = (volume: string, path: string, state: SeenLock['state'], judgement: Judgement): SeenLock[] =>
  seenLocks(judgement).filter((lock) => lock.volume === volume && lock.path === path && lock.state === state);

const locksOn = (subjects: readonly Subject[], judgement: Judgement): SeenLock[] =>
  seenLocks(judgement).filter(({ volume }) => subjects.some(({ id }) => id === volume));

export const clearAction: Action<Parameters> = {
  id: 'gluster.clear-locks',
  verb: 'clear',
  title: 'clear file locks',
  subject: 'volume',
  danger: 'access',
  users: 'clients that wait for these locks go on; a client that holds one loses it',
  parameters,
  prompts: [
    { name: 'path', label: 'path from the top of the volume', required: true },
    {
      name: 'kind',
      label: 'blocked, or granted when its client is gone',
      required: false,
      initial: 'blocked',
    },
  ],
  menu: {
    note: ({ targets }, { judgement }) => {
      const seen = locksOn(
        targets.map(({ subject }) => subject),
        judgement,
      );
      const waiting = seen.filter(({ state }) => state === 'BLOCKED').length;
      return `${waiting} waiting, ${seen.length - waiting} held: ${seen[0]?.path ?? ''}`;
    },
    tryWith: (subjects, { judgement }) => {
      const seen = locksOn(subjects, judgement);
      return seen.length === 0
        ? refusal('3 preconditions', `${noDump} a lock on a file: dump the bricks first`)
        : seen.map(({ path, state }) => ({ path, kind: state === 'BLOCKED' ? 'blocked' : 'granted' }));
    },
  },
  plan: (subjects, given, context) => planClear(subjects, given, context),
};
