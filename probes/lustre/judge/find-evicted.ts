import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { clockTime } from '../../../src/text/ages.ts';
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
  /** UTC ms by the server's clock; absent where it is not told. */
  at: number | undefined;
}

const recoveryEnds = (
  name: string,
  host: string | undefined,
  recovery: RecoveryState | undefined,
): Ended[] => {
  const { completed, startedAt, durationS } = recovery ?? {};
  if (host === undefined || recovery?.status !== 'COMPLETE' || completed?.of === undefined) return [];
  const missing = completed.of - completed.done;
  const at = startedAt === undefined ? undefined : startedAt + (durationS ?? 0) * 1000;
  return missing > 0 ? [{ name, host, missing, of: completed.of, at }] : [];
};

const lastOf = (targets: readonly Ended[]): number | undefined => {
  const times = targets.flatMap(({ at }) => at ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
};

const whenOf = (at: number | undefined, now: number): string => {
  if (at === undefined) return ', when is not known';
  return at > now ? ', by a clock that is ahead' : ` at ${clockTime(at, now)}`;
};

/** Recovery that ended without some clients: those were evicted and their programs got I/O errors. */
export const evictedFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap(({ name, osts, mdts }) => {
    const all = [
      ...osts.flatMap((ost) => recoveryEnds(ost.name, ost.oss, ost.own?.recovery)),
      ...mdts.flatMap((mdt) => recoveryEnds(mdt.name, mdt.host, mdt.mdt?.recovery)),
    ].filter(({ at }) => at === undefined || judgement.now - at < tellMs);
    return [...Map.groupBy(all, ({ host }) => host)].map(([host, targets]): FindingDraft => {
      const worst = targets.reduce((a, b) => (b.missing > a.missing ? b : a));
      const osts = targets.map((one) => one.name).filter((one) => one.includes('-OST'));
      const at = lastOf(targets);
      return finding({
        key: host,
        kind: 'evicted',
        severity: at !== undefined && judgement.now - at < dayMs ? 'warning' : 'notice',
        ...(osts.length > 0 ? subjectsOf(osts) : { subject: fsSubject(name) }),
        summary: summary(
          host,
          `: ${groupThousands(worst.missing)} of ${groupThousands(worst.of)} clients evicted at the end of recovery of ${count(targets.length, 'target')}${whenOf(at, judgement.now)}`,
        ),
        advice:
          'Recovery is over: programs on these clients got I/O errors then, and their jobs may have died; the clients reconnect by themselves.',
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
        ...(at !== undefined && at <= judgement.now && { since: at }),
      });
    });
  });
