import type { Fact } from '../../src/model/fact.ts';
import { mountPlace } from '../../src/model/subject.ts';
import type { Judgement, System } from '../../src/model/system.ts';
import { nfsProbes } from './ask/probes.ts';
import { causes } from './causes.ts';
import { findings } from './judge/findings.ts';
import { tracks } from './judge/rtt.ts';
import { hostSubject, serversOf, subjectOf } from './judge/servers.ts';
import { CLIENT, LOGIN, nfsSettings, SERVER } from './settings.ts';
import { detail } from './view/detail.ts';
import { view } from './view/pane.ts';

const facts = (judgement: Judgement): readonly Fact[] => [
  ...clientFacts(judgement),
  ...mountFacts(judgement),
];

/** Of each path the server, where all clients that mount something there mount it from the same. */
const mountFacts = (judgement: Judgement): Fact[] => {
  const servers = new Map<string, Set<string>>();
  for (const server of serversOf(judgement))
    for (const { mounts } of server.clients)
      for (const { mount } of mounts)
        servers.set(mount, (servers.get(mount) ?? new Set()).add(subjectOf(server).id));
  return [...servers].flatMap(([mount, [server, ...others]]) =>
    server === undefined || others.length > 0
      ? []
      : { name: 'depends', subject: mountPlace(mount), value: { on: hostSubject(server), carries: 'data' } },
  );
};

/** Clients get their data from the servers that they mount. */
const clientFacts = (judgement: Judgement): Fact[] =>
  serversOf(judgement).flatMap(({ host, clients }) =>
    host === undefined
      ? []
      : clients
          .filter((client) => client.host !== host)
          .map((client): Fact => ({
            name: 'depends',
            subject: hostSubject(client.host),
            value: { on: hostSubject(host), carries: 'data' },
          })),
  );

/** NFS: mounts that hang, seen without touching them, and the servers and daemons behind them. */
export const nfs: System = {
  id: 'nfs',
  title: 'NFS',
  roles: [CLIENT, SERVER, LOGIN],
  settings: nfsSettings,
  formerly: { findings: { 'site:lockd': 'nfs:lockd', 'site:nfs': 'nfs:nfs' } },
  tools: {
    [CLIENT]: { commands: ['awk', 'ps', 'ss', 'timeout', 'rpcinfo'] },
    [SERVER]: { commands: ['awk', 'ps', 'ss', 'timeout', 'rpcinfo', 'exportfs', 'find'], root: true },
    [LOGIN]: { commands: ['awk', 'find', 'timeout', 'ls', 'df', 'cksum'] },
  },
  probes: nfsProbes,
  publishes: ['depends'],
  needs: ['host.kernel', 'node.busy'],
  facts,
  findings,
  causes,
  track: tracks,
  view,
  detail,
};
