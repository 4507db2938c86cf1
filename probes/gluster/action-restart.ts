import { z } from 'zod';
import type { Action, Plan, PlanContext, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { clock } from '../../src/text/ages.ts';
import { count } from '../../src/text/units.ts';
import { heldLock } from './action-free.ts';
import {
  alreadyFree,
  everywhere,
  isFreed,
  lockGroup,
  offerOf,
  planEach,
  refusal,
  sameLock,
} from './action-parts.ts';
import { bricksStay, newLocks, nothingMoves, quorumStays } from './guards-restart.ts';
import { peersOf } from './pool.ts';
import type { PeerProcess } from './readings.ts';
import { asRoot, settingsOf } from './settings.ts';

const none = z.strictObject({});
type None = z.infer<typeof none>;

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
      const running = (kind: PeerProcess['kind'], live: Judgement): number =>
        peersOf(live)
          .find((peer) => peer.host === host)
          ?.reading?.processes.filter((one) => one.kind === kind).length ?? 0;
      const bricks = running('brick', judgement);
      const heals = running('selfHeal', judgement) > 0;
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
            text: `no dump shows ${subject.id} locked, glusterd of ${host} answers, ${count(bricks, 'brick')} run${heals ? ', its self-heal daemon is back' : ''}`,
            reads: everywhere(judgement, 'gluster.lock', 'gluster.peer'),
            deadlineMs: 90_000,
            check: (live) => {
              const peer = peersOf(live).find((one) => one.host === host);
              const away = peer?.reading?.pool?.find(({ connected }) => !connected);
              if (peer?.state !== 'up')
                return { state: 'wait', text: `glusterd of ${host} is ${peer?.state ?? 'unknown'}` };
              if (away) return { state: 'wait', text: `${host} does not see ${away.host} yet` };
              const now = running('brick', live);
              if (now < bricks) return { state: 'wait', text: `${now} of ${bricks} bricks run on ${host}` };
              if (heals && running('selfHeal', live) === 0)
                return { state: 'wait', text: `the self-heal daemon of ${host} is not back yet` };
              return isFreed(lock, live);
            },
          },
          undo: null,
          lockGroups: [lockGroup(subject.id)],
        },
        because: [
          `locked for ${host} on ${lock.on.join(', ')} since ${clock(lock.since)} at the latest; its peers drop it when its glusterd disconnects`,
          `${count(bricks, 'brick')} on ${host} and all clients go on; its self-heal daemon and gNFS restart with glusterd`,
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
  title: "restart owner's glusterd",
  subject: 'volume',
  danger: 'access',
  parameters: none,
  prompts: [],
  offer: (subjects, context) => offerOf(planRestart(subjects, context), 'bricks go on', context),
  plan: (subjects, _given, context) => planRestart(subjects, context),
};
