import type { Judgement } from '../../../src/model/system.ts';
import { role } from '../settings.ts';
import { bricksOf } from './bricks.ts';
import { clientOf } from '../read/parse-file-locks.ts';
import { peersOf, volumesOf, finding } from './pool.ts';
import type { ClientsReading, DumpFile, DumpsReading } from '../readings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import { count } from '../../../src/text/units.ts';

/** How long a dump speaks for the present, ms. */
const fresh = 10 * 60_000;

export interface SeenDump extends DumpFile {
  host: string;
  /** UTC ms at which it was written, the host's clock set right. */
  takenAt: number;
}

/** The newest dump of each brick and glusterd that lies on the peers, whatever its age. */
export const findDumps = (judgement: Judgement): readonly SeenDump[] => {
  const clocks = new Map(peersOf(judgement).map(({ host, reading }) => [host, reading?.clockMs ?? 0]));
  return judgement.site.hostsWithRole(role).flatMap(({ name: host }) =>
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
  findDumps(judgement)
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

/**
 * Why the client that holds a lock is not proven to be gone; undefined when it is: every connection that the brick has now belongs
 * to a host that is not the client's. A client may come in from an address that its name does not lead to (InfiniBand), so one
 * connection that nobody is known to own is enough to say no.
 */
export const whyNotGone = (lock: SeenLock, live: Judgement): string | undefined => {
  const { host, client, clientHost } = lock;
  const reading = live.readings.source<ClientsReading>('gluster.clients', host)?.good?.value;
  if (!reading) return `who is connected to the brick on ${host} was not read`;
  if (reading.failed !== undefined)
    return `the connections on ${host} could not be listed: ${reading.failed}`;
  if (clientHost === undefined) return `${client} names no host`;
  const own = reading.names.find(({ name }) => name === clientHost)?.addresses ?? [];
  if (own.length === 0) return `${host} knows no address of ${clientHost}`;
  const far = new Set(reading.ends.filter(({ pid }) => pid === lock.dump.pid).map(({ address }) => address));
  if (far.size === 0) return `no connection of the brick on ${host} is seen at all`;
  const back = own.find((address) => far.has(address));
  if (back !== undefined) return `${clientHost} is connected to the brick on ${host} (${back})`;
  const others = new Set(
    reading.names.flatMap(({ name, addresses }) => (name === clientHost ? [] : addresses)),
  );
  const unknown = [...far].find((address) => !others.has(address));
  return unknown === undefined
    ? undefined
    : `${unknown} is connected to the brick on ${host}, and whether that is ${clientHost} is not known`;
};

/** Clients that wait for each other's file locks, by the dumps asked for with `gluster.statedump`. */
export const clientFindings = (judgement: Judgement): FindingDraft[] => {
  const waiting = seenLocks(judgement).filter(({ state }) => state === 'BLOCKED');
  return [...Map.groupBy(waiting, ({ volume, host }) => volume ?? host)].map(([name, all]): FindingDraft => {
    const files = new Set(all.map(({ path }) => path));
    return finding({
      kind: 'file-locks',
      key: name,
      severity: 'warning',
      subject: all[0]?.volume === undefined ? { kind: 'host', id: name } : { kind: 'volume', id: name },
      summary: `${name}: clients wait for locks on ${count(files.size, 'file')}: ${[...files].join(', ')}`,
      advice: 'Find the client that holds it; a held lock is cleared only when its client is gone.',
      evidence: all.slice(0, 20).map(({ host, path, client, holders, dump }) => ({
        text: `${path}: ${client} waits for ${holders.join(', ') || 'nobody seen'}`,
        probe: 'gluster.dumps',
        host,
        at: dump.takenAt,
      })),
    });
  });
};
