import type { Finding } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import { count } from '../../src/text/units.ts';
import { cut } from '../../src/text/width.ts';
import { role } from './asking.ts';
import { bricksOf } from './bricks.ts';
import { volumesOf } from './pool.ts';
import type { DumpsReading } from './readings.ts';

/** How long a dump speaks for the present, ms. */
const fresh = 10 * 60_000;

/** A lock on a file that waits, as a brick's dump shows it. */
export interface Waiting {
  host: string;
  file: string;
  volume?: string;
  path: string;
  domain: string;
  client: string;
  /** Who has it: clients with an active lock on the same file. */
  holders: readonly string[];
  at: number;
}

/** Locks that wait, by the dumps asked for with \`gluster.statedump\`. */
export const waitingLocks = (judgement: Judgement): readonly Waiting[] =>
  judgement.site.withRole(role).flatMap(({ name: host }) => {
    const good = judgement.readings.source<DumpsReading>('gluster.dumps', host)?.good;
    if (!good || judgement.now - good.at > fresh) return [];
    return good.value.files.flatMap(({ file, locks }) =>
      locks
        .filter(({ state }) => state === 'BLOCKED')
        .map((lock) => {
          const path = lock.path ?? lock.gfid ?? '?';
          const volume = volumeOf(file, host, judgement);
          const holders = locks
            .filter(
              (one) =>
                one.state === 'ACTIVE' &&
                (one.path ?? one.gfid) === (lock.path ?? lock.gfid) &&
                one.domain === lock.domain,
            )
            .map(({ client = '?' }) => client);
          return {
            host,
            file,
            path,
            domain: lock.domain,
            client: lock.client ?? '?',
            holders,
            at: good.at,
            ...(volume !== undefined && { volume }),
          };
        }),
    );
  });

/** A brick's dump is named after its path: \`srv-brick1-home0.109.dump.1700000000\`. */
const volumeOf = (file: string, host: string, judgement: Judgement): string | undefined => {
  const name = (file.split('/').at(-1) ?? '').replace(/\.\d+\.dump\.\d+$/, '');
  return volumesOf(judgement)?.volumes.find((volume) =>
    bricksOf(volume, judgement).some(
      (brick) => brick.host === host && brick.path.slice(1).replaceAll('/', '-') === name,
    ),
  )?.name;
};

/** Clients that wait for each other's file locks. */
export const clientFindings = (judgement: Judgement): Finding[] => {
  const byVolume = Map.groupBy(waitingLocks(judgement), ({ volume, host }) => volume ?? host);
  return [...byVolume].map(([name, all]): Finding => {
    const files = new Set(all.map(({ path }) => path));
    const [first] = all;
    return {
      id: `gluster:file-locks:${name}`,
      system: 'gluster',
      kind: 'file-locks',
      severity: 'warning',
      subject: first?.volume === undefined ? { kind: 'host', id: name } : { kind: 'volume', id: name },
      summary: cut(
        `${name}: clients wait for locks on ${count(files.size, 'file')}: ${[...files].join(', ')}`,
        100,
      ),
      advice: 'Find the client that holds it; clear the waiting lock only when its client is gone.',
      evidence: all.slice(0, 20).map(({ host, path, client, holders, at }) => ({
        text: `${path}: ${client} waits for ${holders.join(', ') || 'nobody seen'}`,
        probe: 'gluster.dumps',
        host,
        at,
      })),
      hurt: {},
      remedies: [],
    };
  });
};
