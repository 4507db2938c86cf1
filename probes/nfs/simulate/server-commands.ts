import type { SimulatedAnswer, SimulatedCall } from '../../../src/model/simulator.ts';
import { rpcCalls } from './rpcinfo.ts';
import { clients, type NfsState, SERVERS, type ServerName } from './state.ts';

/** What /etc/exports says, without these. */
const exportTable = (server: ServerName, without: ReadonlySet<string> = new Set()): string =>
  SERVERS[server].exports
    .filter((path) => !without.has(path))
    .map(
      (path) =>
        `${path.padEnd(14)}\t10.98.0.0/16(sync,wdelay,hide,no_subtree_check,sec=sys,rw,secure,no_root_squash,no_all_squash)\n`,
    )
    .join('');

const workers = (state: NfsState, server: ServerName): string => {
  const hung = state.hungSince.has(server);
  const row = hung
    ? 'D    jbd2_log_wait_commit                     nfsd'
    : 'I    svc_recv                                 nfsd';
  return [
    'STAT WCHAN                                    COMMAND',
    ...Array.from({ length: state.threads.get(server) ?? 0 }, () => row),
    '',
  ].join('\n');
};

const sockets = (state: NfsState, server: ServerName): string =>
  [
    'Recv-Q Send-Q Local Address:Port Peer Address:Port Process',
    ...clients.map(
      (_name, at) =>
        `${state.hungSince.has(server) ? 132 : 0}      0      ${SERVERS[server].address}:2049      10.98.1.${at + 1}:812`,
    ),
    '',
  ].join('\n');

/** More threads than now take what waits; nfsd registers when it starts. */
const setThreads = (state: NfsState, server: ServerName, threads: number): SimulatedAnswer => {
  if (state.threads.get(server) === 0) state.register(server, 'nfsd');
  if (threads > (state.threads.get(server) ?? 0)) state.hungSince.delete(server);
  state.threads.set(server, threads);
  return { mutated: true };
};

/** What server.sh prints; its own calls take as long as those of a client. */
const serverAnswer = (state: NfsState, server: ServerName, now: number): SimulatedAnswer => {
  const own = [
    'nfs 127.0.0.1 3',
    'nfs 127.0.0.1 4',
    'rpcbind 127.0.0.1 4',
    'statd 127.0.0.1 1',
    'lockd 127.0.0.1 4',
    'mountd 127.0.0.1 3',
  ];
  const { stdout: calls, delayMs } = rpcCalls(
    state,
    server,
    own.flatMap((call) => call.split(' ')),
  );
  const packets = state.ageS(now) * 90;
  const head = [
    ['uptime', `${state.ageS(now)}.00 100.00\n`],
    ['threads', `${state.threads.get(server) ?? 0}\n`],
    [
      'pools',
      `# pool packets-arrived sockets-enqueued threads-woken threads-timedout\n0 ${packets} ${packets} ${packets - 40} 0\n`,
    ],
    ['lease', '90\n'],
    ['grace', '90\n'],
    ['clients', ''],
    ['exports', exportTable(server, state.withdrawn)],
    ['workers', workers(state, server)],
    ['sockets', sockets(state, server)],
    ['kernel', ''],
  ].map(([name, text]) => `@@faultline ${name}\n${text}`);
  return { stdout: `${head.join('')}${String(calls)}`, ...(delayMs !== undefined && { delayMs }) };
};

/** What a server answers about NFS; undefined: not a command of it. */
export const serverCommand = (
  state: NfsState,
  server: ServerName,
  { argv, now }: SimulatedCall,
): SimulatedAnswer | undefined => {
  const [program, option = '', , name] = argv;
  if (program === 'cat' && option === '/proc/net/rpc/nfsd')
    return { stdout: `rc 0 0 0\nth ${state.threads.get(server) ?? 0} 0\n` };
  if (program === 'sh' && name === 'faultline-nfs-server') return serverAnswer(state, server, now);
  if (program === 'sh' && name === 'faultline-nfs-exports')
    return {
      stdout: `@@faultline dry\n@@faultline tried 0\n${exportTable(server)}@@faultline live\n${exportTable(server, state.withdrawn)}@@faultline end\n`,
    };
  if (program === 'rpc.nfsd' && /^\d+$/.test(option)) return setThreads(state, server, Number(option));
  if (program === 'exportfs' && option === '-ra') {
    state.withdrawn.clear();
    return { mutated: true };
  }
  if (argv.join(' ') === 'systemctl restart nfs-mountd') {
    state.register(server, 'mountd');
    return { mutated: true };
  }
  return state.restart(server, argv.join(' ')) ? { mutated: true } : undefined;
};
