import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import { refusal, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { isCertain, safeDisksOf } from '../judge/safe-disks.ts';
import { arraysOn, keepsRedundancy } from './members.ts';
import {
  countersText,
  diskParameters,
  findInPool,
  fits,
  hasErrors,
  menuOf,
  planInPool,
  poolName,
  stillThere,
  verifyOf,
  whyPoolBusy,
  zpoolStep,
  type DiskParameters,
  type InPool,
} from './pools.ts';

const wasSchema = z.object({ pool: poolName, guid: z.string().regex(/^\d{1,20}$/) });

const serialWords = (host: string, disk: string, { judgement }: PlanContext): string => {
  const serial = arraysOn(host, judgement)?.disks.find(({ name }) => name === disk)?.serial;
  return serial === undefined ? disk : `${disk}, serial ${serial}`;
};

const offlineTarget = (
  subject: Subject,
  disk: string,
  found: InPool,
  { judgement }: PlanContext,
): PlanTarget => {
  const { id: host } = subject;
  const { pool, guid } = found;
  return {
    subject,
    object: disk,
    steps: [zpoolStep(judgement.site, host, 'offline', pool, guid)],
    guards: [
      stillThere(
        host,
        disk,
        guid,
        `${disk} still is the disk ${guid} of ${pool}, and the pool works`,
        whyPoolBusy,
      ),
      keepsRedundancy(host, disk),
    ],
    whyAlreadyDone: (live) => {
      const now = findInPool(host, disk, live);
      return typeof now !== 'string' && now.vdev.state === 'OFFLINE' ? `${disk} is offline` : undefined;
    },
    verify: verifyOf(host, disk, `${disk} is OFFLINE in ${pool}`, ({ vdev }) =>
      waitUnless(vdev.state === 'OFFLINE', vdev.state),
    ),
    undo: [zpoolStep(judgement.site, host, 'online', pool, guid)],
    was: { pool, guid },
    lockGroups: [`pool ${host}:${pool}`],
  };
};

const planOffline = (
  [subject, ...more]: readonly Subject[],
  { disk }: DiskParameters,
  context: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const found = planInPool(subject.id, disk, context.judgement);
  if ('refused' in found) return found;
  const reading = arraysOn(subject.id, context.judgement);
  return planOf(poolOfflineAction, {
    title: `Take ${disk} of ${found.pool} on ${subject.id} offline`,
    targets: [offlineTarget(subject, disk, found, context)],
    parameters: { disk },
    because: [
      `${serialWords(subject.id, disk, context)}: ${found.vdev.state} in ${found.array.id}, ${countersText(found.vdev)}`,
    ],
    afterwards:
      reading && isCertain(disk, reading)
        ? 'find it by its serial number, pull it, and put a new disk into the pool'
        : 'its serial number is not known, or two disks bear it: find out which disk it is before one is pulled',
    undoText: 'zpool online: what was written meanwhile is resilvered',
  });
};

/** zpool itself takes a disk away down to the last copy: the guard is that of md. */
export const poolOfflineAction: Action<DiskParameters> = {
  id: 'storage.pool-offline',
  verb: 'offline',
  title: 'take a disk of a pool offline',
  subject: 'host',
  danger: 'service',
  users: 'nothing; until it is back or replaced its vdev may lose one less',
  parameters: diskParameters,
  prompts: [],
  menu: menuOf((host, judgement) => {
    const now = new Set((safeDisksOf(host, judgement)?.now ?? []).map(({ disk }) => disk));
    return fits(
      host,
      judgement,
      ({ vdev }) => vdev.state === 'ONLINE' && (now.has(vdev.disk) || hasErrors(vdev)),
    );
  }, 'no disk of a pool there is suspect or has counted errors'),
  plan: planOffline,
  undoOf: ({ id: host }, was, { judgement }) => {
    const before = wasSchema.safeParse(was);
    return before.success
      ? { steps: [zpoolStep(judgement.site, host, 'online', before.data.pool, before.data.guid)] }
      : refusal('3 preconditions', 'the log does not hold the disk by its guid');
  },
};

const planOnline = (
  [subject, ...more]: readonly Subject[],
  { disk }: DiskParameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { id: host } = subject;
  const found = planInPool(host, disk, judgement);
  if ('refused' in found) return found;
  const { pool, guid } = found;
  return planOf(poolOnlineAction, {
    title: `Bring ${disk} of ${pool} on ${host} online`,
    targets: [
      {
        subject,
        object: disk,
        steps: [zpoolStep(judgement.site, host, 'online', pool, guid)],
        guards: [
          stillThere(
            host,
            disk,
            guid,
            `${disk} still is the disk ${guid} of ${pool}, OFFLINE, and nothing resilvers`,
            (now) => (now.vdev.state === 'OFFLINE' ? whyPoolBusy(now) : `it is ${now.vdev.state}`),
          ),
        ],
        whyAlreadyDone: (live) => {
          const now = findInPool(host, disk, live);
          return typeof now !== 'string' && now.vdev.state === 'ONLINE' ? `${disk} is online` : undefined;
        },
        verify: verifyOf(host, disk, `${disk} is ONLINE in ${pool}`, ({ vdev, array }) =>
          vdev.state === 'ONLINE' && array.work !== undefined
            ? { state: 'yes', text: 'it is online', goesOn: 'the pool resilvers what was missed' }
            : waitUnless(vdev.state === 'ONLINE', vdev.state),
        ),
        undo: null,
        lockGroups: [`pool ${host}:${pool}`],
      },
    ],
    parameters: { disk },
    because: [`${found.array.id}: ${disk} ${found.vdev.state}`],
    afterwards: 'what was written meanwhile is resilvered; until then its vdev may lose one less',
    undoText: 'none: storage.pool-offline takes it out again, by its own guards',
  });
};

export const poolOnlineAction: Action<DiskParameters> = {
  id: 'storage.pool-online',
  verb: 'online',
  title: 'bring a disk of a pool online',
  subject: 'host',
  danger: 'service',
  users: 'nothing, or slower reads and writes while it is resilvered',
  parameters: diskParameters,
  prompts: [],
  menu: menuOf(
    (host, judgement) => fits(host, judgement, ({ vdev }) => vdev.state === 'OFFLINE'),
    'no disk of a pool is offline there',
  ),
  plan: planOnline,
};
