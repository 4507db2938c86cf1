import { findingsOf } from '../../../src/kit/findings.ts';
import type { ConnectFailureKind } from '../../../src/model/answer.ts';
import type { Facts } from '../../../src/model/fact.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Readings } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { reasonOf } from '../../../src/text/said.ts';
import { notReadFindings, whyPlannedOff } from './not-read.ts';
import { adviceFor } from './unreached-advice.ts';
import { MANY, TOLD, unreachedHosts, type UnreachedHost } from './unreached.ts';

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

/** All that could not be asked or read: hosts that are not reached, and what failed or was not understood on those that are. */
export const findings = ({
  readings,
  facts,
  doubts = [],
}: Pick<Judgement, 'readings' | 'facts' | 'doubts'>): readonly FindingDraft[] => [
  ...unreachedFindings(readings, facts),
  ...notReadFindings(readings, facts),
  ...(doubts.length === 0 ? [] : [foreignLines(doubts)]),
];

/** A warning for each host that SSH does not reach, or one that names them all when many fail in the same way; of hosts that are off as planned a notice. */
const unreachedFindings = (readings: Readings, facts: Facts): readonly FindingDraft[] => {
  const alike = Map.groupBy(
    unreachedHosts(readings),
    (one) => `${one.failure.connect ?? 'other'} ${whyOff(one, facts) ?? ''}`,
  );
  return [...alike.values()].flatMap((group) => {
    const why = group[0] && whyOff(group[0], facts);
    return group.length >= MANY ? [findingOfGroup(group, why)] : group.map((one) => findingOfOne(one, why));
  });
};

/** How a host fails that is switched off or boots: nothing answers there. A wrong key or a refused login is said by something that runs. */
const silences: ReadonlySet<ConnectFailureKind | undefined> = new Set([
  'unreachable',
  'dns',
  'noBanner',
  'timeout',
] as const);

const whyOff = ({ host, failure }: UnreachedHost, facts: Facts): string | undefined =>
  silences.has(failure.connect) ? whyPlannedOff(host, facts) : undefined;

const findingOf = findingsOf('hosts');

/** Who is not reached takes along what hangs on it, and may hang on something that is gone. */
const outOfReach = (
  hosts: readonly string[],
  off: string | undefined,
  kind: ConnectFailureKind | undefined,
) => {
  const subjects = hosts.map((id) => ({ kind: 'host' as const, id }));
  const lost = [{ what: 'reach' as const, of: subjects }];
  return {
    severity: off === undefined ? ('warning' as const) : ('notice' as const),
    breaks: lost,
    lacks: lost,
    ...(off === undefined && {
      advice: adviceFor(kind, hosts.length),
      suspects: subjects
        .slice(0, TOLD)
        .map((subject) => ({ subject, cause: 'host-unreachable', confidence: 'medium' as const })),
    }),
  };
};

const plannedText = (off: string | undefined): string => (off === undefined ? '' : `, as planned (${off})`);

const findingOfOne = (
  { host, failure, since, isOlder, probe }: UnreachedHost,
  off: string | undefined,
): FindingDraft =>
  findingOf({
    ...outOfReach([host], off, failure.connect),
    kind: 'host-unreachable',
    key: host,
    subject: { kind: 'host', id: host },
    summary: `${host} unreachable by SSH${plannedText(off)}: ${reasonOf(failure)}`,
    evidence: [{ text: failure.message, probe, host, ...(since !== undefined && { at: since }) }],
    since,
    ...(isOlder && { sinceIs: 'seen' as const }),
  });

const findingOfGroup = (group: readonly UnreachedHost[], off: string | undefined): FindingDraft => {
  const kind = group[0]?.failure.connect ?? 'other';
  const hosts = group.map(({ host }) => host);
  const starts = group.flatMap(({ since }) => since ?? []);
  return findingOf({
    ...outOfReach(hosts, off, kind),
    kind: 'hosts-unreachable',
    key: off === undefined ? kind : `${kind}:${off}`,
    subject: { kind: 'site', id: fold(hosts) },
    members: hosts.map((id) => ({ kind: 'host', id })),
    summary: `${hosts.length} hosts unreachable by SSH${kind === 'unreachable' ? '' : ` (${WORDS[kind]})`}${plannedText(off)}: ${fold(hosts)}`,
    evidence: group
      .slice(0, TOLD)
      .map(({ failure, host, probe }) => ({ text: failure.message, host, probe })),
    since: starts.length > 0 ? Math.min(...starts) : undefined,
    ...(group.some(({ isOlder }) => isOlder) && { sinceIs: 'seen' as const }),
  });
};

/** The shared folder is of no system: what is odd in it stands with the hosts. */
const foreignLines = (doubts: readonly string[]): FindingDraft =>
  findingOf({
    kind: 'shared-lines',
    key: 'shared',
    severity: 'warning',
    subject: { kind: 'site', id: 'shared' },
    summary: 'shared folder: lines that no console wrote',
    advice: 'Find who wrote them and remove them from events.jsonl; times in the future count as now.',
    evidence: doubts.map((text) => ({ text })),
  });
