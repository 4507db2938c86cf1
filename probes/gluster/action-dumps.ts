import { z } from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { count } from '../../src/text/units.ts';
import { commandHost, lockGroup, no, offerOf, ok, planEach, refusal, volumeOf } from './action-parts.ts';
import { bricksOf } from './bricks.ts';
import { waitingLocks } from './find-clients.ts';
import { lockOfVolume } from './lock-state.ts';
import type { DumpsReading, GlusterVolume } from './readings.ts';
import { asRoot } from './settings.ts';

const none = z.strictObject({});
type None = z.infer<typeof none>;

/** Hosts with a running brick of the volume: there its dumps land, not where the command is run. */
const dumpHosts = (volume: GlusterVolume, judgement: Judgement): string[] => [
  ...new Set(bricksOf(volume, judgement).flatMap(({ host, state }) => (state === 'up' ? [host] : []))),
];

const filesOf = (volume: GlusterVolume, host: string, judgement: Judgement): string[] => {
  const names = bricksOf(volume, judgement)
    .filter((brick) => brick.host === host)
    .map(({ path }) => path.slice(1).replaceAll('/', '-'));
  const files = judgement.readings.source<DumpsReading>('gluster.dumps', host)?.good?.value.files ?? [];
  return files
    .map(({ file }) => file)
    .filter((file) => names.some((name) => (file.split('/').at(-1) ?? '').startsWith(`${name}.`)));
};

const isFree = (volume: string, hosts: readonly string[]): PlanTarget['guards'][number] => ({
  id: '3 lock',
  text: `${volume} is not locked: dumping needs its lock`,
  reads: hosts.map((host) => ({ probe: 'gluster.dumps', host })),
  absolute: true,
  check: (live) => {
    const lock = lockOfVolume(volume, live);
    return lock.state === 'held' ? no(`locked for ${lock.lock.ownerName}: free it first`) : ok(lock.state);
  },
});

/** New dumps of every running brick, then what they show. */
const verifyDumps = (volume: GlusterVolume, judgement: Judgement): PlanTarget['verify'] => {
  const hosts = dumpHosts(volume, judgement);
  const before = new Map(hosts.map((host) => [host, new Set(filesOf(volume, host, judgement))]));
  return {
    text: `a new dump of ${volume.name} lies on ${hosts.join(', ')}`,
    reads: hosts.map((host) => ({ probe: 'gluster.dumps', host })),
    deadlineMs: 30_000,
    check: (live) => {
      const missing = hosts.find(
        (host) => !filesOf(volume, host, live).some((file) => !before.get(host)?.has(file)),
      );
      if (missing !== undefined) return { state: 'wait', text: `no new dump on ${missing} yet` };
      const files = hosts.flatMap((host) =>
        filesOf(volume, host, live)
          .filter((file) => !before.get(host)?.has(file))
          .map((file) => `${host}:${file}`),
      );
      const locks = hosts.flatMap(
        (host) =>
          live.readings
            .source<DumpsReading>('gluster.dumps', host)
            ?.good?.value.files.flatMap((one) => one.locks) ?? [],
      );
      const blocked = locks.filter(({ state }) => state === 'BLOCKED').length;
      return {
        state: 'yes',
        text: `${locks.length - blocked} locks active, ${blocked} waiting; kept: ${files.join(' ')}`,
      };
    },
  };
};

const planDump = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    {
      action: 'gluster.statedump',
      verb: 'dump',
      title: 'Dump the bricks of',
      danger: 'service',
      afterwards:
        'each host with a brick must have a new dump within 30 s; the detail of the volume then shows who waits for whom',
      undoText: 'none needed: files in /var/run/gluster, which stay',
      parameters: {},
    },
    (subject) => {
      const volume = volumeOf(subject, judgement);
      const host = commandHost(judgement);
      if (!volume) return refusal('5 targets', `${subject.id} is no volume of this pool`);
      if (host === undefined) return refusal('3 peers', 'no glusterd answers');
      const hosts = dumpHosts(volume, judgement);
      if (hosts.length === 0) return refusal('3 preconditions', `no brick of ${subject.id} is known to run`);
      return {
        target: {
          subject,
          steps: [
            {
              host,
              argv: asRoot(judgement.site, 'gluster', 'volume', 'statedump', subject.id),
              deadlineMs: 130_000,
            },
          ],
          guards: [isFree(subject.id, hosts)],
          already: () => undefined,
          verify: verifyDumps(volume, judgement),
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: [`asked for; the dumps land in /var/run/gluster of ${hosts.join(', ')}`],
      };
    },
  );
};

