import type { Finding } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import { count } from '../../src/text/units.ts';
import { cut } from '../../src/text/width.ts';
import { seenLocks } from './seen-locks.ts';

/** Clients that wait for each other's file locks, by the dumps asked for with `gluster.statedump`. */
export const clientFindings = (judgement: Judgement): Finding[] => {
  const waiting = seenLocks(judgement).filter(({ state }) => state === 'BLOCKED');
  return [...Map.groupBy(waiting, ({ volume, host }) => volume ?? host)].map(([name, all]): Finding => {
    const files = new Set(all.map(({ path }) => path));
    return {
      id: `gluster:file-locks:${name}`,
      system: 'gluster',
      kind: 'file-locks',
      severity: 'warning',
      subject: all[0]?.volume === undefined ? { kind: 'host', id: name } : { kind: 'volume', id: name },
      summary: cut(
        `${name}: clients wait for locks on ${count(files.size, 'file')}: ${[...files].join(', ')}`,
        100,
      ),
      advice: 'Find the client that holds it; a held lock is cleared only when its client is gone.',
      evidence: all.slice(0, 20).map(({ host, path, client, holders, dump }) => ({
        text: `${path}: ${client} waits for ${holders.join(', ') || 'nobody seen'}`,
        probe: 'gluster.dumps',
        host,
        at: dump.takenAt,
      })),
      hurt: {},
      remedies: [],
    };
  });
};
