import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { groupThousands } from '../../../src/text/units.ts';
import type { ClientReading } from '../readings.ts';
import { type Client, freshValue, hostSubject, type Server, serversOf, subjectOf } from './servers.ts';

const findingOf = findingsOf('nfs');

/** `10.9.0.21:973` and `[fd00::21]:973`, as `ss` prints them, without their port. IPv4 in IPv6 is the same host. */
export const addressOfSocket = (socket: string): string =>
  socket
    .replace(/:\d{1,5}$/, '')
    .replaceAll(/[[\]]/g, '')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '');

const stuckSockets = ({ source, mounts }: Client): NonNullable<ClientReading['sockets']> => {
  const addresses = new Set(mounts.filter(({ stuck }) => stuck).map(({ addr, server }) => addr ?? server));
  return (freshValue(source)?.sockets ?? []).filter(({ peer }) => addresses.has(addressOfSocket(peer)));
};

/**
 * A segment sent again so often was lost on the way each time. Where the server only takes nothing in, its window is full and the timer
 * is `persist` (ss(8); tcp(7)).
 */
const LOST_TIMES = 3;

/** Whether a connection stands and what is sent on it does not come through. */
export const isLosingPackets = (client: Client): boolean =>
  stuckSockets(client).some(
    ({ state, sendQ, retransmits = 0 }) => state === 'ESTAB' && sendQ > 0 && retransmits >= LOST_TIMES,
  );

/** What TCP of a client says of a server that does not answer: whether its host takes in what is sent. */
export const connectionProofs = (client: Client): EvidenceDraft[] => {
  const { source } = client;
  return stuckSockets(client)
    .slice(0, 2)
    .flatMap(({ state, sendQ, peer, retransmits = 0 }) => {
      if (state === 'SYN-SENT')
        return evidenceFrom(source, `no connection to ${peer}: nothing answers the first packet`);
      if (state !== 'ESTAB') return [];
      return evidenceFrom(
        source,
        sendQ > 0
          ? `${groupThousands(sendQ)} bytes to ${peer} are not acknowledged${retransmits > 0 ? `, sent again ${retransmits} times` : ''}: its host or the way to it`
          : `the host of ${peer} acknowledges all that is sent: it is NFS there that does not answer`,
      );
    });
};

/** So many in one interval of half a minute are no idle connection that was closed: that takes five minutes (`XS_IDLE_DISC_TO` of sunrpc). */
const REPEATED = 3;

/** How often a client reconnected to a server since its reading before. Mounts of one server and version share a connection. */
const reconnectsOf = ({ source, mounts }: Client): number => {
  const before = new Map(
    (source.before[0]?.value.mounts ?? []).map((mount) => [`${mount.mount} ${mount.source}`, mount]),
  );
  const rises = mounts.flatMap((mount) =>
    mount.transports.flatMap(({ connects, srcPort, proto }, at) => {
      const old = before.get(`${mount.mount} ${mount.source}`)?.transports[at];
      return connects === undefined || old?.connects === undefined || old.proto !== proto
        ? []
        : [
            {
              key: `${mount.addr ?? mount.server} ${mount.vers} ${at} ${srcPort}`,
              rise: connects - old.connects,
            },
          ];
    }),
  );
  return [...Map.groupBy(rises, ({ key }) => key).values()].reduce(
    (sum, group) => sum + Math.max(0, ...group.map(({ rise }) => rise)),
    0,
  );
};

const reconnectFinding = (server: Server): FindingDraft[] => {
  // Where requests stand still that is said, with the reason.
  if (server.clients.some(({ stuckSince }) => stuckSince !== undefined)) return [];
  const found = server.clients
    .map((client) => ({ client, times: reconnectsOf(client) }))
    .filter(({ times }) => times >= REPEATED);
  if (found.length === 0) return [];
  const hosts = found.map(({ client }) => client.host);
  const most = Math.max(...found.map(({ times }) => times));
  const few = hosts.length * 2 <= server.clients.length;
  return [
    findingOf({
      kind: 'reconnects',
      key: server.name,
      severity: 'notice',
      subject: few ? hostSubject(hosts[0] ?? server.name) : subjectOf(server),
      members: hosts.map(hostSubject),
      summary: `${server.name}: ${fold(hosts)} reconnected ${most} times since the reading before`,
      advice: few
        ? 'Others keep their connection: a firewall on their way, two hosts of one name, or a port that another mount uses.'
        : 'The server closes them: look at its kernel log (too many connections, allocation failures) and at firewalls.',
      suspects: few
        ? hosts
            .slice(0, 5)
            .map((host) => ({ subject: hostSubject(host), cause: 'link', confidence: 'low' as const }))
        : [{ subject: subjectOf(server), cause: 'link', confidence: 'low' }],
      evidence: found.slice(0, 8).map(({ client, times }) => ({
        ...evidenceFrom(client.source, `${client.host} reconnected ${times} times`),
        about: [hostSubject(client.host)],
        values: { connects: times },
      })),
      hurt: { clients: hosts.length },
    }),
  ];
};

/** Connections that are lost again and again though requests are answered in between. */
export const connectionFindings = (judgement: Judgement): FindingDraft[] =>
  serversOf(judgement).flatMap(reconnectFinding);