export const dumpAction: Action<None> = {
  id: 'gluster.statedump',
  verb: 'dump',
  title: 'dump the bricks: who holds and waits for file locks',
  subject: 'volume',
  danger: 'service',
  repeatable: true,
  parameters: none,
  prompts: [],
  offer: (subjects, context) => offerOf(planDump(subjects, context), 'takes the lock for a moment', context),
  plan: (subjects, _given, context) => planDump(subjects, context),
};

const clearParameters = z.object({
  path: z.string().regex(/^\/[A-Za-z0-9._/@+=, -]{0,400}$/, {
    error: 'a path from the top of the volume: /alice/run.lock',
  }),
});
type ClearParameters = z.infer<typeof clearParameters>;

/** What a dump calls it and what the command does. */
const kindOf = (domain: string): string => (domain === 'posixlk' ? 'posix' : 'inode');

/** Only locks that wait: clearing one that is held tears a file from a client that may still write. */
const planClear = (
  subjects: readonly Subject[],
  { path }: ClearParameters,
  context: PlanContext,
): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    {
      action: 'gluster.clear-locks',
      verb: 'clear',
      title: `Clear the waiting locks on ${path} of`,
      danger: 'access',
      afterwards: 'new dumps of the bricks must show nobody waiting for that path',
      undoText: 'none: the client whose lock is cleared gets an error',
      parameters: { path },
    },
    (subject) => {
      const volume = volumeOf(subject, judgement);
      const host = commandHost(judgement);
      if (!volume) return refusal('5 targets', `${subject.id} is no volume of this pool`);
      if (host === undefined) return refusal('3 peers', 'no glusterd answers');
      const waits = (live: Judgement): ReturnType<typeof waitingLocks> =>
        waitingLocks(live).filter((one) => one.volume === subject.id && one.path === path);
      const [first] = waits(judgement);
      if (!first)
        return refusal(
          '3 preconditions',
          `no dump of the last 10 min shows a lock waiting for ${path}: dump the bricks first`,
        );
      const hosts = dumpHosts(volume, judgement);
      const kind = kindOf(first.domain);
      const dumped = verifyDumps(volume, judgement);
      const gluster = (...words: string[]) => ({
        host,
        argv: asRoot(judgement.site, 'gluster', '--mode=script', 'volume', ...words),
        deadlineMs: 130_000,
      });
      return {
        target: {
          subject,
          steps: [
            gluster('clear-locks', subject.id, path, 'kind', 'blocked', kind),
            gluster('statedump', subject.id),
          ],
          guards: [
            isFree(subject.id, hosts),
            {
              id: '3 preconditions',
              text: `a lock waits for ${path}`,
              reads: hosts.map((one) => ({ probe: 'gluster.dumps', host: one })),
              absolute: true,
              check: (live) =>
                waits(live).length > 0
                  ? ok(count(waits(live).length, 'lock'))
                  : no('none waits by the newest dumps'),
            },
          ],
          already: () => undefined,
          verify: {
            ...dumped,
            text: `new dumps show nobody waiting for ${path}`,
            check: (live) => {
              const seen = dumped.check(live);
              if (seen.state !== 'yes') return seen;
              const left = waits(live).length;
              return left === 0
                ? { state: 'yes', text: `nobody waits for ${path}` }
                : { state: 'wait', text: `${count(left, 'lock')} still waiting` };
            },
          },
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: waits(judgement)
          .slice(0, 5)
          .map(({ client, holders }) => `${client} waits for ${holders.join(', ') || 'nobody seen'}`),
      };
    },
  );
};

export const clearAction: Action<ClearParameters> = {
  id: 'gluster.clear-locks',
  verb: 'clear',
  title: 'clear waiting file locks on one path',
  subject: 'volume',
  danger: 'access',
  parameters: clearParameters,
  prompts: [{ name: 'path', label: 'path from the top of the volume', required: true }],
  offer: (subjects, { judgement }) => {
    const waiting = waitingLocks(judgement).filter(({ volume }) => subjects.some(({ id }) => id === volume));
    return waiting.length > 0
      ? { available: true, note: `${count(waiting.length, 'lock')} waiting: ${waiting[0]?.path ?? ''}` }
      : { available: false, reason: 'no dump of the last 10 min shows a lock that waits' };
  },
  plan: (subjects, given, context) => planClear(subjects, given, context),
};
