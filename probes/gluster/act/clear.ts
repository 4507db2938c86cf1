import * as z from 'zod';
import type { Action, Guard, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { no, ok, refusal } from '../../../src/kit/guards.ts';
import { count } from '../../../src/text/units.ts';
import { commandHost, glusterStep, lockGroup, planEach, volumeOf } from './parts.ts';
import { dumpHosts, notLocked, verifyDumps } from './dump-parts.ts';
import { type SeenLock, seenLocks, whyNotGone } from '../judge/seen-locks.ts';

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
  { judgement, looksBack }: PlanContext,
): Plan | Refusal => {
  const state = kind === 'granted' ? 'ACTIVE' : 'BLOCKED';
  const what = kind === 'granted' ? 'held' : 'waiting';
  return planEach(
    subjects,
    clearAction,
    {
      title: `Clear the ${what} locks on ${path} of`,
      afterwards: `new dumps of the bricks must show none of these locks ${what} any more`,
      undoText: 'none: the client whose lock is cleared gets an error',
      parameters: { path, kind },
    },
    (subject) => {
      const volume = volumeOf(subject, judgement);
      const host = commandHost(judgement);
      if (!volume) return refusal('5 targets', `${subject.id} is no volume of this pool`);
      if (host === undefined) return refusal('3 peers', 'no glusterd answers');
      const hosts = dumpHosts(volume, judgement);
      const [first] = onPath(subject.id, path, state, judgement);
      // Not looked yet: the guards make it look, and the plan is made again.
      const looked = hosts.every(
        (one) => judgement.readings.source('gluster.dumps', one)?.good !== undefined,
      );
      if (!first && looked && !looksBack)
        return refusal('3 preconditions', `${noDump} a lock ${what} on ${path}: dump the bricks first`);
      const was = looksBack?.before ?? [];
      const lockType = lockTypes.find((type) => was.includes(`type ${type}`)) ?? first?.type ?? 'posixlk';
      const these = (live: Judgement): SeenLock[] =>
        onPath(subject.id, path, state, live).filter(({ type }) => type === lockType);
      const clients = new Set(
        looksBack
          ? was.flatMap((one) => /^client (.*)$/.exec(one)?.[1] ?? [])
          : these(judgement).map(({ client }) => client),
      );
      const cleared = verifyDumps(
        volume,
        judgement,
        `new dumps show none of these locks ${what} on ${path}`,
        (_dumps, live) => {
          // What waited may hold it now, others may wait: that is how it should be.
          const left = these(live).filter(({ client }) => clients.has(client)).length;
          return left === 0
            ? { state: 'yes', text: `none of these locks is ${what} on ${path}` }
            : { state: 'no', text: `${count(left, 'lock')} still ${what}` };
        },
        looksBack,
      );
      const volumeStep = (...words: string[]) =>
        glusterStep(judgement, host, '--mode=script', 'volume', ...words);
      return {
        target: {
          subject,
          object: path,
          steps: [
            ...Array.from({ length: kind === 'blocked' ? (volume.replica ?? 1) : 1 }, () =>
              volumeStep('clear-locks', subject.id, path, 'kind', kind, words[lockType]),
            ),
            volumeStep('statedump', subject.id),
          ],
          guards: [
            notLocked(subject.id, judgement),
            stillThere(these, `a lock is ${what} on ${path}`, hosts),
            ...(kind === 'granted' ? [clientsGone(these, path, hosts)] : []),
          ],
          already: () => undefined,
          verify: cleared.verify,
          before: [
            ...(cleared.before ?? []),
            `type ${lockType}`,
            ...[...clients].map((client) => `client ${client}`),
          ],
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: because(these(judgement), kind, volume.replica ?? 1),
      };
    },
  );
};

const onPath = (volume: string, path: string, state: SeenLock['state'], judgement: Judgement): SeenLock[] =>
  seenLocks(judgement).filter((lock) => lock.volume === volume && lock.path === path && lock.state === state);

const because = (locks: readonly SeenLock[], kind: Parameters['kind'], copies: number): string[] => {
  const lines = [...Map.groupBy(locks, ({ client }) => client)].slice(0, 5).map(([client, all]) => {
    const holders = [...new Set(all.flatMap((lock) => lock.holders))].join(', ');
    const hosts = all.map(({ host }) => host).toSorted();
    return kind === 'granted'
      ? `${client} holds it by the dumps of ${[...new Set(hosts)].join(', ')}`
      : `${client} waits for ${holders === '' ? 'nobody seen' : holders}`;
  });
  if (kind === 'granted') return [...lines, 'every lock that is held on this path is cleared'];
  // Observed on 10.3 (decision 0120).
  const again = `told no by one copy it waits at the next: ${copies} times, until the client gets an error`;
  return copies > 1 ? [...lines, again] : lines;
};

const stillThere = (
  these: (live: Judgement) => SeenLock[],
  text: string,
  hosts: readonly string[],
): Guard => ({
  id: '3 preconditions',
  text,
  reads: hosts.map((host) => ({ probe: 'gluster.dumps', host })),
  absolute: true,
  check: (live) => {
    const found = these(live).length;
    return found > 0 ? ok(count(found, 'lock')) : no('none by the newest dumps');
  },
});

/** A lock that is held and whose client lives protects a file that is being written. */
const clientsGone = (
  these: (live: Judgement) => SeenLock[],
  path: string,
  hosts: readonly string[],
): Guard => ({
  id: '3 client is gone',
  text: `every client that holds a lock on ${path} is gone`,
  reads: hosts.map((host) => ({ probe: 'gluster.clients', host })),
  absolute: true,
  check: (live) => {
    const locks = these(live);
    for (const lock of locks) {
      const why = whyNotGone(lock, live);
      if (why !== undefined) return no(why);
    }
    return locks.length === 0
      ? no('none is held by the newest dumps')
      : ok(`no connection from ${[...new Set(locks.map(({ client }) => client))].join(', ')}`);
  },
});

const locksOn = (subjects: readonly Subject[], judgement: Judgement): SeenLock[] =>
  seenLocks(judgement).filter(({ volume }) => subjects.some(({ id }) => id === volume));

export const clearAction: Action<Parameters> = {
  id: 'gluster.clear-locks',
  verb: 'clear',
  title: 'clear file locks',
  subject: 'volume',
  danger: 'access',
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
