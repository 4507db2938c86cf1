import { findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { callProof } from './find-hung.ts';
import {
  callsTo,
  findLatest,
  hostSubject,
  serversOf,
  subjectOf,
  type SeenCall,
  type Server,
} from './servers.ts';

const findingOf = findingsOf('nfs');

/** `4` of `4.2`: calls tell versions apart, and no more than that. */
const majorOf = (vers: string | undefined): string => vers?.charAt(0) ?? '3';

/** Everybody who called this version was answered that the server does not have it: RPC's own word (RFC 5531, PROG_MISMATCH). */
const refusals = (calls: readonly SeenCall[], version: string): readonly SeenCall[] => {
  const latest = findLatest(
    calls.filter((call) => String(call.version) === version),
    'nfs',
  );
  return latest.every(({ state }) => state === 'mismatch') ? latest : [];
};

/** Mounts by a version of NFS that their server no longer has: it was started anew with other settings, and they never go on. */
const ofServer = (server: Server, judgement: Judgement): FindingDraft[] => {
  const calls = callsTo(server, judgement);
  const mounts = server.clients.flatMap(({ host, mounts: own }) =>
    own.map(({ mount, vers }) => ({ host, mount, version: majorOf(vers) })),
  );
  return [...Map.groupBy(mounts, ({ version }) => version)].flatMap(([version, group]) => {
    const refused = refusals(calls, version);
    if (refused.length === 0) return [];
    const hosts = [...new Set(group.map(({ host }) => host))];
    const paths = [...new Set(group.map(({ mount }) => mount))];
    const waiting = server.clients
      .filter(({ host }) => hosts.includes(host))
      .flatMap(({ waiters = [] }) => waiters).length;
    return [
      findingOf({
        kind: 'version-off',
        key: `${server.name}:${version}`,
        severity: 'critical',
        subject: subjectOf(server),
        members: hosts.map(hostSubject),
        summary: `${server.name} no longer serves NFSv${version}: ${paths.slice(0, 2).join(', ')}${paths.length > 2 ? ', …' : ''} on ${fold(hosts)}${waiting > 0 ? `; ${count(waiting, 'process waits', 'processes wait')}` : ''}`,
        advice: `Look at [nfsd] of /etc/nfs.conf there (vers${version}) and at when nfsd was started; with the version back clients go on by themselves.`,
        suspects: [{ subject: subjectOf(server), cause: 'version-off', confidence: 'high' }],
        evidence: refused.slice(0, 4).map(callProof),
        hurt: { clients: hosts.length },
        breaks: [{ what: 'data', of: [subjectOf(server)] }],
      }),
    ];
  });
};

export const versionFindings = (judgement: Judgement): FindingDraft[] =>
  serversOf(judgement).flatMap((server) => ofServer(server, judgement));
