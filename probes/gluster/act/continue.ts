import { failGuard, passGuard, refusal } from '../../../src/kit/guards.ts';
import { whyAlreadyFree, killStep } from './parts.ts';
import { verifyFreed, rungAction } from './rung.ts';
import { findPeer, peersOf } from '../judge/pool.ts';

/** Rung 4: a stopped glusterd is continued; the transaction that waits for it then still takes effect. */
export const continueAction = rungAction({
  id: 'gluster.free-lock-continue',
  verb: 'continue',
  name: 'continue a glusterd',
  title: 'Continue the stopped glusterd that blocks',
  danger: 'access',
  users: 'nothing on clients; gluster commands work again',
  afterwards: 'glusterd of that peer must answer and the lock be gone within 60 s',
  undoText: 'none: a continued process is not stopped again',
  note: 'the waiting transaction will commit',
  free: (lock, judgement) => {
    const stopped = peersOf(judgement).find(({ state }) => state === 'stopped');
    const daemon = stopped?.reading?.daemon;
    if (!stopped || daemon?.pid === undefined) return refusal('3 preconditions', 'no glusterd is stopped');
    const { host } = stopped;
    const { pid, start } = daemon;
    return {
      steps: [killStep(judgement, host, '-CONT', pid)],
      kinds: ['blocked', 'held', 'running'],
      guards: [
        {
          id: '3 process',
          text: `process ${pid} of ${host} is still that glusterd, and stopped`,
          reads: [{ probe: 'gluster.peer', host }],
          absolute: true,
          check: (live) => {
            const now = findPeer(host, live)?.reading?.daemon;
            return now?.pid === pid && now.start === start && now.state === 'stopped'
              ? passGuard('stopped')
              : failGuard(`now it is process ${now?.pid ?? 'none'}, ${now?.state ?? 'unknown'}`);
          },
        },
      ],
      whyAlreadyDone: (live) =>
        peersOf(live).some(({ state }) => state === 'stopped') ? undefined : whyAlreadyFree(lock, live),
      verify: {
        text: `glusterd of ${host} answers and no dump shows ${lock.volume} locked`,
        deadlineMs: 60_000,
        check: verifyFreed(lock, (live) => {
          const peer = findPeer(host, live);
          return peer?.state === 'up' ? undefined : `glusterd of ${host} is ${peer?.state ?? 'unknown'}`;
        }),
      },
      because: [
        `glusterd of ${host} is stopped (SIGSTOP); what ${lock.ownerName} began waits for it`,
        'WARNING: the transaction that waits will still commit, even when its lock has expired meanwhile',
      ],
    };
  },
});
