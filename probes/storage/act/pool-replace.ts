import * as z from 'zod';
import type { Action, Guard, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import { failGuard, passUnless, refusal, rereads } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { ReadDisk } from '../readings.ts';
import { isCertain } from '../judge/safe-disks.ts';
import { arraysOn, diskName, NOT_SEEN } from './members.ts';
import { isFree } from './places.ts';
import {
  countersText,
  findInPool,
  planInPool,
  poolDiskName,
  stillThere,
  whyPoolBusy,
  zpoolStep,
} from './pools.ts';

const parameters = z.object({ disk: poolDiskName, by: diskName });
type Parameters = z.infer<typeof parameters>;

/** A name that outlives a restart, where the disk has one that no other bears: `wwn-0x5000...`, of NVMe `nvme-eui....`. */
const pathOf = ({ name, wwn }: ReadDisk, disks: readonly ReadDisk[]): string => {
  const isOwn = disks.filter((disk) => disk.wwn === wwn).length === 1;
  const [, kind] = /^(0x|eui\.)[0-9a-f]{16,32}$/.exec(wwn ?? '') ?? [];
  if (kind === undefined || !isOwn) return `/dev/${name}`;
  return `/dev/disk/by-id/${kind === '0x' ? 'wwn' : 'nvme'}-${wwn}`;
};

/** zpool refuses what bears a file system or a pool; udev says so before. `serial`: what it bore when the plan was made. */
const isEmpty = (host: string, disk: string, serial: string): Guard => ({
  id: '3 new disk',
  text: `${disk} on ${host} bears the serial number ${serial} and holds nothing`,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) => {
    const own = arraysOn(host, live)?.disks.find(({ name }) => name === disk);
    if (!own) return failGuard(NOT_SEEN);
    if (own.serial !== serial) return failGuard(`it does not bear the serial number ${serial}`);
    return passUnless(own.holds === undefined ? undefined : `it holds ${own.holds}: by hand`, 'it is empty');
  },
});

/** By the serial number of the new disk, not by its name alone. */
const replacedBy = (host: string, pool: string, by: string, serial: string): PlanTarget['verify'] => ({
  text: `${by}, serial ${serial}, is in ${pool}`,
  reads: rereads('storage.arrays', host),
  deadlineMs: 60_000,
  check: (live) => {
    const now = arraysOn(host, live);
    if (!now || now.unread['zpool'] !== undefined)
      return { state: 'unread', text: 'the pools were not read' };
    if (now.disks.find(({ name }) => name === by)?.serial !== serial)
      return { state: 'unread', text: `${by} does not bear the serial number ${serial}` };
    const own = now.arrays.find(
      (one) => one.pool === pool && one.vdevs?.some((member) => member.disk === by) === true,
    );
    if (!own) return { state: 'wait', text: 'it is not in the pool yet' };
    return own.work === undefined
      ? { state: 'yes', text: `${by}, serial ${serial}, is in ${own.id}` }
      : {
          state: 'yes',
          text: `${by}, serial ${serial}, is being filled`,
          goesOn: `resilver${own.workPct === undefined ? '' : ` ${Math.floor(own.workPct)} %`}`,
        };
  },
});

const planReplace = (
  [subject, ...more]: readonly Subject[],
  { disk, by }: Parameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { id: host } = subject;
  const found = planInPool(host, disk, judgement);
  if ('refused' in found) return found;
  const { pool, guid, array, vdev } = found;
  const reading = arraysOn(host, judgement);
  const fresh = reading?.disks.find(({ name }) => name === by);
  if (!reading || !fresh) return refusal('3 preconditions', `${by} on ${host} was not read just now`);
  if (!isCertain(by, reading))
    return refusal(
      '3 preconditions',
      `${by} has no serial number of its own: nobody could say afterwards which disk it is`,
    );
  const serial = fresh.serial ?? '';
  return planOf(poolReplaceAction, {
    title: `Replace ${disk} of ${pool} by ${by} on ${host}`,
    targets: [
      {
        subject,
        object: disk,
        steps: [zpoolStep(judgement.site, host, 'replace', pool, guid, pathOf(fresh, reading.disks))],
        guards: [
          stillThere(
            host,
            disk,
            guid,
            `${disk} still is the disk ${guid} of ${pool}, the pool works, and nothing resilvers`,
            whyPoolBusy,
          ),
          isFree(host, by),
          isEmpty(host, by, serial),
        ],
        whyAlreadyDone: (live) => {
          const now = findInPool(host, by, live);
          return typeof now !== 'string' && now.pool === pool ? `${by} is in ${pool}` : undefined;
        },
        verify: replacedBy(host, pool, by, serial),
        undo: null,
        lockGroups: [`pool ${host}:${pool}`],
      },
    ],
    parameters: { disk, by },
    because: [
      `${array.id}: ${disk} is ${vdev.state}, ${countersText(vdev)}`,
      `${by}, serial ${serial}, is in no array and nothing of it is in use`,
    ],
    afterwards: `${disk} stays in use as far as it works, until the resilver is over; then it may be pulled`,
    undoText: 'none: until the resilver is over `zpool detach` of the new disk stops it, by hand',
  });
};

/** Never `-f`: without it zpool refuses a disk that bears a pool or a file system. */
export const poolReplaceAction: Action<Parameters> = {
  id: 'storage.pool-replace',
  verb: 'replace',
  title: 'replace a disk of a pool',
  subject: 'host',
  danger: 'service',
  users: 'nothing, or slower reads and writes while the new disk is filled',
  parameters,
  prompts: [
    { name: 'disk', label: 'disk of the pool', required: true },
    { name: 'by', label: 'new disk (sda)', required: true },
  ],
  menu: {
    note: 'the old disk stays in use until the new one is filled',
    askTyped: ([subject], { judgement }) =>
      subject && arraysOn(subject.id, judgement)?.arrays.some(({ pool }) => pool !== undefined) === true
        ? 'the old disk stays in use until the new one is filled'
        : refusal('3 preconditions', 'no pool was read there'),
  },
  plan: planReplace,
};
