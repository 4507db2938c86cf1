import { findingsOf } from '../../../src/kit/findings.ts';
import type { ConnectFailureKind } from '../../../src/model/answer.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Failure, Readings, Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';

/** From this many hosts on that fail in the same way, one finding names them all. */
const MANY = 5;

const WORDS: Readonly<Record<ConnectFailureKind, string>> = {
  unreachable: 'unreachable',
  dns: 'name not found',
  noBanner: 'no SSH banner',
  notSsh: 'no SSH server there',
  hostKeyUnknown: 'host key unknown',
  hostKeyChanged: 'host key changed',
  hostKeyRevoked: 'host key revoked',
  auth: 'login refused',
  agent: 'no key from the agent',
  sessions: 'no more sessions allowed',
  timeout: 'no answer in time',
  unsupported: 'transport not supported',
  config: 'OpenSSH configuration wrong',
  other: 'other reasons',
};

/** A host that cannot be asked. */
export interface UnreachedHost {
  host: string;
  failure: Failure;
  since: number | undefined;
  probe: string;
}

/** Hosts that none of their probes reached since one could not. */
export const unreachedHosts = (readings: Pick<Readings, 'unreached' | 'ofHost'>): readonly UnreachedHost[] =>
  [...readings.unreached()].flatMap((name) => unreachedHost(name, readings.ofHost(name)));

const unreachedHost = (host: string, sources: readonly Source[]): UnreachedHost[] => {
  const asked = sources.filter((source) => source.askedAt !== undefined && source.state !== 'notAsked');
  const failing = asked.filter((source) => source.failure?.kind === 'connect');
  const [first] = failing;
  const since = failing.map((source) => source.failingSince ?? Infinity);
  const latest = Math.max(...since);
  // What is asked every quarter of an hour still holds its answer of before: it says nothing about now.
  const answered = asked.some(({ failure, good, askedAt }) =>
    failure
      ? failure.kind !== 'connect' && (askedAt ?? 0) >= latest
      : good !== undefined && good.at >= latest,
  );
  if (!first?.failure || answered) return [];
  const earliest = Math.min(...since);
  return [
    {
      host,
      failure: first.failure,
      since: Number.isFinite(earliest) ? earliest : undefined,
      probe: first.probe,
    },
  ];
};

/** A warning for each host that can't be asked, or one that names them all when many fail in the same way. */
export const findings = ({ readings }: Pick<Judgement, 'readings'>): readonly FindingDraft[] => {
  const alike = Map.groupBy(
    unreachedHosts(readings),
    ({ failure }): ConnectFailureKind => failure.connect ?? 'other',
  );
  return [...alike].flatMap(([kind, group]) =>
    group.length >= MANY ? [together(kind, group)] : group.map(alone),
  );
};

const findingOf = findingsOf('hosts');

/** Who is not reached takes along what hangs on it, and may hang on something that is gone. */
const outOfReach = (hosts: readonly string[]) => {
  const lost = [{ what: 'reach' as const, of: hosts.map((id) => ({ kind: 'host' as const, id })) }];
  return { severity: 'warning' as const, breaks: lost, lacks: lost };
};

const alone = ({ host, failure, since, probe }: UnreachedHost): FindingDraft =>
  findingOf({
    ...outOfReach([host]),
    kind: 'host-unreachable',
    key: host,
    subject: { kind: 'host', id: host },
    summary: `${host} can't be asked: ${failure.message.replace(`${host}: `, '')}`,
    evidence: [{ text: failure.message, probe, host, ...(since !== undefined && { at: since }) }],
    since,
  });

const together = (kind: ConnectFailureKind, group: readonly UnreachedHost[]): FindingDraft => {
  const hosts = group.map(({ host }) => host);
  const starts = group.flatMap(({ since }) => since ?? []);
  return findingOf({
    ...outOfReach(hosts),
    kind: 'hosts-unreachable',
    key: kind,
    subject: { kind: 'site', id: fold(hosts) },
    members: hosts.map((id) => ({ kind: 'host', id })),
    summary: `${hosts.length} hosts can't be asked, all alike (${WORDS[kind]}): ${fold(hosts)}`,
    evidence: group.slice(0, 20).map(({ failure, host, probe }) => ({ text: failure.message, host, probe })),
    since: starts.length > 0 ? Math.min(...starts) : undefined,
  });
};
