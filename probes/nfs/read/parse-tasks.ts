import type { ParseInput } from '../../../src/model/system.ts';

/** `SWITCH/XPRT/FILE:CONTENT` as grep prints it below /sys/kernel/sunrpc/xprt-switches. */
const linePattern =
  /^\/sys\/kernel\/sunrpc\/(xprt-switches\/[^/\s]+\/[^/\s]+)\/(dstaddr|xprt_state|xprt_info):(?:state=|tasks_queuelen=)?(\S+)$/;

interface Transport {
  addr?: string;
  tasks?: number;
}

/**
 * Reads what each transport of the kernel's RPC still works on (`tasks_queuelen` of xprt_info, net/sunrpc/sysfs.c), summed by server address.
 * One in the state CLOSED was never connected or nobody needs it; one that is bound and down does not tell (`<closed>`, Linux 6.1), and its
 * address is left out. Undefined: this kernel tells of no transport.
 */
export const parseTasks = ({ stdout }: ParseInput): Record<string, number> | undefined => {
  const transports = new Map<string, Transport>();
  for (const line of stdout.split('\n')) {
    const [, transport = '', file, content = ''] = linePattern.exec(line) ?? [];
    if (file === undefined) continue;
    const known = transports.get(transport) ?? {};
    if (file === 'dstaddr') known.addr = content;
    else if (file === 'xprt_state' && content === 'CLOSED') known.tasks ??= 0;
    else if (file === 'xprt_info' && /^\d{1,9}$/.test(content)) known.tasks = Number(content);
    transports.set(transport, known);
  }
  if (transports.size === 0) return undefined;
  const byAddress = Map.groupBy(transports.values(), ({ addr }) => addr ?? '');
  return Object.fromEntries(
    [...byAddress].flatMap(([addr, own]) => {
      const all = own.reduce((sum, { tasks = Number.NaN }) => sum + tasks, 0);
      return addr === '' || Number.isNaN(all) ? [] : [[addr, all]];
    }),
  );
};
