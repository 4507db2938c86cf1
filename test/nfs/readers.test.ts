import { describe, expect, it } from 'vitest';
import { NotThisFormat } from '../../src/model/errors.ts';
import { nfsFormats } from '../../probes/nfs/read/formats.ts';
import { parseClients } from '../../probes/nfs/read/parse-clients.ts';
import { parseTasks } from '../../probes/nfs/read/parse-tasks.ts';
import { parsePool, parseRpcstats } from '../../probes/nfs/read/parse-counters.ts';
import { parseExports } from '../../probes/nfs/read/parse-exports.ts';
import { parseLog } from '../../probes/nfs/read/parse-log.ts';
import { parseLscolors } from '../../probes/nfs/read/parse-lscolors.ts';
import { parseMountcmd } from '../../probes/nfs/read/parse-mountcmd.ts';
import { parseMounts } from '../../probes/nfs/read/parse-mounts.ts';
import { parseMountstats } from '../../probes/nfs/read/parse-mountstats.ts';
import { parseRpcinfo } from '../../probes/nfs/read/parse-rpcinfo.ts';
import { parseVolumes } from '../../probes/nfs/read/parse-volumes.ts';
import { readClient } from '../../probes/nfs/read/read-client.ts';
import { readServer } from '../../probes/nfs/read/read-server.ts';
import { answerOf } from '../helpers/answer.ts';

describe('mounts', () => {
  const row = (mount: string, fields: string, rest: string): string =>
    `58 29 0:32 / ${mount} ${fields} - ${rest}`;

  it('reads a mount with any number of optional fields, and undoes escapes', () => {
    const { mounts } = parseMounts({
      stdout: [
        row('/a\\040b', 'ro,relatime shared:1 master:2', 'nfs nfs1:/x\\012y rw,vers=3,soft'),
        row('/c', 'rw', 'nfs4 [2001:db8::7]:/c rw,vers=4.2,hard,port=20490,noac,nolock,addr=2001:db8::7'),
      ].join('\n'),
    });
    expect(mounts).toMatchObject([
      { mount: '/a b', export: '/x\ny', readOnly: true, failMode: 'soft', dev: '0:32' },
      { server: '[2001:db8::7]', export: '/c', addr: '2001:db8::7', port: 20490, noac: true, nolock: true },
    ]);
  });

  it('does not invent what old kernels do not print', () => {
    const { mounts } = parseMounts({ stdout: 'nfs1:/x /x nfs rw,v3,hard,udp,addr=10.0.0.1 0 0\n' });
    expect(mounts).toEqual([
      {
        mount: '/x',
        source: 'nfs1:/x',
        fsType: 'nfs',
        server: 'nfs1',
        export: '/x',
        readOnly: false,
        vers: '3',
        failMode: 'hard',
        addr: '10.0.0.1',
      },
    ]);
  });

  it('is no row where something else is mounted, and counts what it does not understand', () => {
    const stdout = `${row('/run', 'rw', 'tmpfs tmpfs rw')}\n${row('/n', 'rw', 'nfsd nfsd rw')}\n58 29 0:3\n`;
    expect(parseMounts({ stdout })).toEqual({ mounts: [], notUnderstood: 1 });
  });
});

describe('mountstats', () => {
  const mount = (...lines: string[]): string =>
    ['device nfs1:/x mounted on /x with fstype nfs statvers=1.1', ...lines].join('\n');

  it('leaves figures out that a cut line does not carry whole', () => {
    const { mounts, notUnderstood } = parseMountstats({
      stdout: mount('\txprt:\ttcp 965 1 2 0 2 37 x8', '\t        READ: 5 5 0 9', '\tbytes:\t1 2 3'),
    });
    expect(mounts).toMatchObject([{ xprts: [], ops: [] }]);
    expect(mounts[0]?.bytes).toBeUndefined();
    expect(notUnderstood).toBe(3);
  });

  it('keeps 64-bit counters exact, also one that went below zero', () => {
    const [read] = parseMountstats({
      stdout: mount('\t        READ: 5 5 0 18446744073709551615 9 18446743919241604546 1 2'),
    }).mounts.flatMap(({ ops }) => ops);
    expect(read).toMatchObject({ bytesSent: 18446744073709551615n, queueMs: 18446743919241604546n });
    expect(read?.errors).toBeUndefined();
  });

  it('reads transports of udp and rdma by their own columns', () => {
    const { mounts } = parseMountstats({
      stdout: mount(
        '\txprt:\tudp 684 1 20 19 0 1 2 3 4 5',
        '\txprt:\trdma 0 0 1 2 3 40 39 0 7 0 11 12 13 14 15 16 17 18 19 20 21',
      ),
    });
    expect(mounts[0]?.xprts).toEqual([
      {
        proto: 'udp',
        srcPort: 684,
        binds: 1,
        sends: 20,
        recvs: 19,
        badXids: 0,
        reqU: 1n,
        backlogU: 2n,
        maxSlots: 3,
        sendingU: 4n,
        pendingU: 5n,
      },
      expect.objectContaining({ proto: 'rdma', sends: 40, recvs: 39, idleS: 3, backlogU: 0n }),
    ]);
  });

  it('is no NFS where nothing of it is mounted', () => {
    expect(parseMountstats({ stdout: 'device proc mounted on /proc with fstype proc\n' })).toEqual({
      mounts: [],
    });
  });
});

