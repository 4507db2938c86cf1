import { z } from 'zod';
import type { Action, Guard, Plan, PlanContext, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { clock } from '../../src/text/ages.ts';
import { heldLock } from './action-free.ts';
import {
  alreadyFree,
  everywhere,
  isFreed,
  lockGroup,
  no,
  offerOf,
  ok,
  planEach,
  refusal,
  sameLock,
} from './action-parts.ts';
import { volumeLocksFrom } from './held-lock.ts';
import { healOf, peersOf, volumesOf } from './pool.ts';
import type { UnitReading } from './readings.ts';
import { sum } from './read-volumes.ts';
import { asRoot, settingsOf } from './settings.ts';

const none = z.strictObject({});
type None = z.infer<typeof none>;

/** Debian's unit has KillMode=control-group: a restart takes every brick of that peer with it. The project's own has `process`. */
const bricksStay = (host: string, judgement: Judgement): Guard => ({
  id: '6 bricks stay',
  text: `the bricks on ${host} live on when its glusterd is restarted`,
  reads: [{ probe: 'gluster.unit', host }],
  absolute: false,
  check: (live) => {
    const unit = live.readings.source<UnitReading>('gluster.unit', host)?.good?.value;
    if (unit?.killMode === 'process' || unit?.killMode === 'none') return ok(`KillMode=${unit.killMode}`);
    if (unit?.killMode !== undefined && unit.loaded)
      return no(`its unit has KillMode=${unit.killMode}: the bricks would end with it`);
    return settingsOf(judgement.site).restart.keepsBricks === true
      ? ok('the site file says so')
      : no(
          `not known: ${unit?.text ?? 'its unit was not read'}; say gluster.restart.keepsBricks in the site file`,
        );
  },
});

/** With server quorum, glusterd ends its bricks when too few peers are connected (default: more than half). */
const quorumStays = (host: string, judgement: Judgement): Guard => ({
  id: '6 server quorum',
  text: 'server quorum holds with one glusterd fewer',
  reads: everywhere(judgement, 'gluster.peer'),
  absolute: true,
  check: (live) => {
    const guarded = (volumesOf(live)?.volumes ?? []).filter(
      ({ options }) => options['cluster.server-quorum-type'] === 'server',
    );
    if (guarded.length === 0) return ok('no volume has server quorum');
    const peers = peersOf(live);
    const left = peers.filter((peer) => peer.host !== host && peer.state === 'up').length;
    const ratio = Math.max(
      ...guarded.map(
        ({ options }) => Number.parseFloat(options['cluster.server-quorum-ratio'] ?? '50') / 100,
      ),
    );
    const needs = ratio > 0.5 ? Math.ceil(peers.length * ratio) : Math.floor(peers.length / 2) + 1;
    return left >= needs
      ? ok(`${left} of ${peers.length} stay, ${needs} needed`)
      : no(`${left} of ${peers.length} would stay, ${needs} are needed: bricks would be ended`);
  },
});

const nothingMoves = (judgement: Judgement): Guard => ({
  id: '6 no heal or rebalance',
  text: 'no rebalance runs and nothing waits to be healed',
  reads: everywhere(judgement, 'gluster.peer'),
  absolute: false,
  check: (live) => {
    const moving = peersOf(live).find(({ reading }) =>
      reading?.processes.some(({ kind }) => kind === 'rebalance'),
    );
    if (moving) return no(`a rebalance runs on ${moving.host}`);
    for (const { name, type = '', status } of volumesOf(live)?.volumes ?? []) {
      if (status !== 'Started' || !/replicate|disperse/i.test(type)) continue;
      const heal = healOf(live).get(name);
      if (!heal || heal.error !== undefined)
        return no(`whether ${name} has entries to heal is not known: ${heal?.error ?? 'not read'}`);
      if (sum(heal.bricks) > 0) return no(`${name} has ${sum(heal.bricks)} entries to heal`);
    }
    return ok('none');
  },
});

const newLocks = (host: string, judgement: Judgement): Guard => ({
  id: '3 op-version',
  text: 'the pool uses locks per volume, which peers drop when their owner disconnects',
  reads: everywhere(judgement, 'gluster.peer'),
  absolute: true,
  check: (live) => {
    const version = peersOf(live).find((peer) => peer.host === host)?.reading?.opVersion;
    return version !== undefined && version >= volumeLocksFrom
      ? ok(`op-version ${version}`)
      : no(`op-version ${version ?? 'not known'}`);
  },
});

/** Rung 3: the holder's peers drop its locks when its connection closes (observed on 10.3). Bricks and clients go on. */
const planRestart = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    {
      action: 'gluster.free-lock-restart',
      verb: 'restart',
      title: 'Restart glusterd of the holder of',
      danger: 'access',
      afterwards:
        'no dump may show the lock, glusterd answers again and sees all peers, and its bricks run, within 90 s',
      undoText: 'none: what was locked is free afterwards',
      parameters: {},
    },
    (subject) => {
      const lock = heldLock(subject, context);
      if ('refused' in lock) return lock;
      const { ownerHost: host } = lock;
      if (host === undefined)
        return refusal('5 targets', `its owner ${lock.ownerName} is no host of this site`);
      const bricksOn = (live: Judgement): number =>
        peersOf(live)
          .find((peer) => peer.host === host)
          ?.reading?.processes.filter(({ kind }) => kind === 'brick').length ?? 0;
      const bricks = bricksOn(judgement);
      return {
        target: {
          subject,
          steps: [
            {
              host,
              argv: asRoot(judgement.site, ...settingsOf(judgement.site).restart.command),
              deadlineMs: 120_000,
            },
          ],
          guards: [
            sameLock(lock, ['orphaned', 'blocked', 'running', 'held'], judgement),
            bricksStay(host, judgement),
            quorumStays(host, judgement),
            nothingMoves(judgement),
            newLocks(host, judgement),
          ],
          already: (live) => alreadyFree(lock, live),
          verify: {
            text: `no dump shows ${subject.id} locked, glusterd of ${host} answers, ${bricks} bricks run`,
            reads: everywhere(judgement, 'gluster.lock', 'gluster.peer'),
            deadlineMs: 90_000,
            check: (live) => {
              const peer = peersOf(live).find((one) => one.host === host);
              const away = peer?.reading?.pool?.find(({ connected }) => !connected);
              if (peer?.state !== 'up')
                return { state: 'wait', text: `glusterd of ${host} is ${peer?.state ?? 'unknown'}` };
              if (away) return { state: 'wait', text: `${host} does not see ${away.host} yet` };
              if (bricksOn(live) < bricks)
                return { state: 'wait', text: `${bricksOn(live)} of ${bricks} bricks run on ${host}` };
              return isFreed(lock, live);
            },
          },
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: [
          `locked for ${host} on ${lock.on.join(', ')} since ${clock(lock.since)} at the latest; its peers drop it when its glusterd disconnects`,
          `${bricks} bricks on ${host} and all clients go on; its self-heal daemon and gNFS restart with glusterd`,
          ...(lock.kind === 'blocked' && lock.waitsFor
            ? [
                `${lock.waitsFor.host} may take the lock anew when it goes on: unstick it first if that can be done`,
              ]
            : []),
        ],
      };
    },
  );
};

