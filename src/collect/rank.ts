import type { Facts } from '../model/fact.ts';
import { NOT_READ, type Finding, type RankedFinding } from '../model/finding.ts';
import type { Acked, Notes, Note } from '../model/note.ts';
import type { SiteView } from '../model/site.ts';
import type { Severity } from '../model/subject.ts';
import { wordsOf } from '../model/words.ts';
import { makeSafe } from '../text/safe.ts';
import { countSubjects, explain, type Causes, type Explained } from './explain.ts';
import type { FormerNames } from '../site/schema.ts';
import { formerId } from './former-names.ts';
import { applyPlans, type Announced } from './planned.ts';
import { namesOf } from './topology.ts';

/** Notes shown at a finding: a night needs the latest. */
const MOST = 20;

/** Notes on what a finding is about, on its members and on their hosts' ports, newest first. */
export const notesOn = (finding: Pick<Finding, 'subject' | 'members'>, notes: Notes): readonly Note[] => {
  if (notes.listAll().length === 0) return [];
  const found = [finding.subject, ...(finding.members ?? [])].flatMap((subject) => notes.notesOf(subject));
  return [...new Set(found)].toSorted((a, b) => b.at - a.at).slice(0, MOST);
};

/** The worse, the higher. */
const weight: Readonly<Record<Severity, number>> = { critical: 2, warning: 1, notice: 0 };

const severities: readonly Severity[] = ['notice', 'warning', 'critical'];

/** The worst of a finding and all that it explains: a critical effect must not hide behind an acknowledged mild cause. */
export const worstSeverity = (finding: RankedFinding, all: readonly RankedFinding[]): Severity => {
  let worst = weight[finding.severity];
  const under = new Set([finding.id]);
  // Causes stand before what they explain.
  for (const one of all) {
    if (one.explainedBy === undefined || !under.has(one.explainedBy)) continue;
    under.add(one.id);
    worst = Math.max(worst, weight[one.severity]);
  }
  return severities[worst] ?? finding.severity;
};

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
  findAck?(finding: Finding): Acked | undefined;
  notes?: Notes;
  /** Planned work that operators announced. */
  windows?: readonly Announced[];
}

/**
 * Findings after windows, correlation and runbooks, in the order of the screen: what nothing explains first, worst first; a
 * cause counts as much as the worst of what it explains, so that nothing critical sinks below a mild cause. What comes in is safe and stays
 * so: findings by their words, notes and acknowledgements as they were decoded, runbooks as the site file was checked.
 */
export const rank = (found: readonly Finding[], setup: RankSetup): readonly RankedFinding[] => {
  const { site, facts, now, windows: announced } = setup;
  const around = { site, now, ...(facts && { facts }), ...(announced && { announced }) };
  const findings = dropTwins(found).map((finding) => addJobs(applyPlans(finding, around), facts));
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
      const acked = setup.findAck?.({ ...finding, severity });
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
        // Whoever did it knows of it; whose nodes failed does not.
        Number(a.deliberate === true) - Number(b.deliberate === true) ||
        hurtOrder(a, b) ||
        weight[b.severity] - weight[a.severity] ||
        countSubjects(b) - countSubjects(a) ||
        (b.loss ?? 0) - (a.loss ?? 0) ||
        a.since - b.since ||
        (a.id < b.id ? -1 : 1),
    );
};

/**
 * Where a system says that nodes are hurt and not whose jobs run on them, the jobs and users that others publish. Not known as a whole
 * (a node is busy with jobs that are not listed): no number.
 */
const addJobs = (finding: Finding, facts: Facts | undefined): Finding => {
  const { hurt, hurtOn, kind, subject, members = [subject] } = finding;
  const isAboutNodes =
    hurtOn !== undefined || members.every((one) => one.kind === 'node' || one.kind === 'host');
  if (!facts || !isAboutNodes || hurt.nodes === undefined || hurt.jobs !== undefined || kind === NOT_READ)
    return finding;
  const busy = [...(hurtOn ?? namesOf(finding))].flatMap(
    (id) => facts.find('node.busy', { kind: 'node', id })?.value ?? [],
  );
  if (busy.length === 0 || busy.some(({ jobs }) => jobs.length === 0)) return finding;
  const jobs = new Set(busy.flatMap((one) => one.jobs));
  const users = [...new Set(busy.flatMap((one) => one.users))].sort();
  return { ...finding, hurt: { ...hurt, jobs: jobs.size, users } };
};

/** Ids are identities: the second of two findings with one id would make the screen's rows jump. */
const dropTwins = (findings: readonly Finding[]): readonly Finding[] =>
  [...new Map(findings.toReversed().map((finding) => [finding.id, finding])).values()].reverse();

const hurtOrder = (a: Finding, b: Finding): number =>
  (b.hurt.users?.length ?? 0) - (a.hurt.users?.length ?? 0) ||
  (b.hurt.jobs ?? 0) - (a.hurt.jobs ?? 0) ||
  (b.hurt.nodes ?? 0) - (a.hurt.nodes ?? 0) ||
  (b.hurt.clients ?? 0) - (a.hurt.clients ?? 0);

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
    ...sinceOf(finding, firstSeen),
    explains,
    ...(old !== undefined && { lastRead: old }),
    ...(explained && { explainedBy: explained.cause, explainedWhy: wordsOf(makeSafe(explained.why)) }),
    ...(noted.length > 0 && { notes: noted }),
    ...(runbook?.url !== undefined && { runbook: runbook.url }),
    ...(runbook?.contact !== undefined && { contact: runbook.contact }),
  };
};

/** When it began where that is known; else when it was first seen, here or by whoever saw it before. */
const sinceOf = (
  finding: Finding,
  firstSeen: RankSetup['firstSeen'],
): Pick<RankedFinding, 'since' | 'sinceIs'> => {
  const { since, sinceIs } = finding;
  if (since !== undefined && sinceIs === undefined) return { since };
  return { since: Math.min(since ?? Infinity, firstSeen(finding)), sinceIs: 'seen' };
};

/** `slurm:drained-group:*`: a star stands for any run of characters. */
const matches = (pattern: string, id: string): boolean => {
  const [first = '', ...inner] = pattern.split('*');
  const last = inner.pop();
  if (last === undefined) return id === pattern;
  if (!id.startsWith(first)) return false;
  let at = first.length;
  for (const part of inner) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return id.length - at >= last.length && id.endsWith(last);
};
