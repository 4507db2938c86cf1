import type { Judgement } from '../../src/model/system.ts';
import { role } from './asking.ts';
import { bricksOf } from './bricks.ts';
import { clientOf } from './parse-file-locks.ts';
import { peersOf, volumesOf } from './pool.ts';
import type { DumpFile, DumpsReading } from './readings.ts';

/** How long a dump speaks for the present, ms. */
const fresh = 10 * 60_000;

export interface SeenDump extends DumpFile {
  host: string;
  /** UTC ms at which it was written, the host's clock set right. */
  takenAt: number;
}

/** The newest dump of each brick and glusterd that lies on the peers, whatever its age. */
export const dumpsSeen = (judgement: Judgement): readonly SeenDump[] => {
  const clocks = new Map(peersOf(judgement).map(({ host, reading }) => [host, reading?.clockMs ?? 0]));
  return judgement.site.withRole(role).flatMap(({ name: host }) =>
    (judgement.readings.source<DumpsReading>('gluster.dumps', host)?.good?.value.files ?? []).map((file) => ({
      ...file,
      host,
      takenAt: file.at - (clocks.get(host) ?? 0),
    })),
  );
};

/** A lock on a file as a brick's dump shows it. */
export interface SeenLock {
  host: string;
  dump: SeenDump;
  type: DumpFile['locks'][number]['type'];
  volume?: string;
  path: string;
  state: 'ACTIVE' | 'BLOCKED';
  /** `node12 (pid 4711)`, else the connection as the brick names it. */
  client: string;
  clientHost?: string;
  /** Clients that hold a lock of the kind on the same file of the same brick. */
  holders: readonly string[];
}

/** Locks on files by bricks' whole dumps of the last ten minutes, waiting ones first. */
export const seenLocks = (judgement: Judgement): readonly SeenLock[] =>
  dumpsSeen(judgement)
    .filter(({ of, whole, takenAt }) => of === 'brick' && whole && judgement.now - takenAt <= fresh)
    .flatMap((dump) =>
      dump.locks.map((lock): SeenLock => {
        const file = lock.path ?? lock.gfid ?? '?';
        const volume = lock.volume ?? volumeOf(dump, judgement);
        const clientHost = lock.client === undefined ? undefined : clientOf(lock.client)?.host;
        const holders = dump.locks.filter(
          (one) =>
            one.state === 'ACTIVE' && one.domain === lock.domain && (one.path ?? one.gfid ?? '?') === file,
        );
        return {
          host: dump.host,
          dump,
          type: lock.type,
          ...(volume !== undefined && { volume }),
          path: file,
          state: lock.state,
          client: nameOf(lock.client),
          ...(clientHost !== undefined && { clientHost }),
          holders: [...new Set(holders.map(({ client }) => nameOf(client)))],
        };
      }),
    )
    .toSorted((a, b) => Number(b.state === 'BLOCKED') - Number(a.state === 'BLOCKED'));

const nameOf = (client: string | undefined): string => {
  const known = client === undefined ? undefined : clientOf(client);
  return known ? `${known.host} (pid ${known.pid})` : (client ?? '?');
};

/** A brick's dump is named after its path; where one process serves several bricks, after the first. */
const volumeOf = ({ host, pid, file }: SeenDump, judgement: Judgement): string | undefined =>
  volumesOf(judgement)?.volumes.find((volume) =>
    bricksOf(volume, judgement).some(
      (brick) =>
        brick.host === host &&
        (brick.pid === pid || file.includes(`/${brick.path.slice(1).replaceAll('/', '-')}.`)),
    ),
  )?.name;
