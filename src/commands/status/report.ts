import type { Collector } from '../../collect/collector.ts';
import type { EvidenceDraft, Finding, FindingDraft, RankedFinding } from '../../model/finding.ts';
import type { FailureKind, Source } from '../../model/reading.ts';
import type { Severity } from '../../model/subject.ts';
import type { System } from '../../model/system.ts';
import { dropUndefined } from '../../kit/known.ts';
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
  /** Who took it, where that was not this program. */
  sampledBy?: string;
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
  /** Probes that the caller left out, and how. */
  leftOut: readonly { how: 'quick' | 'readOnly'; probes: readonly string[] }[];
  exitCode: 0 | 1 | 2 | 3;
}

/** What was asked, what came and what it means. `asked` are the keys of the sources that were asked. */
export const reportOf = (
  collector: Collector,
  asked: ReadonlySet<string>,
  deadlineMs: number,
  quick = false,
): Report => {
  const { clock, systems, store } = collector;
  const findings = collector.findings();
  const late = `no answer within ${Math.round(deadlineMs / 1000)} s`;
  const off = hostsOff(systems, findings);
  const lines = systems.flatMap((system) =>
    system.probes
      .filter((probe) => probe.everyMs > 0)
      .flatMap((probe) => store.sources(probe.id))
      .filter((source) => source.everyMs > 0)
      .map((source) => readingLine(system.id, source, { asked, off, mono: clock.mono(), late })),
  );
  const unreadable = systems.flatMap(({ id, onlyFacts }) => {
    if (onlyFacts) return [];
    const own = lines.filter(({ system }) => system === id);
    return isUnreadable(own, store.listUnreached(), off)
      ? [{ system: id, reason: reasonOf(own) ?? late }]
      : [];
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
    leftOut: leftOut(collector, quick),
    // A site where nothing is asked is as unknown as one where nothing answers.
    exitCode: exitCodeOf(findings, unreadable.length > 0 || lines.length === 0),
  };
};

const leftOut = ({ systems, store }: Collector, quick: boolean): Report['leftOut'] => {
  const probes = systems.flatMap((system) => system.probes).filter(({ everyMs }) => everyMs > 0);
  const blocked = probes.filter(({ id }) =>
    store.sources(id).some(({ failure }) => failure?.kind === 'readOnly'),
  );
  const causes = probes.filter(({ id, tellsCause }) => quick && tellsCause && store.sources(id).length > 0);
  const all: Report['leftOut'] = [
    { how: 'readOnly', probes: blocked.map(({ id }) => id) },
    { how: 'quick', probes: causes.map(({ id }) => id) },
  ];
  return all.filter((one) => one.probes.length > 0);
};

/** Hosts of which those who watch all of them say no more than a notice, although they don't answer: planned work, or switched off by a scheduler. */
const hostsOff = (systems: readonly System[], findings: readonly RankedFinding[]): ReadonlySet<string> => {
  const watchers = new Set(systems.flatMap(({ id, watchesAll }) => (watchesAll ? [id] : [])));
  return new Set(
    findings
      .filter(({ system, severity }) => watchers.has(system) && severity === 'notice')
      .flatMap(({ subject, members = [subject] }) => members.map(({ id }) => id)),
  );
};

/** Nothing came of all that was asked, or would have been if its host could be reached. */
const isUnreadable = (
  lines: readonly ReadingLine[],
  unreached: ReadonlySet<string>,
  off: ReadonlySet<string>,
): boolean => {
  const due = lines.filter(
    ({ state, host }) => state !== 'notAsked' || (unreached.has(host) && !off.has(host)),
  );
  return due.length > 0 && due.every(({ state }) => state === 'failed' || state === 'notAsked');
};

const reasonOf = (lines: readonly ReadingLine[]): string | undefined =>
  lines.find(({ state, error }) => state === 'failed' && error)?.error?.message;

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

interface Circumstances {
  asked: ReadonlySet<string>;
  /** Hosts that are off as planned. */
  off: ReadonlySet<string>;
  mono: number;
  late: string;
}

const readingLine = (
  system: string,
  source: Source,
  { asked, off, mono, late }: Circumstances,
): ReadingLine => {
  const { probe, host, good, failure } = source;
  const wasAsked = asked.has(`${probe} ${host}`);
  const missed = wasAsked && (failure?.kind === 'cancelled' || (source.state === 'never' && !failure));
  const error = missed ? { kind: 'timeout' as const, message: `${host}: ${probe}: ${late}` } : failure;
  const isOff = failure?.kind === 'connect' && off.has(host);
  return {
    system,
    probe,
    host,
    state: isOff || (source.state === 'never' && !missed) ? 'notAsked' : missed ? 'failed' : source.state,
    ...(good && {
      at: iso(good.at),
      ageMs: Math.round(mono - good.mono),
      durationMs: Math.round(good.durationMs),
      ...(good.sample && { sampledBy: good.sample.by }),
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
    ...dropUndefined({ members }),
    summary: textOf(finding.summary),
    ...(advice && { advice: textOf(advice) }),
    ...dropUndefined({ suspects }),
    evidence: finding.evidence.map((line) => {
      // Where a console opens the answer is no part of the document.
      const { at, words: _, ...rest } = line;
      return { ...rest, text: textOf(rest.text), ...(at !== undefined && { at: iso(at) }) };
    }),
    hurt: finding.hurt,
    since: iso(finding.since),
    sinceIs: finding.sinceIs ?? 'began',
    remedies: finding.remedies,
    ...dropUndefined({ explainedBy, worst }),
    ...(acked && {
      acknowledged: { by: acked.who, at: iso(acked.at), until: iso(acked.until), text: acked.text },
    }),
  };
};
