import { kernelCells } from '../../../src/kit/kernel-log.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block } from '../../../src/model/view.ts';
import { age } from '../../../src/text/ages.ts';
import { saidOf } from '../judge/find-kernel-lines.ts';
import { callsTo, fresh, serversOf } from '../judge/servers.ts';
import type { ClientReading } from '../readings.ts';

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

/** A host's page: its mounts and what waits in them; of a server who called it, its exports and clients; what kernels said. */
export const detail = ({ kind, id }: Subject, judgement: Judgement): readonly Block[] => {
  if (kind !== 'host') return [];
  const client = fresh(judgement.readings.source<ClientReading>('nfs.client', id));
  const server = serversOf(judgement).find(({ name, host }) => name === id || host === id);
  const reading = fresh(server?.reading);
  const calls = server ? callsTo(server, judgement) : [];
  const own = (client?.lines ?? reading?.lines ?? []).map(({ kind: word, text, at }) => ({
    kind: word,
    text,
    at,
  }));
  const whyNot = client?.unread['kernel'] ?? reading?.unread['kernel'];
  const lines = own.length > 0 ? own : (saidOf(id, judgement)?.lines ?? []);
  return [
    ...(client && client.mounts.length > 0 ? [mountsOf(client), ...waitersOf(client)] : []),
    ...(calls.length > 0
      ? [
          {
            type: 'text' as const,
            id: 'nfs-calls',
            title: 'Calls of RPC services',
            lines: calls.slice(0, 20).map(({ host, what, version, addr, state, text }) => ({
              text: `${host} to ${addr}: ${what} version ${version}: ${state === 'ready' ? 'answered' : (text ?? state)}`,
            })),
          },
        ]
      : []),
    ...(reading?.exports
      ? [
          {
            type: 'text' as const,
            id: 'nfs-exports',
            title: 'Exports',
            lines: reading.exports.map(({ path, client: who, options = [] }) => ({
              text: `${path} to ${who}: ${options.join(',')}`,
            })),
          },
        ]
      : []),
    ...(reading?.clients && reading.clients.length > 0
      ? [
          {
            type: 'text' as const,
            id: 'nfs-clients',
            title: 'Clients of NFSv4',
            lines: reading.clients.slice(0, 50).map(({ name, address, status, renewS }) => ({
              text: `${name ?? '?'} ${address ?? ''}: ${status ?? 'no status'}, ${renewS ?? '?'} s since it renewed its lease`,
            })),
          },
        ]
      : []),
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
    ...(whyNot === undefined
      ? []
      : [
          {
            type: 'text' as const,
            id: 'kernel-unread',
            title: 'Kernel lines of NFS',
            lines: [{ text: `not read: ${whyNot}` }],
          },
        ]),
  ];
};
