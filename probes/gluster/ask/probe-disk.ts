import type { HostView, SiteView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { readDisk } from '../read/read-disk.ts';
import { type DiskReading, diskSchema, type VolumesReading } from '../readings.ts';
import diskScript from './disk.sh';
import { narrowToPool } from '../pools.ts';
import { role, scriptCommand } from '../settings.ts';

/** Whether a brick may lie on this host: by the name that gluster has for it, and where that is not the site's name it may. */
export const isOnHost = (
  brick: { host?: string | undefined },
  { name }: HostView,
  site: SiteView,
): boolean => {
  const found = brick.host === undefined ? undefined : site.resolve('host', brick.host)?.id;
  return found === undefined || found === name;
};

const ownPaths = (host: HostView, context: AskContext): string[] => {
  const { site, readings } = narrowToPool(host, context);
  const bricks = readings
    .sources<VolumesReading>('gluster.volumes')
    .flatMap(({ good }) => good?.value.volumes ?? [])
    .flatMap((volume) => volume.bricks);
  return [...new Set(bricks.filter((brick) => isOnHost(brick, host, site)).map(({ path }) => path))];
};

/**
 * The disks below the bricks: full, read-only, gone; and how many clients there are above them, of whom `gluster volume status VOLUME
 * clients` would tell with the volume's lock (decision 0090). It looks into file systems that may hang: a channel of its own.
 */
export const diskProbe: Probe<DiskReading> = {
  id: 'gluster.disk',
  role,
  everyMs: 60_000,
  touches: 'nothing',
  mayHang: true,
  deadlineMs: 60_000,
  when: (host, context) => ownPaths(host, context).length > 0,
  ask: (host, context) => ({
    script: scriptCommand(context.site, diskScript, 'faultline-disk', ...ownPaths(host, context)),
  }),
  read: readDisk,
  schema: diskSchema,
};
