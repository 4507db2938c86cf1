import type { Answer } from '../../../src/model/answer.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findSection, sectionsOf } from '../../../src/kit/sections.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import type { ClientMount, ClientReading, Waiter } from '../readings.ts';
import { parseMounts, type NfsMount } from './parse-mounts.ts';
import { parseMountstats, type MountStats } from './parse-mountstats.ts';
import { parseTasks } from './parse-tasks.ts';
import { parseVolumes } from './parse-volumes.ts';
import { Parts } from './read-parts.ts';
import { unescapePath } from './words.ts';

/**
 * Where a thread waits in NFS or its RPC (names of kernel functions: net/sunrpc, fs/nfs, fs/lockd). Write-back waits for pages of any
 * file system, so that its name alone proves nothing.
 */
const inNfs = /^(?:rpc_|nfs\d?_|nlm|xprt_|lockd|__rpc_|svc_)/;

const readWaiting = ({ stdout }: ParseInput): { all: number; nfs: Waiter[] } => {
  const total = /^total (\d{1,7})$/m.exec(stdout)?.[1];
  if (total === undefined || !/^\s*PID\s/.test(stdout)) throw new Error('no list of processes');
  const waiters = stdout.split('\n').flatMap((line): Waiter[] => {
    const [pid = '', lwp = '', stat = '', ageS = '', wchan = '', ...comm] = line.trim().split(/\s+/);
    const isThread = stat.startsWith('D') && [pid, lwp, ageS].every((text) => /^\d{1,10}$/.test(text));
    return isThread
      ? [{ pid: Number(pid), lwp: Number(lwp), ageS: Number(ageS), wchan, comm: comm.join(' ') }]
      : [];
  });
  return { all: Number(total), nfs: waiters.filter(({ wchan }) => inNfs.test(wchan)) };
};

const socketLine =
  /^(\S+)\s+(\d{1,10})\s+(\d{1,10})\s+(\S+:2049|\S+:\d{1,5})\s+(\S+:\d{1,5})(?:\s+timer:\((\w+)(?:,[^,)]{0,20},(\d{1,5}))?)?/;

const readSockets = ({ stdout }: ParseInput): NonNullable<ClientReading['sockets']> => {
  if (!/^State\s/.test(stdout)) throw new Error('no table of sockets');
  return stdout.split('\n').flatMap((line) => {
    const [, state, recvQ, sendQ, local = '', peer = '', timer, again] = socketLine.exec(line) ?? [];
    return state === undefined
      ? []
      : [
          {
            state,
            recvQ: Number(recvQ),
            sendQ: Number(sendQ),
            local,
            peer,
            ...(timer !== undefined && { timer }),
            ...(timer === 'on' && again !== undefined && { retransmits: Number(again) }),
          },
        ];
  });
};

/** `SOURCE MOUNT`, blanks of names as escapes (fstab(5)). */
const readFstab = ({ stdout }: ParseInput): NonNullable<ClientReading['fstab']> =>
  stdout.split('\n').flatMap((line) => {
    const [, source = '', mount = ''] = /^(\S+) (\/\S*)$/.exec(line) ?? [];
    return source === '' ? [] : [{ source: unescapePath(source), mount: unescapePath(mount) }];
  });

/** Over-mounts give several rows of one place: the last one counts. Bind mounts are rows of one superblock. */
const visibleMounts = (mounts: readonly NfsMount[]): NfsMount[] => [
  ...new Map(mounts.map((mount) => [mount.mount, mount])).values(),
];

const mountOf = (mount: NfsMount, stats: MountStats | undefined): ClientMount => {
  const {
    source,
    server,
    export: path,
    readOnly,
    dev,
    vers,
    failMode,
    proto,
    timeo,
    retrans,
    localLock,
    nolock,
    noac,
    addr,
  } = mount;
  const { ageS, leaseTimeS, leaseExpiredS, xprts = [], ops = [] } = stats ?? {};
  return {
    mount: mount.mount,
    source,
    server,
    export: path,
    readOnly,
    ...dropUndefined({
      dev,
      vers,
      failMode,
      proto,
      timeo,
      retrans,
      localLock,
      nolock,
      noac,
      addr,
      ageS,
      leaseTimeS,
      leaseExpiredS,
    }),
    transports: xprts.map((one) => ({
      proto: one.proto,
      ...dropUndefined({ srcPort: one.srcPort, sends: one.sends, recvs: one.recvs, connects: one.connects }),
    })),
    ops: ops.map(({ op, ops: count, timeouts, queueMs, rttMs, executeMs, errors = 0 }) => ({
      op,
      ops: count,
      timeouts,
      queueMs,
      rttMs,
      executeMs,
      ...(errors > 0 && { errors }),
    })),
  };
};

/** The script's word below statistics that are longer than it prints. */
const cutMark = /\ncut at 8 MB\n?$/;

/** Reads the answer of the client script. Throws where the mounts themselves can't be read. `now`: UTC ms. */
export const readClient = (answer: Answer, now: number): { value: ClientReading; notUnderstood?: number } => {
  const sections = sectionsOf(answer, 'reading the NFS mounts');
  const parts = new Parts(sections);
  const mounts = parseMounts({ stdout: findSection(sections, 'mounts')?.body ?? '' });
  const stats = parts.read('stats', ({ stdout }) =>
    parseMountstats({ stdout: stdout.replace(cutMark, '\n') }),
  );
  if (cutMark.test(findSection(sections, 'stats')?.body ?? ''))
    parts.unread.stats = 'only the first 8 MB were read';
  const statsOf = new Map((stats?.mounts ?? []).map((one) => [`${one.mount} ${one.source}`, one]));
  const nfs = visibleMounts(mounts.mounts.filter((mount) => mount.fsType !== 'autofs'));
  const hasVolumes = (findSection(sections, 'volumes')?.body ?? '').trim() !== '';
  const notUnderstood = (mounts.notUnderstood ?? 0) + (stats?.notUnderstood ?? 0);
  return {
    value: {
      mounts: nfs.map((mount) => mountOf(mount, statsOf.get(`${mount.mount} ${mount.source}`))),
      automounts: mounts.mounts.filter(({ fsType }) => fsType === 'autofs').length,
      ...dropUndefined({
        volumes: hasVolumes
          ? parts.read('volumes', parseVolumes)?.volumes?.map(({ dev, addr, vers }) => ({ dev, addr, vers }))
          : undefined,
        fstab: parts.read('fstab', readFstab),
        waiting: parts.read('waiting', readWaiting),
        tasks: parts.read('tasks', parseTasks),
        sockets: parts.read('sockets', readSockets),
        lines: parts.lines(now),
      }),
      unread: parts.unread,
    },
    ...(notUnderstood > 0 && { notUnderstood }),
  };
};
