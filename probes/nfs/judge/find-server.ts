import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import type { ClientMount, ServerReading } from '../readings.ts';
import { readOnlyFindings } from './find-read-only.ts';
import { threadsProofs } from './hang-reasons.ts';
import { isBelow, isFor, knownInWordsOf, ownAddresses } from './export-clients.ts';
import {
  callsTo,
  freshValue,
  hostSubject,
  serversOf,
  subjectOf,
  type Client,
  type Server,
} from './servers.ts';

const findingOf = findingsOf('nfs');

const findStopped = (server: Server, value: ServerReading): FindingDraft[] => {
  if (value.threads !== 0) return [];
  const clients = server.clients.map(({ host }) => host);
  return [
    findingOf({
      kind: 'nfsd-stopped',
      key: server.name,
      severity: clients.length > 0 ? 'critical' : 'notice',
      subject: subjectOf(server),
      members: clients.map(hostSubject),
      summary: `${server.name}: nfsd does not run${clients.length > 0 ? `, ${count(clients.length, 'client')} mount it (${fold(clients)})` : '; nobody is known to mount it'}`,
      advice:
        'Start nfs-server there; clients go on by themselves. Opens and locks wait for the grace period.',
      suspects: [{ subject: subjectOf(server), cause: 'nfsd-stopped', confidence: 'high' }],
      evidence: [evidenceFrom(server.reading, '/proc/fs/nfsd/threads reads 0')],
      hurt: { clients: clients.length },
      breaks: [{ what: 'data', of: [subjectOf(server)] }],
    }),
  ];
};

const findExhausted = (server: Server, value: ServerReading, judgement: Judgement): FindingDraft[] => {
  const proofs = threadsProofs(value, server.reading?.before[0]?.value, callsTo(server, judgement));
  if (proofs.length < 2) return [];
  return [
    findingOf({
      kind: 'threads-exhausted',
      key: server.name,
      severity: 'critical',
      subject: subjectOf(server),
      summary: `${server.name}: all ${value.threads ?? value.workers?.all ?? ''} threads of nfsd are busy, requests wait`,
      advice:
        'Look at the disk below its exports first: threads that wait in a disk are not freed by more threads.',
      suspects: [{ subject: subjectOf(server), cause: 'threads-exhausted', confidence: 'high' }],
      evidence: proofs.map((text) => evidenceFrom(server.reading, text)),
      hurt: { clients: server.clients.length },
      breaks: [{ what: 'data', of: [subjectOf(server)] }],
      remedies:
        server.host === undefined ? [] : [{ action: 'nfs.threads', subjects: [hostSubject(server.host)] }],
    }),
  ];
};

/** Whether a server gives what is mounted. Unsure: NFSv4 where a pseudo root stands before the path, or above any export. */
const isGiven = (
  { export: path, vers }: ClientMount,
  exports: NonNullable<ServerReading['exports']>,
): boolean | undefined => {
  if (exports.some((one) => isBelow(path, one.path))) return true;
  const hasRoot = exports.some(({ options = [] }) =>
    options.some((option) => option === 'fsid=0' || option === 'fsid=root'),
  );
  const isAbove = exports.some((one) => isBelow(one.path, path));
  return vers?.startsWith('4') === true && (hasRoot || isAbove) ? undefined : false;
};

/**
 * Clients that mount what is exported to others alone, as their addresses say. A warning: one behind NAT has another address for the server.
 */
const findExcluded = (server: Server, reading: ServerReading): FindingDraft[] => {
  const { exports, unread, threads } = reading;
  if (exports === undefined || unread['exports'] !== undefined || threads === 0) return [];
  const known = knownInWordsOf(exports, reading.known);
  const excluded = server.clients.flatMap(({ host, mounts, source }) => {
    const addresses = ownAddresses(freshValue(source) ?? {}, server.addresses);
    return mounts.flatMap(({ export: path, mount }) => {
      const rows = exports.filter((one) => isBelow(path, one.path));
      const isOut = rows.length > 0 && rows.every((one) => isFor(one, addresses, known) === false);
      return isOut ? [{ host, path, mount, source, rows, addresses }] : [];
    });
  });
  return [...Map.groupBy(excluded, ({ path }) => path)].map(([path, group]) => {
    const hosts = [...new Set(group.map(({ host }) => host))];
    return findingOf({
      kind: 'export-excludes',
      key: `${server.name}:${path}`,
      severity: 'warning',
      subject: subjectOf(server),
      members: hosts.map(hostSubject),
      summary: `${server.name}:${path} is not exported to ${fold(hosts)}, though mounted there`,
      advice:
        'Users there get "Stale file handle" once the server checks their address again. Compare the addresses with /etc/exports; exportfs -ra puts a change into force.',
      suspects: [
        { subject: subjectOf(server), cause: 'export-withdrawn', confidence: 'medium', values: { path } },
      ],
      evidence: group.slice(0, 5).flatMap(({ source, mount, rows, addresses }) => [
        evidenceFrom(source, `${mount} is mounted, from the address ${addresses.join(', ')}`),
        evidenceFrom(
          server.reading,
          rows
            .slice(0, 6)
            .map((one) => `${one.path} is exported to ${one.client}`)
            .join(', '),
        ),
      ]),
      hurt: { clients: hosts.length },
    });
  });
};

