import type { HostView } from '../../../src/model/site.ts';
import type { AskContext, Probe } from '../../../src/model/system.ts';
import { copiesSchema, type CopiesReading, readCopies, copyPath, nameToHeal } from '../read/read-copies.ts';
import type { HealReading, VolumesReading } from '../readings.ts';
import { narrowToPool } from '../pools.ts';
import { role, scriptCommand } from '../settings.ts';
import copiesScript from './copies.sh';
import { isOnHost } from './probe-disk.ts';

/** So many copies are looked at in one go. */
const mostCopies = 40;
/** For so long a file that was listed is looked at after: whoever healed it reads its copies. */
const lookedAfterMs = 15 * 60_000;

/** Paths of copies on this host with the time at which heal info listed their files, those listed now first. */
const listedPaths = (host: HostView, context: AskContext): Map<string, number> => {
  const { readings, now, last, site } = narrowToPool(host, context);
  const heals = readings
    .sources<HealReading>('gluster.heal')
    .flatMap(({ good }) => good?.value.volumes ?? []);
  const volumes = readings
    .sources<VolumesReading>('gluster.volumes')
    .flatMap(({ good }) => good?.value.volumes ?? []);
  const paths = new Map<string, number>();
  for (const { name, splitFiles = [] } of heals)
    for (const file of splitFiles.flatMap((one) => nameToHeal(one) ?? []))
      for (const brick of volumes.find((one) => one.name === name)?.bricks ?? [])
        if (isOnHost(brick, host, site)) paths.set(copyPath(brick.path, file), now);
  const before = copiesSchema.safeParse(last?.value).data?.copies ?? [];
  for (const { path, listedAt } of before)
    if (!paths.has(path) && now - listedAt < lookedAfterMs) paths.set(path, listedAt);
  return new Map([...paths].slice(0, mostCopies));
};

/** The copies of files in split-brain: asked only before one is healed, for it reads them whole. */
export const copiesProbe: Probe<CopiesReading> = {
  id: 'gluster.copies',
  role,
  everyMs: 0,
  touches: 'nothing',
  mayHang: true,
  deadlineMs: 120_000,
  ask: (host, context) => ({
    script: scriptCommand(
      context.site,
      copiesScript,
      'faultline-copies',
      ...listedPaths(host, context).keys(),
    ),
    maxBytes: 4_000_000,
  }),
  read: (answer, host, context) => readCopies(answer, listedPaths(host, context)),
  schema: copiesSchema,
};
