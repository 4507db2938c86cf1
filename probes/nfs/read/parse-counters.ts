import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { counter, wholeNumber } from './words.ts';

type Counts = Readonly<Record<string, bigint>>;

/** Counters of one side of NFS in this network namespace, all servers or clients together. */
export interface RpcStats {
  side: 'client' | 'server';
  net?: Counts;
  rpc?: Counts;
  /** Threads of nfsd; how often all were busy is 0 for ever since 2.6.30. */
  threads?: number;
  threadsAllBusy?: number;
  replyCache?: Counts;
  staleHandles?: bigint;
  io?: Counts;
  /** The sum of each `proc*` line. */
  calls: Record<string, bigint>;
  notUnderstood?: number;
}

const nameCells = (names: readonly string[], cells: readonly string[]): Counts | undefined => {
  const values = names.map((name, at) => [name, counter(cells[at])] as const);
  return values.every(([, value]) => value !== undefined)
    ? Object.fromEntries(values.map(([name, value]) => [name, value ?? 0n]))
    : undefined;
};

const net = ['packets', 'udp', 'tcp', 'tcpConnections'];
const clientRpc = ['calls', 'retrans', 'authRefresh'];
const serverRpc = ['calls', 'badCalls', 'badFmt', 'badAuth', 'badClnt'];

/** The sum of a `proc*` line behind its count of columns; undefined where a cell is no number or cells are missing. */
const sumOf = ([columns = '', ...cells]: readonly string[]): bigint | undefined => {
  const values = cells.map(counter);
  return wholeNumber(columns) === values.length && values.every((value) => value !== undefined)
    ? values.reduce((sum, value) => sum + value, 0n)
    : undefined;
};

/** Takes a line; false: its name is known and its figures are not. Lines of unknown names are left out. */
const takeLine = (stats: RpcStats, name: string, cells: readonly string[]): boolean => {
  const put = (found: object | undefined): boolean => {
    if (found === undefined) return false;
    Object.assign(stats, found);
    return true;
  };
  const counts = (key: string, names: readonly string[]): boolean => {
    const found = nameCells(names, cells);
    return put(found && { [key]: found });
  };
  if (name === 'net') return counts('net', net);
  if (name === 'rpc') return counts('rpc', stats.side === 'client' ? clientRpc : serverRpc);
  if (name === 'rc') return counts('replyCache', ['hits', 'misses', 'noCache']);
  if (name === 'io') return counts('io', ['readBytes', 'writeBytes']);
  if (name === 'fh') {
    const staleHandles = counter(cells[0]);
    return put(staleHandles === undefined ? undefined : { staleHandles });
  }
  if (name === 'th') {
    const [threads, threadsAllBusy] = cells.map(wholeNumber);
    return put(
      threads === undefined
        ? undefined
        : { threads, ...(threadsAllBusy !== undefined && { threadsAllBusy }) },
    );
  }
  if (!/^proc\d+(?:ops)?$/.test(name)) return true;
  const sum = sumOf(cells);
  if (sum !== undefined) stats.calls[name] = sum;
  return sum !== undefined;
};

/** Reads /proc/net/rpc/nfs or /proc/net/rpc/nfsd. */
export const parseRpcstats = ({ stdout }: ParseInput): RpcStats => {
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const isServer = lines.some(
    ([name, ...cells]) => ['rc', 'fh', 'th', 'io'].includes(name ?? '') && cells.length > 0,
  );
  const stats: RpcStats = { side: isServer ? 'server' : 'client', calls: {} };
  const skipped = lines.filter(
    ([name = '', ...cells]) => name !== '' && !takeLine(stats, name, cells),
  ).length;
  if (stats.rpc === undefined && stats.net === undefined && stats.threads === undefined)
    throw new NotThisFormat('neither a net, rpc nor th line of /proc/net/rpc');
  return { ...stats, ...(skipped > 0 && { notUnderstood: skipped }) };
};

export interface Pools {
  /** One key per column of the header: they differ between kernels. */
  pools: Readonly<Record<string, number | bigint>>[];
  notUnderstood?: number;
}

const camelCase = (title: string): string =>
  title.replaceAll(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** Reads /proc/fs/nfsd/pool_stats. Without a pool nfsd does not run. */
export const parsePool = ({ stdout }: ParseInput): Pools => {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const titles = lines
    .find((line) => /^#\s*pool\s/.test(line))
    ?.replace('#', '')
    .trim()
    .split(/\s+/)
    .map(camelCase);
  if (titles === undefined) throw new NotThisFormat('no "# pool" header of /proc/fs/nfsd/pool_stats');
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.trim().split(/\s+/));
  const good = rows.filter(
    (cells) => cells.length === titles.length && cells.every((cell) => counter(cell) !== undefined),
  );
  const skipped = rows.length - good.length;
  return {
    pools: good.map((cells) =>
      Object.fromEntries(
        titles.map((title, at) => [title, wholeNumber(cells[at]) ?? counter(cells[at]) ?? 0]),
      ),
    ),
    ...(skipped > 0 && { notUnderstood: skipped }),
  };
};
