import type { Action, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import { refusal, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import {
  countersText,
  diskParameters,
  findInPool,
  fits,
  hasErrors,
  menuOf,
  planInPool,
  stillThere,
  verifyOf,
  whyPoolBusy,
  zpoolStep,
  type DiskParameters,
  type InPool,
} from './pools.ts';

/** Counters and state are gone with it: what they were stands in the plan and in the log. */
const planClear = (
  [subject, ...more]: readonly Subject[],
  { disk }: DiskParameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { id: host } = subject;
  const found = planInPool(host, disk, judgement);
  if ('refused' in found) return found;
  const { pool, guid, vdev } = found;
  const isClean = (one: InPool): boolean =>
    one.vdev.state === 'ONLINE' &&
    [one.vdev.read, one.vdev.write, one.vdev.cksum].every((value) => value === 0);
  return planOf(poolClearAction, {
    title: `Clear the errors of ${disk} of ${pool} on ${host}`,
    targets: [
      {
        subject,
        object: disk,
        steps: [zpoolStep(judgement.site, host, 'clear', pool, guid)],
        guards: [
          stillThere(
            host,
            disk,
            guid,
            `${disk} still is the disk ${guid} of ${pool}, with the same counters, and nothing resilvers`,
            (now) =>
              countersText(now.vdev) === countersText(vdev) && now.vdev.state === vdev.state
                ? whyPoolBusy(now)
                : `it is ${now.vdev.state} now, ${countersText(now.vdev)}: the plan says otherwise`,
          ),
        ],
        whyAlreadyDone: (live) => {
          const now = findInPool(host, disk, live);
          return typeof now !== 'string' && isClean(now) ? 'no error is counted' : undefined;
        },
        verify: verifyOf(host, disk, `${disk} is ONLINE in ${pool}, and no error is counted`, (now) =>
          isClean(now) && now.array.work !== undefined
            ? { state: 'yes', text: 'it is online', goesOn: 'the pool resilvers' }
            : waitUnless(isClean(now), `${now.vdev.state}, ${countersText(now.vdev)}`),
        ),
        undo: null,
        was: { pool, guid, state: vdev.state, read: vdev.read, write: vdev.write, cksum: vdev.cksum },
        lockGroups: [`pool ${host}:${pool}`],
      },
    ],
    parameters: { disk },
    because: [`${found.array.id}: ${disk} is ${vdev.state}, ${countersText(vdev)}; the audit log keeps them`],
    afterwards: `scrub ${pool}: a disk that was FAULTED is ONLINE again, and nothing has proven it`,
    undoText: 'none: what was counted stands in the audit log alone',
  });
};

export const poolClearAction: Action<DiskParameters> = {
  id: 'storage.pool-clear',
  verb: 'clear',
  title: 'clear the errors of a disk of a pool',
  subject: 'host',
  danger: 'service',
  users: 'nothing; a disk that ZFS gave up is read and written again',
  parameters: diskParameters,
  prompts: [],
  menu: menuOf(
    (host, judgement) => fits(host, judgement, ({ vdev }) => hasErrors(vdev)),
    'no disk of a pool there has counted an error',
  ),
  plan: planClear,
};
