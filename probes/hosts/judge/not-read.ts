import { failingSince, findingsOf } from '../../../src/kit/findings.ts';
import { NOT_READ, type EvidenceDraft, type FindingDraft } from '../../../src/model/finding.ts';
import type { Facts } from '../../../src/model/fact.ts';
import type { FailureKind, Readings, Source } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { reasonOf } from '../../../src/text/said.ts';
import { MANY, TOLD, unreachedHosts } from './unreached.ts';

/** What one system could not read on one host. */
interface Unread {
  system: string;
  host: string;
  sources: readonly Source[];
  /** How many are asked there for this system. */
  asked: number;
}

const systemOf = ({ probe }: Pick<Source, 'probe'>): string => probe.split('.')[0] ?? probe;

/**
 * A warning for each system and host of which a part could not be read or understood, or one that names them all where many fail alike:
 * what nobody knows is never fine. A host that can't be reached at all has a finding of its own.
 */
export const notReadFindings = (readings: Readings, facts: Facts): readonly FindingDraft[] => {
  const sources = readings.listUnread();
  if (sources.length === 0) return [];
  const gone = new Set(unreachedHosts(readings).map(({ host }) => host));
  // A host that is being switched off as planned ends what it is asked in the middle.
  const isDue = ({ host, failure }: Source): boolean =>
    !gone.has(host) && !(failure && silent.has(failure.kind) && whyPlannedOff(host, facts) !== undefined);
  const unread = unreadParts(sources.filter(isDue), readings);
  const alike = Map.groupBy(unread, (one) => `${one.system} ${one.sources.map(complaintOf).join(' ')}`);
  return [...alike.values()].flatMap((group) =>
    group.length >= MANY ? [findingOfGroup(group)] : group.map(findingOfOne),
  );
};

const unreadParts = (sources: readonly Source[], readings: Readings): readonly Unread[] =>
  [...Map.groupBy(sources, ({ host }) => host)].flatMap(([host, ofHost]) =>
    [...Map.groupBy(ofHost, systemOf)].map(([system, own]) => ({
      system,
      host,
      sources: own,
      asked: readings
        .listOnHost(host)
        .filter((one) => systemOf(one) === system && one.askedAt !== undefined && one.everyMs > 0).length,
    })),
  );

/** Hosts are alike when the same sources fail in the same way. */
const complaintOf = ({ probe, failure }: Source): string =>
  [probe, failure?.kind ?? 'lines', failure?.code ?? ''].filter((part) => part !== '').join(':');

/** Ways to fail in which the host itself may be away: whatever takes its reach explains them. */
const silent: ReadonlySet<FailureKind> = new Set(['connect', 'timeout', 'lost', 'abandoned', 'cancelled']);

const saidOf = ({ failure, good }: Source): string =>
  failure ? reasonOf(failure) : `${count(good?.notUnderstood ?? 0, 'line')} not understood`;

const proofOf = (source: Source): EvidenceDraft => {
  const { probe, host, failure, good } = source;
  return {
    text: `${probe}: ${saidOf(source)}`,
    probe,
    host,
    values: failure ? { failed: failure.kind } : { notUnderstood: good?.notUnderstood ?? 0 },
    ...(good && { at: good.at }),
  };
};

/** What findings of one host and of many have in common. */
const findCommon = (hosts: readonly string[], sources: readonly Source[]) => {
  const subjects = hosts.map((id): Subject => ({ kind: 'host', id }));
  return {
    kind: NOT_READ,
    severity: 'warning' as const,
    suspects: subjects
      .slice(0, TOLD)
      .map((subject) => ({ subject, cause: NOT_READ, confidence: 'high' as const })),
    evidence: sources.slice(0, TOLD).map(proofOf),
    advice: '`faultline doctor` asks the same and says what is refused; the raw answers are its evidence.',
    ...failingSince(sources),
    ...(sources.every(({ failure }) => failure && silent.has(failure.kind)) && {
      lacks: [{ what: 'reach' as const, of: subjects }],
    }),
  };
};

/** `3 of 6 readings failed`, `1 of 6 readings in part`. */
const howMuch = ({ sources, asked }: Unread): string => {
  const failed = sources.filter(({ failure }) => failure).length;
  const of = `of ${count(Math.max(asked, sources.length), 'reading')}`;
  return failed > 0 ? `${failed} ${of} failed` : `${sources.length} ${of} read in part`;
};

/** The worst is said first: what failed before what was read in part. */
const byFailure = (sources: readonly Source[]): readonly Source[] =>
  sources.toSorted((a, b) => Number(a.failure === undefined) - Number(b.failure === undefined));

const findingOfOne = (unread: Unread): FindingDraft => {
  const { system, host } = unread;
  const sources = byFailure(unread.sources);
  const [first] = sources;
  return findingsOf(system)({
    ...findCommon([host], sources),
    key: host,
    subject: { kind: 'host', id: host },
    summary: `${host}: ${howMuch(unread)}: ${first ? saidOf(first) : ''}`,
  });
};

const findingOfGroup = (group: readonly Unread[]): FindingDraft => {
  const [first] = group;
  const hosts = group.map(({ host }) => host);
  const system = first?.system ?? '';
  const sources = byFailure(group.flatMap((one) => one.sources));
  const probes = [...new Set(sources.map(({ probe }) => probe))];
  return findingsOf(system)({
    ...findCommon(hosts, sources),
    // Groups that differ only in how they fail are findings of their own.
    key: [...new Set(sources.map(complaintOf))].toSorted().join('+'),
    subject: { kind: 'site', id: fold(hosts) },
    members: hosts.map((id): Subject => ({ kind: 'host', id })),
    summary: `${count(hosts.length, 'host')}: ${probes.join(', ')} not read (${sources[0] ? saidOf(sources[0]) : ''}): ${fold(hosts)}`,
  });
};

/** Why a host need not answer just now (reboot on order, power saving, maintenance); undefined where it should. */
export const whyPlannedOff = (host: string, facts: Facts): string | undefined =>
  facts.find('node.off', { kind: 'node', id: host })?.value.why;
