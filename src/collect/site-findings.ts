import type { ConnectFailureKind } from '../model/answer.ts';
import type { Failure, Source } from '../model/reading.ts';
import type { Finding } from '../model/finding.ts';
import { fold } from '../text/nodeset.ts';
import { cut } from '../text/width.ts';
import { SUMMARY } from './planned.ts';
import type { Store } from './store.ts';

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

interface Unreached {
  host: string;
  failure: Failure;
  since: number | undefined;
  probe: string;
}

/**
 * Hosts that none of their probes reached since one could not: a warning each (design.md section 4), or one that names them all when many fail
 * in the same way.
 */
export const unreachableHosts = (store: Pick<Store, 'unreached' | 'ofHost'>): readonly Finding[] => {
  const unreached = [...store.unreached()].flatMap((name) => unreachedHost(name, store.ofHost(name)));
  return [...Map.groupBy(unreached, ({ failure }): ConnectFailureKind => failure.connect ?? 'other')].flatMap(
    ([kind, group]) => (group.length >= MANY ? [together(kind, group)] : group.map(alone)),
  );
};

const unreachedHost = (host: string, sources: readonly Source[]): Unreached[] => {
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

const alone = ({ host, failure, since, probe }: Unreached): Finding => ({
  id: `site:host-unreachable:${host}`,
  system: 'site',
  kind: 'host-unreachable',
  severity: 'warning',
  subject: { kind: 'host', id: host },
  summary: cut(`${host} can't be asked: ${failure.message.replace(`${host}: `, '')}`, SUMMARY),
  evidence: [{ text: failure.message, probe, host, ...(since !== undefined && { at: since }) }],
  breaks: [{ what: 'reach', of: [{ kind: 'host', id: host }] }],
  lacks: [{ what: 'reach', of: [{ kind: 'host', id: host }] }],
  hurt: {},
  remedies: [],
  ...(since !== undefined && { since }),
});

const together = (kind: ConnectFailureKind, group: readonly Unreached[]): Finding => {
  const hosts = group.map((one) => one.host);
  const starts = group.flatMap((one) => one.since ?? []);
  return {
    id: `site:hosts-unreachable:${kind}`,
    system: 'site',
    kind: 'hosts-unreachable',
    severity: 'warning',
    subject: { kind: 'site', id: fold(hosts) },
    members: hosts.map((id) => ({ kind: 'host', id })),
    summary: cut(`${hosts.length} hosts can't be asked, all alike (${WORDS[kind]}): ${fold(hosts)}`, SUMMARY),
    breaks: [{ what: 'reach', of: hosts.map((id) => ({ kind: 'host', id })) }],
    lacks: [{ what: 'reach', of: hosts.map((id) => ({ kind: 'host', id })) }],
    evidence: group.slice(0, 20).map(({ failure, host, probe }) => ({ text: failure.message, host, probe })),
    hurt: {},
    remedies: [],
    ...(starts.length > 0 && { since: Math.min(...starts) }),
  };
};

/** A system whose judgement throws: the others go on, and the screen says so. */
export const bugFinding = (system: string, title: string, what: string, error: unknown): Finding => {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 6) : [];
  return {
    id: `site:bug:${system}`,
    system: 'site',
    kind: 'bug',
    severity: 'warning',
    subject: { kind: 'site', id: system },
    summary: cut(`${title}: a fault in Faultline's own ${what}: ${message}`, SUMMARY),
    advice: 'Readings go on; what this system would say is missing. Report it with the lines below.',
    evidence: [message, ...stack].map((text) => ({ text })),
    hurt: {},
    remedies: [],
  };
};
