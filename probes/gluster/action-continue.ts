import { z } from 'zod';
import type { Action, Plan, PlanContext, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
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
import { peersOf } from './pool.ts';
import { asRoot } from './settings.ts';

const none = z.strictObject({});
type None = z.infer<typeof none>;

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
  title: 'continue a glusterd',
  subject: 'volume',
  danger: 'access',
  parameters: none,
  prompts: [],
  offer: (subjects, context) => offerOf(planContinue(subjects, context), 'what waits will commit', context),
  plan: (subjects, _given, context) => planContinue(subjects, context),
};
