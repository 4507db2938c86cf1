import type { HostView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { readDisk } from '../read/read-disk.ts';
import { type DiskReading, diskSchema, type VolumesReading } from '../readings.ts';
import diskScript from './disk.sh';
import { role, scriptCommand } from './asking.ts';

/** Paths of bricks that this host has: by the name that gluster has for it, and where that is not the site's name all of them. */
const ownPaths = ({ name }: HostView, { site, readings }: AskContext): string[] => {
  const bricks = readings
    .sources<VolumesReading>('gluster.volumes')
    .flatMap(({ good }) => good?.value.volumes ?? [])
    .flatMap((volume) => volume.bricks);
  const resolved = bricks.filter(({ host }) => {
    const found = host === undefined ? undefined : site.resolve('host', host)?.id;
    return found === undefined || found === name;
  });
  return [...new Set(resolved.map(({ path }) => path))];
};

/** The disks below the bricks: full, read-only, gone. It looks into file systems that may hang: a channel of its own. */
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
  read: (answer) => readDisk(answer),
  schema: diskSchema,
};
