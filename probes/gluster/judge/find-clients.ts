import type { FindingDraft } from '../../../src/model/finding.ts';
import { finding } from './pool.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { seenLocks } from './seen-locks.ts';

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