/** The mounts of clients whose export the server's table does not have, for whomever. */
export const withdrawnMounts = (
  server: Server,
): { host: string; path: string; mount: string; source: Client['source'] }[] => {
  const { exports, unread, threads } = freshValue(server.reading) ?? {};
  if (exports === undefined || unread?.['exports'] !== undefined || threads === 0) return [];
  return server.clients.flatMap(({ host, mounts, source }) =>
    mounts
      .filter((mount) => isGiven(mount, exports) === false)
      .map(({ export: path, mount }) => ({ host, path, mount, source })),
  );
};

const findWithdrawn = (server: Server, { exports = [] }: ServerReading): FindingDraft[] => {
  const lost = withdrawnMounts(server);
  return [...Map.groupBy(lost, ({ path }) => path)].map(([path, group]) => {
    const hosts = [...new Set(group.map(({ host }) => host))];
    return findingOf({
      kind: 'export-withdrawn',
      key: `${server.name}:${path}`,
      severity: 'critical',
      subject: subjectOf(server),
      members: hosts.map(hostSubject),
      summary: `${server.name}:${path} is no longer exported: ${count(hosts.length, 'client')} mount it (${fold(hosts)})`,
      advice:
        'Users get "Stale file handle". Look at /etc/exports: everything after a line with an unknown option is withdrawn too. exportfs -ra cures it, without a remount.',
      suspects: [
        { subject: subjectOf(server), cause: 'export-withdrawn', confidence: 'high', values: { path } },
      ],
      evidence: [
        evidenceFrom(
          server.reading,
          `exportfs has ${
            exports.length === 0
              ? 'no export at all'
              : exports
                  .map((one) => one.path)
                  .slice(0, 8)
                  .join(', ')
          }`,
        ),
        ...group
          .slice(0, 5)
          .map(({ source, mount }) =>
            evidenceFrom(source, `${mount} is mounted from ${server.name}:${path}`),
          ),
      ],
      hurt: { clients: hosts.length },
      remedies:
        server.host === undefined
          ? []
          : [{ action: 'nfs.export-again', subjects: [hostSubject(server.host)] }],
    });
  });
};

/** Clients whose lease is over: another may take their locks. */
const courtesy = (server: Server, { clients = [], leaseS }: ServerReading): FindingDraft[] => {
  const late = clients.filter(
    ({ status, renewS }) => status === 'courtesy' || (leaseS !== undefined && (renewS ?? 0) > 2 * leaseS),
  );
  const names = late.map(({ name, address }) => name ?? address ?? 'a client without a name');
  return late.length === 0
    ? []
    : [
        findingOf({
          kind: 'client-silent',
          key: server.name,
          severity: 'notice',
          subject: subjectOf(server),
          summary: `${server.name}: ${count(late.length, 'client')} no longer renew the lease: ${names.slice(0, 3).join(', ')}`,
          advice:
            'They are down or cut off. Their locks are given to whoever asks; on return they lose them (EIO).',
          evidence: late
            .slice(0, 8)
            .map(({ name, address, status, renewS }) =>
              evidenceFrom(
                server.reading,
                `${name ?? address ?? '?'}: ${status ?? 'no status'}, ${renewS ?? '?'} s since the last renewal`,
              ),
            ),
        }),
      ];
};

/** What is wrong of the servers that are asked themselves. */
export const serverFindings = (judgement: Judgement): FindingDraft[] =>
  serversOf(judgement).flatMap((server) => {
    const value = freshValue(server.reading);
    return value
      ? [
          ...findStopped(server, value),
          ...findExhausted(server, value, judgement),
          ...findWithdrawn(server, value),
          ...findExcluded(server, value),
          ...readOnlyFindings(server, value),
          ...courtesy(server, value),
        ]
      : [];
  });