describe('counters', () => {
  it('takes no sum of a line that is cut', () => {
    const stats = parseRpcstats({ stdout: 'net 1 0 1 1\nrpc 5 0 5\nproc3 22 1 2 3\n' });
    expect(stats).toMatchObject({ side: 'client', calls: {}, notUnderstood: 1 });
  });

  it('has no pool where nfsd does not run', () => {
    expect(parsePool({ stdout: '# pool packets-arrived sockets-enqueued threads-woken\n' })).toEqual({
      pools: [],
    });
  });
});

describe('rpcinfo', () => {
  it('tells a portmapper that is gone from a program that is not registered', () => {
    const kind = (stderr: string): string | undefined =>
      parseRpcinfo({ stdout: '', stderr, exitCode: 1 }).error?.kind;
    expect(kind("rpcinfo: can't contact rpcbind: RPC: Remote system error - Connection refused\n")).toBe(
      'notReachable',
    );
    expect(kind('rpcinfo: RPC: Program not registered\n')).toBe('notFound');
    expect(kind('rpcinfo: RPC: Timed out\n')).toBe('timedOut');
    expect(kind('rpcinfo: RPC: Remote system error - No route to host\n')).toBe('notReachable');
  });

  it('says of a call that was ended by KILL that nothing came, and no more', () => {
    expect(parseRpcinfo({ stdout: '', stderr: '', exitCode: 137 })).toEqual({
      error: { kind: 'timedOut', message: 'no answer before the deadline' },
    });
    const ready = parseRpcinfo({ stdout: 'program 100003 version 3 ready and waiting\n', exitCode: 137 });
    expect(ready).toEqual({ calls: [{ program: 100003, version: 3, ready: true }] });
  });

  it('reads rows without a service, and not the rows of another table', () => {
    const stdout =
      '   program vers proto   port  service\n    100024    1   udp  41301  status\n    400000    1   tcp    700\nx y\n';
    expect(parseRpcinfo({ stdout })).toMatchObject({
      programs: [{ service: 'status' }, { program: 400000, port: 700 }],
      notUnderstood: 1,
    });
  });
});

describe('exports', () => {
  it('reads paths with blanks, wrapped and not', () => {
    const { exports } = parseExports({
      stdout: '/a b\t10.0.0.0/8(ro,sec=sys)\n/a/very/long/path\n\t\t@group(rw)\n/old  n1(rw)\n',
    });
    expect(exports).toEqual([
      { path: '/a b', client: '10.0.0.0/8', options: ['ro', 'sec=sys'] },
      { path: '/a/very/long/path', client: '@group', options: ['rw'] },
      { path: '/old', client: 'n1', options: ['rw'] },
    ]);
  });

  it('has a failure only where one is said: warnings are none', () => {
    const warned = parseExports({
      stdout: '',
      stderr: `exportfs: /etc/exports [1]: Neither 'subtree_check' or 'no_subtree_check' specified\n`,
    });
    expect(warned).toEqual({ exports: [] });
    const failed = parseExports({ stdout: '', stderr: 'clnt_create: RPC: Program not registered\n' });
    expect(failed.error?.kind).toBe('notFound');
  });
});

