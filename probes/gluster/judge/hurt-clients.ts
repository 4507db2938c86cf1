import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { GlusterVolume, DiskReading } from '../readings.ts';
import { bricksOf } from './bricks.ts';
import { peersOf } from './pool.ts';

/** Bricks that share one process (cluster.brick-multiplex) share its port: whose clients those are, the port does not say. */
const isShared = (volume: string, pid: number | undefined, host: string, judgement: Judgement): boolean =>
  pid !== undefined &&
  peersOf(judgement).some(
    (peer) =>
      peer.host === host &&
      peer.reading?.pidFiles.some((file) => file.pid === pid && file.volume !== volume) === true,
  );

/**
 * How many hosts had this volume mounted when its bricks were counted last: each client is connected with every brick, but for those
 * that it has lost, so the most that one of them counts. Those of the pool are not counted, nor what lies behind a gateway: at least so many.
 */
const mountsOf = (volume: GlusterVolume, judgement: Judgement): number =>
  Math.max(
    0,
    ...bricksOf(volume, judgement).flatMap(({ host, path, pid }) => {
      const reading = judgement.readings.source<DiskReading>('gluster.disk', host)?.good?.value;
      const counted = reading?.clients?.find((one) => one.path === path);
      return counted && !isShared(volume.name, pid, host, judgement) ? [counted.clients] : [];
    }),
  );

/** The clients of volumes whose files are out of reach; a host that has several of them mounted counts once for the largest. */
export const hurtMounts = (
  volumes: readonly GlusterVolume[],
  judgement: Judgement,
): Pick<FindingDraft, 'hurt'> => {
  const most = Math.max(0, ...volumes.map((volume) => mountsOf(volume, judgement)));
  return { hurt: most > 0 ? { clients: most } : {} };
};
