import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, grouped } from '../../../src/text/units.ts';
import { lustreOf } from './join.ts';
import type { RecoveryState } from '../readings.ts';
import { finding, fsSubject, proof, subjectsOf, summary } from './names.ts';

const dayMs = 86_400_000;
/** An eviction of last week is history. */
const tellMs = 7 * dayMs;

interface Ended {
  name: string;
  host: string;
  missing: number;
  of: number;
  at: number;
}

const ended = (name: string, host: string | undefined, recovery: RecoveryState | undefined): Ended[] => {
  const { completed, startedAt, durationS } = recovery ?? {};
  if (host === undefined || recovery?.status !== 'COMPLETE' || completed?.of === undefined) return [];
  const missing = completed.of - completed.done;
  return missing > 0
    ? [{ name, host, missing, of: completed.of, at: (startedAt ?? 0) + (durationS ?? 0) * 1000 }]
    : [];
};

/** Recovery that ended without some clients: those were evicted and their programs got I/O errors. */
export const evictedFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap(({ name, osts, mdts }) => {
    const all = [
      ...osts.flatMap((ost) => ended(ost.name, ost.oss, ost.own?.recovery)),
      ...mdts.flatMap((mdt) => ended(mdt.name, mdt.host, mdt.mdt?.recovery)),
    ].filter(({ at }) => judgement.now - at < tellMs);
    return [...Map.groupBy(all, ({ host }) => host)].map(([host, targets]): FindingDraft => {
      const worst = targets.reduce((a, b) => (b.missing > a.missing ? b : a));
      const osts = targets.map((one) => one.name).filter((one) => one.includes('-OST'));
      const at = Math.max(...targets.map((one) => one.at));
      return finding({
        key: host,
        kind: 'evicted',
        severity: judgement.now - at < dayMs ? 'warning' : 'notice',
        ...(osts.length > 0 ? subjectsOf(osts) : { subject: fsSubject(name) }),
        summary: summary(
          host,
          `: recovery of ${count(targets.length, 'target')} ended without ${grouped(worst.missing)} of ${grouped(worst.of)} clients: evicted`,
        ),
        advice: 'Programs on the evicted clients got I/O errors; their jobs may have died.',
        evidence: targets
          .slice(0, 12)
          .map((one) =>
            proof(
              `${one.name}: ${one.of - one.missing} of ${one.of} clients completed recovery`,
              judgement,
              one.name.includes('-OST') ? 'lustre.oss' : 'lustre.mds',
              host,
            ),
          ),
        lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }],
        hurt: { nodes: worst.missing },
        since: at,
      });
    });
  });