describe('clients of a server', () => {
  it('reads one without a header line, quotes undone, and no client of what is cut', () => {
    const stdout =
      'clientid: 0x1\naddress: "10.0.0.2:1"\nname: "Linux \\"x\\" a\\040b"\nseconds from last renew: soon\n';
    expect(parseClients({ stdout })).toEqual({
      clients: [{ clientId: '0x1', address: '10.0.0.2:1', name: 'Linux "x" a b' }],
      notUnderstood: 1,
    });
    expect(parseClients({ stdout: '' })).toEqual({ clients: [] });
  });
});

describe('volumes', () => {
  it('decodes IPv4 and leaves IPv6 as printed', () => {
    const stdout = `NV SERVER   PORT DEV          FSID                              FSC
v4 0a000001  801 0:35         1:0                               yes
v4 20010db8000000000000000000000007  801 0:36  2:0  no
v4 zz 801 0:37 3:0 no
`;
    expect(parseVolumes({ stdout })).toMatchObject({
      volumes: [
        { addr: '10.0.0.1', port: 2049, dev: '0:35' },
        { addr: '20010db8000000000000000000000007', dev: '0:36' },
      ],
      notUnderstood: 1,
    });
  });
});

describe('kernel lines', () => {
  it('reads stamps of the ring buffer and of the journal', () => {
    const { events } = parseLog({
      stdout: [
        '<5>[  12.500000] nfs: server nfs1 not responding, still trying',
        '2026-11-22T16:02:39+01:00 n1 kernel: lockd: server nfs1 not responding, still trying',
        '2026-11-22T16:02:40+0100 n1 kernel: nfs: server nfs1 OK',
        '2026-11-22T16:02:41+0100 n1 sshd[1]: nfs: server nfs1 OK',
      ].join('\n'),
    });
    expect(events.map(({ kind, upS, at }) => ({ kind, upS, at }))).toEqual([
      { kind: 'notResponding', upS: 12.5, at: undefined },
      { kind: 'notResponding', upS: undefined, at: '2026-11-22T15:02:39Z' },
      { kind: 'ok', upS: undefined, at: '2026-11-22T15:02:40Z' },
    ]);
  });

  it('has no event in lines that only name NFS', () => {
    expect(parseLog({ stdout: '[ 1.0] NFS: Registering the id_resolver key type\n' }).events).toEqual([]);
  });
});

describe('mount', () => {
  it.each([
    ['mount.nfs: Connection refused\n', 'refused'],
    ['mount.nfs: Connection timed out\n', 'timedOut'],
    ['mount.nfs: Failed to resolve server nfs9: Name or service not known\n', 'nameUnknown'],
    ['mount.nfs: an incorrect mount option was specified\n', 'badOption'],
    ['mount.nfs: mount point /x does not exist\n', 'noMountPoint'],
    ['mount.nfs: /x is busy or already mounted\n', 'busy'],
    ['mount.nfs: Stale file handle\n', 'stale'],
    ['mount.nfs: Input/output error\n', 'other'],
  ])('%j is %s', (stderr, kind) => {
    expect(parseMountcmd({ stdout: '', stderr, exitCode: 32 })).toMatchObject({ ok: false, kind });
  });

  it('worked where it ended with 0, and took too long where it was killed', () => {
    expect(parseMountcmd({ stdout: '', stderr: 'mount.nfs: mount(2): busy\n', exitCode: 0 })).toEqual({
      ok: true,
    });
    expect(parseMountcmd({ stdout: '', exitCode: 137 })).toMatchObject({ ok: false, kind: 'timedOut' });
  });
});

describe('colours of ls', () => {
  it('takes the last setting of a key, and an empty one as not coloured', () => {
    expect(parseLscolors({ stdout: 'ca=30;41:ex=00:su=0:sg=00:ca=\n' })).toMatchObject({
      statPerFile: false,
      capabilityPerFile: 'no',
      keys: { ex: '00', su: '0', sg: '00' },
    });
  });
});

