import type { Facts } from '../model/fact.ts';
import { NOT_READ, type Finding, type RankedFinding } from '../model/finding.ts';
import type { Acked, Notes } from '../model/note.ts';
import type { SiteView, Window } from '../model/site.ts';
import type { Severity } from '../model/subject.ts';
import { wordsOf } from '../model/words.ts';
import { breadth, explain, type Causes, type Explained } from './explain.ts';
import type { FormerNames } from '../site/schema.ts';
import { formerId } from './former-names.ts';
import { notesOn } from './shared/on-findings.ts';
import { applyPlans } from './planned.ts';

/** The worse, the higher. */
const weight: Readonly<Record<Severity, number>> = { critical: 2, warning: 1, notice: 0 };

const severities: readonly Severity[] = ['notice', 'warning', 'critical'];

export interface RankSetup {
  site: SiteView;
  now: number;
  /** UTC ms at which this finding was first seen. */
  firstSeen(finding: Finding): number;
  /** UTC ms of what it rests on, where that is old. */
  lastRead?(finding: Finding): number | undefined;
  /** What systems know of what explains what. */
  causes?: readonly Causes[];
  /** Names of causes that the site file switches off. */
  off?: readonly string[];
  former?: FormerNames;
  facts?: Facts;
  acked?(finding: Finding): Acked | undefined;
  notes?: Notes;
  /** Planned work that operators announced. */
  windows?: readonly Window[];
}

/**
 * Findings after windows, correlation and runbooks, in the order of the screen: what nothing explains first, worst first; a
 * cause counts as much as the worst of what it explains, so that nothing critical sinks below a mild cause.
 */
export const rank = (found: readonly Finding[], setup: RankSetup): readonly RankedFinding[] => {
  const findings = dropTwins(found).map((finding) =>
    applyPlans(finding, setup.site, setup.now, setup.windows),
  );
  const topology = { site: setup.site, ...(setup.facts && { facts: setup.facts }) };
  const causes = explain(findings, setup.causes ?? [], topology, setup.off);
  const chain = (id: string): string[] => {
    const cause = causes.get(id)?.cause;
    return cause === undefined ? [] : [cause, ...chain(cause)];
  };
  const worst = new Map(findings.map((finding) => [finding.id, weight[finding.severity]]));
  const explains = new Map<string, number>();
  for (const finding of findings) {
    for (const above of chain(finding.id)) {
      worst.set(above, Math.max(worst.get(above) ?? 0, weight[finding.severity]));
      explains.set(above, (explains.get(above) ?? 0) + 1);
    }
  }
  const depth = new Map(findings.map((finding) => [finding.id, chain(finding.id).length]));
  return findings
    .map((finding) => decorate(finding, causes.get(finding.id), explains.get(finding.id) ?? 0, setup))
    .map((finding) => {
      // Judged by the worst below it: nothing critical hides behind an acknowledged mild cause.
      const severity = severities[worst.get(finding.id) ?? 0] ?? finding.severity;
      const acked = setup.acked?.({ ...finding, severity });
      return {
        ...finding,
        ...(severity !== finding.severity && { worst: severity }),
        ...(acked && { acked }),
      };
    })
    .toSorted(
      (a, b) =>
        (depth.get(a.id) ?? 0) - (depth.get(b.id) ?? 0) ||
        Number(a.acked !== undefined) - Number(b.acked !== undefined) ||
        (worst.get(b.id) ?? 0) - (worst.get(a.id) ?? 0) ||
        // What is known comes before what is not.
        Number(a.kind === NOT_READ) - Number(b.kind === NOT_READ) ||
        hurtOrder(a, b) ||
        weight[b.severity] - weight[a.severity] ||
        breadth(b) - breadth(a) ||
        (b.loss ?? 0) - (a.loss ?? 0) ||
        a.since - b.since ||
        (a.id < b.id ? -1 : 1),
    );
};

/** Ids are identities: the second of two findings with one id would make the screen's rows jump. */
const dropTwins = (findings: readonly Finding[]): readonly Finding[] =>
  [...new Map(findings.toReversed().map((finding) => [finding.id, finding])).values()].reverse();

const hurtOrder = (a: Finding, b: Finding): number =>
  (b.hurt.users?.length ?? 0) - (a.hurt.users?.length ?? 0) ||
  (b.hurt.jobs ?? 0) - (a.hurt.jobs ?? 0) ||
  (b.hurt.nodes ?? 0) - (a.hurt.nodes ?? 0);

const decorate = (
  finding: Finding,
  explained: Explained | undefined,
  explains: number,
  { site, firstSeen, notes, lastRead, former }: RankSetup,
): RankedFinding => {
  const old = lastRead?.(finding);
  const noted = notes ? notesOn(finding, notes) : [];
  const names = [finding.id, (former && formerId(finding.id, former)) ?? finding.id];
  const runbook = site.runbooks.find((one) => names.some((name) => matches(one.finding, name)));
  // What it is explained by was worked out from these: no screen needs them, and of a large group they are long.
  const { breaks: _breaks, lacks: _lacks, ...shown } = finding;
  return {
    ...shown,
    since: finding.since ?? firstSeen(finding),
    ...(finding.since === undefined && { sinceIs: 'seen' as const }),
    explains,
    ...(old !== undefined && { lastRead: old }),
    ...(explained && { explainedBy: explained.cause, explainedWhy: wordsOf(explained.why) }),
    ...(noted.length > 0 && { notes: noted }),
    ...(runbook?.url !== undefined && { runbook: runbook.url }),
    ...(runbook?.contact !== undefined && { contact: runbook.contact }),
  };
};

/** `slurm:drained-group:*`: a star stands for any run of characters. */
const matches = (pattern: string, id: string): boolean => {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(id);
};
