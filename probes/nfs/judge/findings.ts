import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import type { CallsReading, ClientReading, ServerReading } from '../readings.ts';
import { connectionFindings } from './connections.ts';
import { hungFindings } from './find-hung.ts';
import { kernelLineFindings } from './find-kernel-lines.ts';
import { listingFindings } from './find-listing.ts';
import { lockFindings } from './find-locks.ts';
import { mountFindings } from './find-mounts.ts';
import { serverFindings } from './find-server.ts';
import { slowFindings } from './rtt.ts';
import { freshValue, hostSubject } from './servers.ts';
import { versionFindings } from './find-version.ts';

const findingOf = findingsOf('nfs');

/** Parts of an answer that could not be read, and what is not known for it; one notice for all hosts that say the same. */
const unreadParts: Readonly<Record<string, string>> = {
  stats: 'statistics of mounts',
  waiting: 'processes that wait',
  sockets: 'sockets of port 2049',
  volumes: 'superblocks of NFS',
  threads: 'number of nfsd threads',
  pools: 'requests that nfsd took',
  workers: 'state of nfsd threads',
  exports: 'what is exported',
  clients: 'clients of NFSv4',
};

const unreadFindings = ({ readings }: Judgement): FindingDraft[] => {
  const sources: readonly Source<{ unread: Readonly<Record<string, string>> }>[] = [
    ...readings.sources<ClientReading>('nfs.client'),
    ...readings.sources<ServerReading>('nfs.server'),
  ];
  const parts = sources.flatMap((source) =>
    Object.entries(freshValue(source)?.unread ?? {}).flatMap(([part, why]) =>
      unreadParts[part] === undefined ? [] : [{ source, part, why }],
    ),
  );
  const noTool = readings.sources<CallsReading>('nfs.calls').flatMap((source) =>
    (freshValue(source)?.calls ?? [])
      .filter(({ state }) => state === 'noTool')
      .slice(0, 1)
      .map(({ text }) => ({ source, part: 'calls', why: text ?? 'rpcinfo is not there' })),
  );
  return [...Map.groupBy([...parts, ...noTool], ({ part }) => part)].map(([part, group]) => {
    const hosts = group.map(({ source }) => source.host);
    const what = unreadParts[part] ?? 'whether servers answer calls';
    return findingOf({
      kind: 'part-unread',
      key: part,
      severity: 'notice',
      subject: hosts.length === 1 ? hostSubject(hosts[0] ?? '') : { kind: 'site', id: fold(hosts) },
      members: hosts.map(hostSubject),
      summary: `${fold(hosts)}: ${what} not known: ${group[0]?.why ?? ''}`,
      evidence: group.slice(0, 5).map(({ source, why }) => evidenceFrom(source, why)),
      suspects: [{ subject: hostSubject(hosts[0] ?? ''), cause: 'not-read', confidence: 'high' }],
    });
  });
};

/** Everything wrong with NFS. A server on which clients hang already says why: no second finding says the same of it. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => {
  const hung = hungFindings(judgement);
  const hungMounts = new Set(
    hung.filter(({ kind }) => kind === 'mount-hung').map(({ subject }) => subject.id),
  );
  const isTold = ({ kind, subject }: FindingDraft): boolean =>
    (kind === 'nfsd-stopped' || kind === 'threads-exhausted') && hungMounts.has(subject.id);
  return [
    ...hung,
    ...versionFindings(judgement),
    ...serverFindings(judgement).filter((finding) => !isTold(finding)),
    ...lockFindings(judgement),
    ...slowFindings(judgement),
    ...connectionFindings(judgement),
    ...mountFindings(judgement),
    ...listingFindings(judgement),
    ...kernelLineFindings(judgement),
    ...unreadFindings(judgement),
  ];
};