describe('whole answers', () => {
  const section = (word: string, text = ''): string => `@@faultline ${word}\n${text}`;

  const said = (clients: string): string => `${section('threads', '8\n')}${clients}${section('end')}`;

  it('does not know the clients of a server whose kernel lists none, and knows that there are none', () => {
    expect(readServer(answerOf(said('')), 0).value.clients).toBeUndefined();
    expect(readServer(answerOf(said('')), 0).value.unread['clients']).toBeUndefined();
    expect(readServer(answerOf(said(section('clients'))), 0).value.clients).toEqual([]);
  });

  it('reads as whom the kernel knows an address, and leaves out rows that are not in force', () => {
    const table = [
      '#class IP domain',
      'nfsd 10.9.0.21 10.9.0.0/24,@nodes',
      'nfsd fd00:0009:0000:0000:0000:0000:0000:0021 *.example.org',
      'nfsd 10.9.0.99 -no-domain-',
      '# nfsd 10.9.0.98 -no-domain-',
    ];
    expect(readServer(answerOf(said(section('known', `${table.join('\n')}\n`))), 0).value.known).toEqual([
      { address: '10.9.0.21', clients: ['10.9.0.0/24', '@nodes'] },
      { address: 'fd00:0009:0000:0000:0000:0000:0000:0021', clients: ['*.example.org'] },
      { address: '10.9.0.99', clients: [] },
    ]);
    expect(readServer(answerOf(said('')), 0).value.known).toBeUndefined();
  });

  it('counts what TCP sent again, not how often it asked whether a full window is open', () => {
    const timerOf = (timer: string) => {
      const table = `State Recv-Q Send-Q Local Address:Port Peer Address:Port Process\nESTAB 0 1448712 10.9.1.1:803 10.9.0.1:2049 ${timer}\n`;
      const text = `${section('uptime', '100.0 1.0\n')}${section('mounts', '1 2 0:3 / /proc rw - proc proc rw\n')}${section('sockets', table)}${section('end')}`;
      const [found] = readClient(answerOf(text), 0).value.sockets ?? [];
      return [found?.timer, found?.retransmits];
    };
    expect(timerOf('timer:(on,41sec,9)')).toEqual(['on', 9]);
    expect(timerOf('timer:(on,1.728ms,0) uid:0')).toEqual(['on', 0]);
    expect(timerOf('timer:(persist,1min12sec,6)')).toEqual(['persist', undefined]);
    expect(timerOf('timer:(keepalive,21sec,0)')).toEqual(['keepalive', undefined]);
    expect(timerOf('')).toEqual([undefined, undefined]);
  });

  it('takes the kernel at its word that something else is not permitted', () => {
    const kernel = (text: string) =>
      readClient(
        answerOf(
          `${section('uptime', '100.0 1.0\n')}${section('mounts', '1 2 0:3 / /proc rw - proc proc rw\n')}${section('kernel', text)}${section('end')}`,
        ),
        200_000,
      ).value;
    const refused = '[   60.000000] lockd: cannot monitor nfs1\n';
    expect(kernel(`[    1.000000] epoll: Operation not permitted\n${refused}`).lines).toMatchObject([
      { kind: 'cannotMonitor', at: 160_000 },
    ]);
    const blind = kernel('dmesg: read kernel buffer failed: Operation not permitted\n');
    expect(blind.lines).toBeUndefined();
    expect(blind.unread['kernel']).toContain('not permitted');
  });
});

it.each(
  Object.keys(nfsFormats).filter(
    (name) => !['nfs.exports', 'nfs.mountcmd', 'nfs.lscolors', 'nfs.clients', 'nfs.log'].includes(name),
  ),
)('%s is not made of an empty output', (name) => {
  expect(() => nfsFormats[name]?.({ stdout: '' })).toThrow(NotThisFormat);
});

it.each(Object.keys(nfsFormats).filter((name) => name !== 'nfs.mountcmd'))(
  '%s is not made of prose',
  (name) => {
    expect(() => nfsFormats[name]?.({ stdout: 'The quick brown fox\njumps over it.\n' })).toThrow(
      NotThisFormat,
    );
  },
);

