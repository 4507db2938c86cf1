import type { SimulatedAnswer, SimulatedCall } from '../../../src/model/simulator.ts';
import { rpcCalls } from './rpcinfo.ts';
import { type NfsMountState, type NfsState, SERVERS } from './state.ts';

const options = ({ vers, server }: NfsMountState): string => {
  const { address } = SERVERS[server];
  const common = `rw,vers=${vers},rsize=131072,wsize=131072,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys`;
  return vers === '3'
    ? `${common},mountaddr=${address},mountvers=3,mountport=37138,mountproto=udp,local_lock=none,addr=${address}`
    : `${common},clientaddr=10.98.1.1,local_lock=none,addr=${address}`;
};

const mountinfo = (mounts: readonly NfsMountState[]): string =>
  [
    '22 27 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:5 - proc proc rw',
    ...mounts.map((one, at) => {
      const type = one.vers === '3' ? 'nfs' : 'nfs4';
      return `${58 + at} 29 ${one.dev} / ${one.mount} rw,relatime shared:${40 + at} - ${type} ${one.server}:${one.path} ${options(one)}`;
    }),
    '',
  ].join('\n');

const operation = (name: string, ops: number, rtt: number): string =>
  `\t${name.padStart(12)}: ${ops} ${ops} 0 ${ops * 132} ${ops * 112} ${Math.floor(ops / 50)} ${Math.floor(ops * rtt)} ${Math.floor(ops * rtt * 1.1)} 0`;

const mountstats = (state: NfsState, host: string, now: number): string =>
  [
    'device proc mounted on /proc with fstype proc',
    ...state.mountsOf(host).flatMap((one) => {
      const { sends, recvs } = state.requests(one, host, now);
      const type = one.vers === '3' ? 'nfs' : 'nfs4';
      return [
        `device ${one.server}:${one.path} mounted on ${one.mount} with fstype ${type} statvers=1.1`,
        `\topts:\t${options(one)}`,
        `\tage:\t${state.mountAgeS(host, one, now)}`,
        ...(one.vers === '3'
          ? []
          : [
              '\tnfsv4:\tbm0=0xfdffbfff,bm1=0x40fdbe3e,bm2=0x60803,acl=0x3,sessions,pnfs=not configured,lease_time=90,lease_expired=0',
            ]),
        '\tsec:\tflavor=1,pseudoflavor=1',
        `\txprt:\ttcp ${one.srcPort} 1 1 0 0 ${sends} ${recvs} 0 ${sends + 5} 0 16 3 ${recvs}`,
        '\tper-op statistics',
        operation('GETATTR', Math.floor(recvs * 0.6), 0.7),
        operation('READ', Math.floor(recvs * 0.25), 1.8),
        operation('WRITE', Math.floor(recvs * 0.1), 2.6),
        '',
      ];
    }),
  ].join('\n');

/** /proc/fs/nfsfs/volumes: address and port in hexadecimal. */
const volumes = (mounts: readonly NfsMountState[]): string =>
  [
    'NV SERVER   PORT DEV          FSID                              FSC',
    ...mounts.map(({ vers, server, dev }) => {
      const hex = SERVERS[server].address
        .split('.')
        .map((byte) => Number(byte).toString(16).padStart(2, '0'));
      return `v${vers.charAt(0)} ${hex.join('')}  801 ${dev.padEnd(12)} a48ebdc202e792b2:0                no `;
    }),
    '',
  ].join('\n');

/** Threads in state D of `ps -eLo pid,lwp,stat,etimes,wchan:40,comm`, and how many there are. */
const printWaiting = (state: NfsState, host: string, now: number): string => {
  const used = new Set<string>(state.mountsOf(host).map(({ server }) => server));
  const hung = [...state.hungSince].flatMap(([server, since]) => (used.has(server) ? [since] : []));
  const rows = hung.flatMap((since, at) =>
    [4711, 4720].map(
      (pid) =>
        `${String(pid + at * 100).padStart(7)} ${String(pid + at * 100).padStart(7)} D    ${String(Math.floor((now - since) / 1000)).padStart(7)} rpc_wait_bit_killable                    ${pid === 4711 ? 'ls' : 'python3'}`,
    ),
  );
  const title = '    PID     LWP STAT ELAPSED WCHAN                                    COMMAND';
  return [title, ...rows, `total ${rows.length}`, ''].join('\n');
};