export const restartAction: Action<None> = {
  id: 'gluster.free-lock-restart',
  verb: 'restart',
  title: "restart glusterd of the lock's holder",
  subject: 'volume',
  danger: 'access',
  parameters: none,
  prompts: [],
  offer: (subjects, context) => offerOf(planRestart(subjects, context), 'bricks go on', context),
  plan: (subjects, _given, context) => planRestart(subjects, context),
};

/** Rung 4: a stopped glusterd is continued; the transaction that waits for it then still takes effect. */
const planContinue = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  return planEach(
    subjects,
    {
      action: 'gluster.free-lock-continue',
      verb: 'continue',
      title: 'Continue the stopped glusterd that blocks',
      danger: 'access',
      afterwards: 'glusterd of that peer must answer and the lock be gone within 60 s',
      undoText: 'none: a process that waited is not stopped again',
      parameters: {},
    },
    (subject) => {
      const lock = heldLock(subject, context);
      if ('refused' in lock) return lock;
      const stopped = peersOf(judgement).find(({ state }) => state === 'stopped');
      const daemon = stopped?.reading?.daemon;
      if (!stopped || daemon?.pid === undefined) return refusal('3 preconditions', 'no glusterd is stopped');
      const { host } = stopped;
      const { pid, start } = daemon;
      return {
        target: {
          subject,
          steps: [{ host, argv: asRoot(judgement.site, 'kill', '-CONT', String(pid)), deadlineMs: 10_000 }],
          guards: [
            sameLock(lock, ['blocked', 'held', 'running'], judgement),
            {
              id: '3 process',
              text: `process ${pid} of ${host} is still that glusterd, and stopped`,
              reads: [{ probe: 'gluster.peer', host }],
              absolute: true,
              check: (live) => {
                const now = peersOf(live).find((peer) => peer.host === host)?.reading?.daemon;
                return now?.pid === pid && now.start === start && now.state === 'stopped'
                  ? ok('stopped')
                  : no(`now it is process ${now?.pid ?? 'none'}, ${now?.state ?? 'unknown'}`);
              },
            },
          ],
          already: (live) =>
            peersOf(live).some(({ state }) => state === 'stopped') ? undefined : alreadyFree(lock, live),
          verify: {
            text: `glusterd of ${host} answers and no dump shows ${subject.id} locked`,
            reads: everywhere(judgement, 'gluster.lock', 'gluster.peer'),
            deadlineMs: 60_000,
            check: (live) => {
              const peer = peersOf(live).find((one) => one.host === host);
              return peer?.state === 'up'
                ? isFreed(lock, live)
                : { state: 'wait', text: `glusterd of ${host} is ${peer?.state ?? 'unknown'}` };
            },
          },
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: [
          `glusterd of ${host} is stopped (SIGSTOP); what ${lock.ownerName} began waits for it`,
          'WARNING: the transaction that waits will still commit, even when its lock has expired meanwhile',
        ],
      };
    },
  );
};

export const continueAction: Action<None> = {
  id: 'gluster.free-lock-continue',
  verb: 'continue',
  title: 'continue the stopped glusterd (SIGCONT)',
  subject: 'volume',
  danger: 'access',
  parameters: none,
  prompts: [],
  offer: (subjects, context) => offerOf(planContinue(subjects, context), 'what waits will commit', context),
  plan: (subjects, _given, context) => planContinue(subjects, context),
};
