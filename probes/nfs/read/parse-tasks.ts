import type { ParseInput } from '../../../src/model/system.ts';

/** `SWITCH/XPRT/FILE:CONTENT` as grep prints it below /sys/kernel/sunrpc/xprt-switches. */
const linePattern = /^\/\S*\/(xprt-switches\/\S+)\/(dstaddr|xprt_info):(?:tasks_queuelen=)?(\S+)$/;

/**
 * Reads what each transport of the kernel's RPC still works on (`tasks_queuelen` of xprt_info, net/sunrpc/sysfs.c), summed by server address.
 * An address one of whose transports was not read is left out. Undefined: this kernel tells of no transport.
 */
export const parseTasks = ({ stdout }: ParseInput): Record<string, number> | undefined => {
  const transports = new Map<string, { addr?: string; all?: number }>();
  for (const line of stdout.split('\n')) {
    const [, transport = '', file, content = ''] = linePattern.exec(line) ?? [];
    if (file === undefined) continue;
    const known = transports.get(transport) ?? {};
    if (file === 'dstaddr') known.addr = content;
    else if (/^\d{1,9}$/.test(content)) known.all = Number(content);
    transports.set(transport, known);
  }
  if (transports.size === 0) return undefined;
  const byAddress = Map.groupBy(transports.values(), ({ addr }) => addr ?? '');
  return Object.fromEntries(
    [...byAddress].flatMap(([addr, own]) => {
      const all = own.reduce((sum, one) => sum + (one.all ?? Number.NaN), 0);
      return addr === '' || Number.isNaN(all) ? [] : [[addr, all]];
    }),
  );
};