const sockets = (state: NfsState, host: string, now: number): string =>
  [
    'State Recv-Q Send-Q Local Address:Port Peer Address:Port Process',
    ...state.mountsOf(host).map((one) => {
      const { sends, recvs } = state.requests(one, host, now);
      return `ESTAB 0      ${sends > recvs ? 132 : 0}      10.98.1.1:${one.srcPort || 683}      ${SERVERS[one.server].address}:2049${sends > recvs ? '  timer:(on,12sec,6)' : ''}`;
    }),
    '',
  ].join('\n');

/** The kernel speaks of a server that does not answer 180 s after the first request, by default. */
const dmesg = (state: NfsState, host: string, now: number): string => {
  const stamp = (at: number): string => `[${state.ageS(at).toFixed(6).padStart(12)}]`;
  const died = state.deadStatd.get(host);
  const lines = [
    ...[...state.hungSince]
      .filter(([, since]) => now - since > 180_000)
      .map(
        ([server, since]) => `${stamp(since + 180_000)} nfs: server ${server} not responding, still trying`,
      ),
    ...(died === undefined ? [] : [`${stamp(died + 240_000)} lockd: cannot monitor nfs2`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
};

/** What client.sh prints. */
const clientText = (state: NfsState, host: string, now: number): string =>
  [
    ['uptime', `${state.ageS(now)}.00 100.00\n`],
    ['mounts', mountinfo(state.mountsOf(host))],
    [
      'fstab',
      state
        .fstab()
        .map(({ server, path, mount }) => `${server}:${path} ${mount}\n`)
        .join(''),
    ],
    ['stats', mountstats(state, host, now)],
    ['volumes', volumes(state.mountsOf(host))],
    ['waiting', printWaiting(state, host, now)],
    ['sockets', sockets(state, host, now)],
    ['kernel', dmesg(state, host, now)],
    ['end', ''],
  ]
    .map(([name, text]) => `@@faultline ${name}\n${text}`)
    .join('');

/** The first `umount -f` of a mount that hangs aborts what waits; the second, which looks into mountinfo before, unmounts it. */
const umount = (
  state: NfsState,
  host: string,
  [, , script = '', , path = '']: readonly string[],
): SimulatedAnswer => {
  if (!script.includes('/proc/self/mountinfo'))
    return { stderr: `umount.nfs: ${path}: device is busy\n`, mutated: true };
  state.unmounted.add(`${host} ${path}`);
  return { mutated: true };
};

/** `umount` without force, `mount` of what fstab has, and a look at its root, each ended by KILL. */
const mountCommand = (
  state: NfsState,
  host: string,
  argv: readonly string[],
  now: number,
): SimulatedAnswer | undefined => {
  const [, , , , tool] = argv;
  const path = `${host} ${argv.at(-1) ?? ''}`;
  if (tool === 'ls') return { stdout: `${argv.at(-1)}\n` };
  if (tool === 'umount') state.unmounted.add(path);
  else if (tool === 'mount') {
    state.unmounted.delete(path);
    state.mountedAt.set(path, now);
  } else return undefined;
  return { mutated: true };
};

/** What a node answers about NFS; undefined: not a command of it. */
export const clientCommand = (
  state: NfsState,
  { host, argv, now }: SimulatedCall,
): SimulatedAnswer | undefined => {
  const [program, option, , name, ...words] = argv;
  if (program === 'cat' && option === '/proc/self/mountinfo')
    return { stdout: mountinfo(state.mountsOf(host)) };
  if (program === 'sh' && option === '-c' && name === 'faultline-nfs-client')
    return { stdout: clientText(state, host, now) };
  if (program === 'sh' && option === '-c' && name === 'faultline-nfs-calls')
    return rpcCalls(state, host, words);
  if (program === 'sh' && option === '-c' && name === 'umount') return umount(state, host, argv);
  if (program === 'timeout') return mountCommand(state, host, argv, now);
  return state.restart(host, argv.join(' ')) ? { mutated: true } : undefined;
};
