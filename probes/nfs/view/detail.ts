import { kernelCells } from '../../../src/kit/kernel-log.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block } from '../../../src/model/view.ts';
import { age } from '../../../src/text/ages.ts';
import { kernelLinesOf } from '../judge/find-kernel-lines.ts';
import { callsTo, freshValue, type Server, serversOf } from '../judge/servers.ts';
import type { ClientReading } from '../readings.ts';
import { listingBlocks } from './listings.ts';

const mountsOf = (value: ClientReading): Block => ({
  type: 'text',
  id: 'nfs-mounts',
  title: 'NFS mounts',
  lines: value.mounts.flatMap(({ mount, source, vers, failMode, addr, transports, leaseExpiredS }) => [
    {
      text: `${mount} from ${source}: version ${vers ?? '?'}, ${failMode ?? '?'}${addr === undefined ? '' : `, ${addr}`}${(leaseExpiredS ?? 0) > 0 ? `, lease over for ${leaseExpiredS} s` : ''}`,
    },
    ...transports.map(({ proto, sends = '?', recvs = '?', connects }) => ({
      text: `  ${proto}: ${sends} requests sent, ${recvs} answered${connects === undefined ? '' : `, ${connects} connects`}`,
    })),
  ]),
});

const waitersOf = (value: ClientReading): Block[] =>
  value.waiting === undefined || value.waiting.all === 0
    ? []
    : [
        {
          type: 'text',
          id: 'nfs-waiting',
          title: `Threads in state D: ${value.waiting.all}, in NFS ${value.waiting.nfs.length}`,
          lines: value.waiting.nfs.slice(0, 30).map(({ pid, comm, wchan, ageS }) => ({
            text: `${pid} ${comm}: waits in ${wchan}, runs for ${age(ageS * 1000)}`,
          })),
        },
      ];

const textBlock = (id: string, title: string, lines: readonly string[]): Block[] =>
  lines.length === 0 ? [] : [{ type: 'text', id, title, lines: lines.map((text) => ({ text })) }];

/** Where requests really go: NFSv4.1 joins a second address of a server to the first, and mountinfo says nothing of it. */
const socketsOf = ({ sockets = [], tasks = {} }: ClientReading): Block[] => [
  ...textBlock(
    'nfs-sockets',
    'Connections to servers',
    sockets
      .filter(({ peer, state }) => peer.endsWith(':2049') && state !== 'TIME-WAIT')
      .slice(0, 40)
      .map(
        ({ local, peer, state, sendQ }) =>
          `${local} to ${peer}: ${state}${sendQ > 0 ? `, ${sendQ} bytes not acknowledged` : ''}`,
      ),
  ),
  ...textBlock(
    'nfs-tasks',
    'Requests that the kernel works on',
    Object.entries(tasks)
      .filter(([address, all]) => all > 0 && !address.startsWith('/'))
      .map(([address, all]) => `${address}: ${all}`),
  ),
];

const serverBlocks = (server: Server | undefined, judgement: Judgement): Block[] => {
  const reading = freshValue(server?.reading);
  const calls = server ? callsTo(server, judgement).slice(0, 20) : [];
  const { exports = [], clients } = reading ?? {};
  return [
    ...textBlock(
      'nfs-calls',
      'Calls of RPC services',
      calls.map(({ host, what, version, addr, state, text }) => {
        const answer = state === 'ready' ? 'answered' : (text ?? state);
        return `${host} to ${addr}: ${what} version ${version}: ${answer}`;
      }),
    ),
    ...textBlock(
      'nfs-exports',
      'Exports',
      exports.map(({ path, client, options = [] }) => `${path} to ${client}: ${options.join(',')}`),
    ),
    ...textBlock(
      'nfs-clients',
      'Clients of NFSv4',
      reading && !clients
        ? [`not known: ${reading.unread['clients'] ?? 'this kernel lists none'}`]
        : (clients ?? [])
            .slice(0, 50)
            .map(
              ({ name = '?', address = '', status = 'no status', renewS = '?' }) =>
                `${name} ${address}: ${status}, ${renewS} s since it renewed its lease`,
            ),
    ),
  ];
};

/** A host's page: its mounts and what waits in them; of a server who called it, its exports and clients; what kernels said. */
export const detail = ({ kind, id }: Subject, judgement: Judgement): readonly Block[] => {
  if (kind !== 'host') return [];
  const client = freshValue(judgement.readings.source<ClientReading>('nfs.client', id));
  const server = serversOf(judgement).find(({ name, host }) => name === id || host === id);
  const reading = freshValue(server?.reading);
  const own = client?.lines ?? reading?.lines ?? [];
  const lines = own.length > 0 ? own : (kernelLinesOf(id, judgement)?.lines ?? []);
  const whyNot = client?.unread['kernel'] ?? reading?.unread['kernel'];
  return [
    ...(client && client.mounts.length > 0
      ? [mountsOf(client), ...waitersOf(client), ...socketsOf(client)]
      : []),
    ...listingBlocks(id, judgement),
    ...serverBlocks(server, judgement),
    ...(lines.length > 0
      ? [
          {
            type: 'text' as const,
            id: 'kernel',
            title: 'Kernel lines of NFS',
            lines: kernelCells(lines, judgement.now),
          },
        ]
      : []),
    ...textBlock('kernel-unread', 'Kernel lines of NFS', whyNot === undefined ? [] : [`not read: ${whyNot}`]),
  ];
};
