import { findingsOf } from '../../../src/kit/findings.ts';
import type { Carried } from '../../../src/model/dependency.ts';
import type { KernelLine } from '../../../src/model/fact.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { linesOfKinds, type LineKind } from '../../../src/kit/kernel-log.ts';

const DAY_MS = 24 * 3_600_000;
/** What a kernel said longer ago is not known to be so any more. */
const KEEP_MS = 30 * 60_000;

/** Words as the kernel prints them (fs/nfs, fs/lockd). */
const kinds: readonly LineKind[] = [
  { kind: 'lockd', pattern: /\blockd: cannot (?:un)?monitor \S+|lockd: server \S+ not responding/i },
  { kind: 'nfs', pattern: /\bnfs: server \S+ (?:not responding|OK)|NFS: .*(?:timed out|stale)/i },
];

/** What the kernel of a host said of NFS, and when it was asked. */
export interface Said {
  host: string;
  at: number;
  probe: string;
  lines: readonly (KernelLine & { kind: string })[];
}

export const kernelLinesOf = (host: string, { facts }: Judgement): Said | undefined => {
  const value = facts.find('host.kernel', { kind: 'host', id: host })?.value;
  return value && { ...value, host, lines: linesOfKinds(value.lines, kinds) };
};

const serverOf = (line: string): string | undefined =>
  /(?:server|monitor) (\S+?)[,:]?(?: |$)/.exec(line)?.[1];

const proofOf = ({ host, probe }: Said, { at, text }: KernelLine): EvidenceDraft => ({
  text,
  probe,
  host,
  ...(at !== undefined && { at }),
});

const findingOf = findingsOf('nfs');

const make = (
  said: Said,
  words: Pick<FindingDraft, 'kind' | 'summary' | 'advice'>,
  lines: readonly KernelLine[],
  what: Carried,
): FindingDraft => {
  const subject = { kind: 'host', id: said.host } as const;
  const from = [...new Set(lines.flatMap((line) => serverOf(line.text) ?? []))];
  return findingOf({
    ...words,
    key: said.host,
    severity: 'warning',
    subject,
    evidence: lines.slice(-10).map((line) => proofOf(said, line)),
    lacks: [{ what, of: [subject], from: from.map((id) => ({ kind: 'host', id })) }],
    since: lines.find(({ at }) => at !== undefined)?.at,
  });
};

/** Locks that were refused lately: a line of last week says nothing about tonight, one without a time may be of now. */
const refusedLocks = (said: Said): FindingDraft[] => {
  const locks = said.lines.filter(
    ({ kind, text, at = said.at }) => kind === 'lockd' && /monitor/.test(text) && said.at - at < DAY_MS,
  );
  if (locks.length === 0) return [];
  const last = locks.findLast(({ at }) => at !== undefined)?.at;
  const when = last === undefined ? '' : `, last at ${clockTime(last, said.at)}`;
  const words = {
    kind: 'lockd',
    summary: `${said.host}: NFS locks refused${when}: rpc.statd does not answer lockd`,
    advice:
      'NFSv3 only: see whether rpc.statd runs ("rpcinfo -p", program 100024); restart rpc-statd, then try a lock again.',
  };
  return [make(said, words, locks, 'reach')];
};

const silentServers = (said: Said): FindingDraft[] => {
  const servers = new Map<string, KernelLine>();
  for (const line of said.lines.filter(({ kind }) => kind === 'nfs')) {
    const server = serverOf(line.text);
    if (server === undefined) continue;
    if (line.text.trim().endsWith(' OK')) servers.delete(server);
    else servers.set(server, line);
  }
  if (servers.size === 0) return [];
  const words = {
    kind: 'nfs',
    summary: `${said.host}: NFS server ${[...servers.keys()].join(', ')} does not answer (kernel log)`,
    advice: 'Ping the server with large packets too; check the links on the way for errors.',
  };
  return [make(said, words, [...servers.values()], 'data')];
};

/** What lines prove that a person asked for: of hosts whose mounts are not read themselves. */
export const kernelLineFindings = (judgement: Judgement): readonly FindingDraft[] =>
  judgement.facts.list('host.kernel').flatMap(({ subject, value }) => {
    if (judgement.readings.source('nfs.client', subject.id)?.state === 'fresh') return [];
    const said = judgement.now - value.at < KEEP_MS ? kernelLinesOf(subject.id, judgement) : undefined;
    return said ? [...refusedLocks(said), ...silentServers(said)] : [];
  });
