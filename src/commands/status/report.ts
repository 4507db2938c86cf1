import type { Collector } from '../../collect/collector.ts';
import { isUnread } from '../../collect/pane-head.ts';
import type { EvidenceDraft, Finding, FindingDraft, RankedFinding } from '../../model/finding.ts';
import type { FailureKind, Source } from '../../model/reading.ts';
import type { Severity } from '../../model/subject.ts';
import { known } from '../../kit/known.ts';
import { textOf } from '../../model/words.ts';

/** One reading of the document: what is known of one probe on one host. Times are ISO 8601 UTC. */
export interface ReadingLine {
  system: string;
  probe: string;
  host: string;
  state: Source['state'];
  at?: string;
  ageMs?: number;
  durationMs?: number;
  notUnderstood: number;
  error?: { kind: FailureKind; message: string };
}

/** A finding as monitoring gets it (docs/formats.md); `since` and `at` are ISO 8601 UTC. */
export type FindingLine = Pick<
  FindingDraft,
  | 'id'
  | 'system'
  | 'kind'
  | 'severity'
  | 'subject'
  | 'members'
  | 'summary'
  | 'advice'
  | 'suspects'
  | 'hurt'
  | 'remedies'
> & {
  evidence: readonly (Omit<EvidenceDraft, 'at'> & { at?: string })[];
  since: string;
  /** Whether `since` is when it began, or only when it was first seen. */
  sinceIs: 'began' | 'seen';
  explainedBy?: string;
  /** The severity of the worst that it explains, where that is worse than its own. */
  worst?: Severity;
  /** Somebody knows of it; times are ISO 8601 UTC. */
  acknowledged?: { by: string; at: string; until: string; text: string };
};

export interface Report {
  document: {
    /** Another number when keys or their meaning change. */
    schema: 1;
    site: string;
    at: string;
    readings: readonly ReadingLine[];
    findings: readonly FindingLine[];
  };
  findings: readonly RankedFinding[];
  /** Systems of which nothing could be read, with a reason. */
  unreadable: readonly { system: string; reason: string }[];
  exitCode: 0 | 1 | 2 | 3;
}

/** What was asked, what came and what it means. `asked` are the keys of the sources that were asked. */
export const reportOf = (collector: Collector, asked: ReadonlySet<string>, deadlineMs: number): Report => {
  const { clock, systems, store } = collector;
  const findings = collector.findings();
  const late = `no answer within ${Math.round(deadlineMs / 1000)} s`;
  const lines = systems.flatMap((system) =>
    system.probes
      .filter((probe) => probe.everyMs > 0)
      .flatMap((probe) => store.sources(probe.id))
      .map((source) => readingLine(system.id, source, asked, clock.mono(), late)),
  );
  const unreadable = systems.flatMap((system) => {
    const sources = system.probes.flatMap((probe) => store.sources(probe.id));
    const reason = lines.find((one) => one.system === system.id && one.error)?.error?.message;
    return isUnread(sources) ? [{ system: system.id, reason: reason ?? late }] : [];
  });
  return {
    document: {
      schema: 1,
      site: collector.site.name,
      at: iso(clock.now()),
      readings: lines,
      findings: findings.map(findingLine),
    },
    findings,
    unreadable,
    // A site where nothing is asked is as unknown as one where nothing answers.
    exitCode: exitCodeOf(findings, unreadable.length > 0 || lines.length === 0),
  };
};

/** 2 before 3 before 1: what hurts users now is known even when something else could not be read. */
export const exitCodeOf = (
  findings: readonly Pick<Finding, 'severity'>[],
  anyUnreadable: boolean,
): 0 | 1 | 2 | 3 => {
  if (findings.some(({ severity }) => severity === 'critical')) return 2;
  if (anyUnreadable) return 3;
  return findings.some(({ severity }) => severity === 'warning') ? 1 : 0;
};

const iso = (at: number): string => new Date(at).toISOString();

const readingLine = (
  system: string,
  source: Source,
  asked: ReadonlySet<string>,
  mono: number,
  late: string,
): ReadingLine => {
  const { probe, host, good, failure } = source;
  const wasAsked = asked.has(`${probe} ${host}`);
  const missed = wasAsked && (failure?.kind === 'cancelled' || (source.state === 'never' && !failure));
  const error = missed ? { kind: 'timeout' as const, message: `${host}: ${probe}: ${late}` } : failure;
  return {
    system,
    probe,
    host,
    state: missed ? 'failed' : source.state === 'never' ? 'notAsked' : source.state,
    ...(good && {
      at: iso(good.at),
      ageMs: Math.round(mono - good.mono),
      durationMs: Math.round(good.durationMs),
    }),
    notUnderstood: good?.notUnderstood ?? 0,
    ...(error && { error: { kind: error.kind, message: error.message } }),
  };
};

const findingLine = (finding: RankedFinding): FindingLine => {
  const { id, system, kind, severity, subject, members, suspects, advice, explainedBy, worst, acked } =
    finding;
  return {
    id,
    system,
    kind,
    severity,
    subject,
    ...known({ members }),
    summary: textOf(finding.summary),
    ...(advice && { advice: textOf(advice) }),
    ...known({ suspects }),
    evidence: finding.evidence.map(({ at, ...rest }) => ({
      ...rest,
      text: textOf(rest.text),
      ...(at !== undefined && { at: iso(at) }),
    })),
    hurt: finding.hurt,
    since: iso(finding.since),
    sinceIs: finding.sinceIs ?? 'began',
    remedies: finding.remedies,
    ...known({ explainedBy, worst }),
    ...(acked && {
      acknowledged: { by: acked.who, at: iso(acked.at), until: iso(acked.until), text: acked.text },
    }),
  };
};