describe('what the kernel works on', () => {
  const files = (at: string, ...lines: string[]): string =>
    lines.map((line) => `/sys/kernel/sunrpc/xprt-switches/switch-${at}/${line}\n`).join('');

  // Linux 6.1: a mount that hangs at .1, a killed request at .2, and transports of mountd and lockd that nobody needs.
  const seen = [
    files('0/xprt-1-tcp', 'dstaddr:10.119.0.1', 'xprt_info:tasks_queuelen=2'),
    files('1/xprt-0-local', 'dstaddr:/var/run/rpcbind.sock', 'xprt_info:tasks_queuelen=0'),
    files('2/xprt-2-tcp', 'dstaddr:10.119.0.1', 'xprt_state:state=CLOSED'),
    files('3/xprt-4-tcp', 'dstaddr:10.119.0.1', 'xprt_info:tasks_queuelen=1'),
    files('4/xprt-5-tcp', 'dstaddr:10.119.0.2', 'xprt_info:tasks_queuelen=0'),
    files('5/xprt-3-tcp', 'dstaddr:10.119.0.2', 'xprt_state:state=CLOSED'),
  ];

  it('is summed by server address, IPv6 included', () => {
    const six = files('6/xprt-6-tcp', 'dstaddr:fd00::1', 'xprt_info:tasks_queuelen=0');
    expect(parseTasks({ stdout: [...seen, six].join('') })).toEqual({
      '10.119.0.1': 3,
      '/var/run/rpcbind.sock': 0,
      '10.119.0.2': 0,
      'fd00::1': 0,
    });
  });

  it('is not known of an address one of whose connections is bound and down, nor on a kernel without these files', () => {
    const down = files('3/xprt-4-tcp', 'dstaddr:10.119.0.2', 'xprt_state:state=  CONNECTING  BOUND');
    expect(parseTasks({ stdout: [...seen.slice(4), down].join('') })).toEqual({});
    expect(parseTasks({ stdout: files('2/xprt-2-tcp', 'xprt_info:tasks_queuelen=4') })).toEqual({});
    expect(parseTasks({ stdout: '' })).toBeUndefined();
  });
});

describe('who may mount', () => {
  it('is read as exportfs -v prints it: networks, IPv6, netgroups and wildcards (nfs-utils 2.6.2)', () => {
    const options = 'sync,wdelay,hide,no_subtree_check,sec=sys,rw,secure,root_squash,no_all_squash';
    const clients = ['10.119.0.21', '10.119.0.0/24', 'fd00:119::/64', '*.example.org', '@trusted', '<world>'];
    const long = '/export/projects/with-a-long-name';
    const stdout = [
      ...clients.map((client) => `/export/apps  \t${client}(${options})\n`),
      `${long}\n\t\tfd00:119::21(${options})\n`,
    ].join('');
    expect(parseExports({ stdout }).exports.map(({ path, client }) => `${path} ${client}`)).toEqual([
      ...clients.map((client) => `/export/apps ${client}`),
      `${long} fd00:119::21`,
    ]);
  });
});

describe('what is large', () => {
  const section = (word: string, text: string): string => `@@faultline ${word}\n${text}`;
  const mounts = 7000;
  const paths = Array.from({ length: mounts }, (_none, at) => `/net/home/user\\040${at}`);
  const answer = (recvs: string): string =>
    [
      section('uptime', '100.0 1.0\n'),
      section(
        'mounts',
        [
          '22 27 0:21 / /proc rw - proc proc rw',
          '40 29 0:30 / /net rw - autofs /etc/auto.net rw,pgrp=12,indirect',
          ...paths.map(
            (path, at) =>
              `${at + 50} 40 0:${at + 32} / ${path} rw - nfs nfs1:${path} rw,vers=3,hard,addr=10.9.0.1`,
          ),
          '',
        ].join('\n'),
      ),
      section(
        'stats',
        paths
          .map((path) =>
            [
              `device nfs1:${path} mounted on ${path} with fstype nfs statvers=1.1`,
              '\tage:\t7',
              `\txprt:\ttcp 965 1 2 0 2 37 ${recvs} 0 73 0 2 0 7`,
              '\tper-op statistics',
              ...['GETATTR', 'LOOKUP', 'READ'].map((op) => `\t${op}: 9 9 0 990 990 1 2 3 0`),
              '',
            ].join('\n'),
          )
          .join(''),
      ),
      section('end', ''),
    ].join('');

  it('thousands of automounts are all read, blanks in their names included', () => {
    const { value, notUnderstood } = readClient(answerOf(answer('28')), 0);
    expect([value.mounts.length, value.automounts, notUnderstood]).toEqual([mounts, 1, undefined]);
    expect(value.mounts.at(-1)).toMatchObject({
      mount: `/net/home/user ${mounts - 1}`,
      ageS: 7,
      transports: [{ sends: 37, recvs: 28 }],
    });
  });
});
