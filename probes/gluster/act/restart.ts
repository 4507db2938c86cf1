import type { Judgement } from '../../../src/model/system.ts';
import { refusal } from '../../../src/kit/guards.ts';
import { clock } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { verifyFreed, rungAction } from './rung.ts';
import { requireBricksStay, newLocks, requireNothingMoves, requireQuorum } from './guards-restart.ts';
import { findPeer } from '../judge/pool.ts';
import type { PeerProcess } from '../readings.ts';
import { systemctlRefusals } from './refusals.ts';
import { argvAsRoot, restartOn } from '../settings.ts';

/** Rung 3: the holder's peers drop its locks when its connection closes (observed on 10.3). Bricks and clients go on. */
export const restartAction = rungAction({
  id: 'gluster.free-lock-restart',
  verb: 'restart',
  name: "restart owner's glusterd",
  title: 'Restart glusterd of the holder of',
  danger: 'access',
  users: 'nothing on clients: bricks keep running; gluster commands wait for seconds',
  afterwards:
    'no dump may show the lock, glusterd answers again and sees all peers, and its bricks run, within 90 s',
  undoText: 'none: what was locked is free afterwards',
  note: 'bricks go on',
  free: (lock, judgement) => {
    const { ownerHost: host } = lock;
    if (host === undefined)
      return refusal('5 targets', `its owner ${lock.ownerName} is no host of this site`);
    const listRunning = (kind: PeerProcess['kind'], live: Judgement): number =>
      findPeer(host, live)?.reading?.processes.filter((one) => one.kind === kind).length ?? 0;
    const bricks = listRunning('brick', judgement);
    const heals = listRunning('selfHeal', judgement) > 0;
    return {
      steps: [
        {
          host,
          argv: argvAsRoot(judgement.site, ...restartOn(judgement.site, host).command),
          deadlineMs: 120_000,
          refusals: systemctlRefusals,
        },
      ],
      kinds: ['orphaned', 'blocked', 'running', 'held'],
      guards: [
        requireBricksStay(host, judgement),
        requireQuorum(host, judgement),
        requireNothingMoves(judgement),
        newLocks(host, judgement),
      ],
      verify: {
        text: `no dump shows ${lock.volume} locked, glusterd of ${host} answers, ${count(bricks, 'brick')} run${heals ? ', its self-heal daemon is back' : ''}`,
        deadlineMs: 90_000,
        check: verifyFreed(lock, (live) => {
          const peer = findPeer(host, live);
          const away = peer?.reading?.pool?.find(({ connected }) => !connected);
          if (peer?.state !== 'up') return `glusterd of ${host} is ${peer?.state ?? 'unknown'}`;
          if (away) return `${host} does not see ${away.host} yet`;
          const now = listRunning('brick', live);
          if (now < bricks) return `${now} of ${bricks} bricks run on ${host}`;
          return heals && listRunning('selfHeal', live) === 0
            ? `the self-heal daemon of ${host} is not back yet`
            : undefined;
        }),
      },
      because: [
        `locked for ${host} on ${lock.on.join(', ')} since ${clock(lock.since)} at the latest; its peers drop it when its glusterd disconnects`,
        `${count(bricks, 'brick')} on ${host} and all clients go on; its self-heal daemon and gNFS restart with glusterd`,
        ...(lock.kind === 'blocked' && lock.waitsFor
          ? [
              `${lock.waitsFor.host} may take the lock again when it goes on: unstick it first if that can be done`,
            ]
          : []),
      ],
    };
  },
});
