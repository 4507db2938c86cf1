import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shellText } from '../../scripts/shell-text.ts';
import { readClient } from '../../probes/nfs/read/read-client.ts';
import { answerOf } from '../helpers/answer.ts';
import { ScriptHost, shells } from './script-host.ts';

/** What is done to the snippets of login shells. */
const snippetScripts = {
  install: 'probes/nfs/act/colours-install.sh',
  remove: 'probes/nfs/act/colours-remove.sh',
} as const;

const ask = (name: string): string => `probes/nfs/ask/${name}.sh`;

const dmesg =
  'printf "%s\\n" "[ 1.0] Lockdown: x" "[ 1.2] epoll: Operation not permitted" "[ 9.5] nfs: server nfs1 not responding, still trying" "[ 9.6] usb 1-1: new"';

const mountinfo = [
  '22 27 0:21 / /proc rw shared:1 - proc proc rw',
  '23 27 0:22 / /nfs rw - tmpfs nfs rw',
  '58 29 0:32 / /home rw,relatime shared:7 master:1 - nfs nfs1:/home rw,vers=3,hard',
  '59 29 0:33 / /net rw - autofs /etc/auto.net rw,indirect',
].join('\n');

const mountstats = [
  'device proc mounted on /proc with fstype proc',
  'device nfs1:/home mounted on /home with fstype nfs statvers=1.1',
  '\txprt:\ttcp 965 1 2 0 2 37 28 0 73 0 2 0 7',
  '\t        NULL: 1 1 0 44 24 28 0 28 0',
  '\t        READ: 0 0 0 0 0 0 0 0 0',
  'device tmpfs mounted on /tmp with fstype tmpfs',
  '\tno such line',
].join('\n');

/** rpcinfo that says what it was asked. */
const rpcinfo = 'echo "asked $*"';

describe.each(shells)('scripts of NFS under %s', { concurrent: true }, (shell) => {
  it('client.sh prints what is of NFS, and the first line of each table to show that it was read', async () => {
    const host = new ScriptHost(shell, ['/proc/', '/sys/', '/etc/']);
    host.file('/etc/fstab', '# nfs1:/old /old nfs\n/dev/sda1 / xfs\nnfs1:/home /home nfs vers=3,hard 0 0\n');
    const transport = '/sys/kernel/sunrpc/xprt-switches/switch-0/xprt-1-tcp';
    host.file(`${transport}/dstaddr`, '10.9.0.1\n');
    host.file(`${transport}/xprt_state`, 'state= CONNECTED   BOUND \n');
    host.file(`${transport}/xprt_info`, 'num_reqs=2\ntasks_queuelen=1\ndst_port=2049\n');
    host.file('/proc/uptime', '100.0 1.0\n');
    host.file('/proc/self/mountinfo', `${mountinfo}\n`);
    host.file('/proc/self/mountstats', `${mountstats}\n`);
    host.file('/proc/fs/nfsfs/volumes', 'NV SERVER   PORT DEV FSID FSC\n');
    host.program(
      'ps',
      'echo " PPID   PID   LWP STAT ELAPSED WCHAN COMMAND"; echo "1 7 7 Ds 300 rpc_wait_bit_killable ls -l"; echo "1 8 8 S 3 x sh"; echo "2 9 9 D 3 rpc_wait_bit_killable 10.9.0.1-manager"',
    );
    host.program('ss', 'echo "State Recv-Q Send-Q"; echo "$*" >&2');
    host.program('dmesg', dmesg);
    const { said } = await host.run(ask('client'));
    expect(said).toBe(
      [
        '@@faultline uptime',
        '100.0 1.0',
        '@@faultline mounts',
        '22 27 0:21 / /proc rw shared:1 - proc proc rw',
        '58 29 0:32 / /home rw,relatime shared:7 master:1 - nfs nfs1:/home rw,vers=3,hard',
        '59 29 0:33 / /net rw - autofs /etc/auto.net rw,indirect',
        '@@faultline fstab',
        'nfs1:/home /home',
        '@@faultline stats',
        'device proc mounted on /proc with fstype proc',
        'device nfs1:/home mounted on /home with fstype nfs statvers=1.1',
        '\txprt:\ttcp 965 1 2 0 2 37 28 0 73 0 2 0 7',
        '\t        NULL: 1 1 0 44 24 28 0 28 0',
        '@@faultline volumes',
        'NV SERVER   PORT DEV FSID FSC',
        '@@faultline waiting',
        '  PID   LWP STAT ELAPSED WCHAN COMMAND',
        '7 7 Ds 300 rpc_wait_bit_killable ls -l',
        'total 1',
        '@@faultline tasks',
        `${transport}/dstaddr:10.9.0.1`,
        `${transport}/xprt_info:tasks_queuelen=1`,
        '@@faultline sockets',
        'State Recv-Q Send-Q',
        '-tno state all ( dport = :2049 or sport = :2049 )',
        '@@faultline kernel',
        '[ 9.5] nfs: server nfs1 not responding, still trying',
        '@@faultline end\n',
      ].join('\n'),
    );
  });

  it('client.sh gives the first 8 MB of 20 MB of statistics, says so, and reads what follows', async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    host.file('/proc/self/mountinfo', `${mountinfo}\n`);
    const one = (at: number): string =>
      `device nfs1:/home mounted on /home/${at} with fstype nfs statvers=1.1\n${'\t        READ: 1 1 0 44 24 28 0 28 0\n'.repeat(50)}`;
    host.file('/proc/self/mountstats', Array.from({ length: 11_000 }, (_none, at) => one(at)).join(''));
    host.program('ps', 'echo "  PID   LWP STAT ELAPSED WCHAN COMMAND"');
    host.program('ss', 'echo "State Recv-Q Send-Q"');
    host.program('dmesg', dmesg);
    const { said } = await host.run(ask('client'));
    expect(said.length).toBeGreaterThan(7_900_000);
    expect(said.length).toBeLessThan(8_100_000);
    const { value } = readClient(answerOf(said), 0);
    expect(value).toMatchObject({
      mounts: [{ mount: '/home' }],
      unread: { stats: 'only the first 8 MB were read' },
      waiting: { all: 0, nfs: [] },
      sockets: [],
    });
  });

  it('client.sh says why a table could not be read, and goes on', async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    host.program('ps', 'echo "ps: bad option" >&2; exit 1');
    host.program('ss', 'exit 127');
    host.program('dmesg', 'echo "dmesg: read kernel buffer failed: Operation not permitted"; exit 1');
    host.program('sudo', 'echo "sudo: a password is required"; exit 1');
    const { said, status } = await host.run(ask('client'));
    expect(said).toContain('@@faultline waiting\nps: bad option\ntotal 0\n');
    expect(said).toContain('read kernel buffer failed');
    expect(said.endsWith('@@faultline end\n')).toBe(true);
    expect(status).toBe(0);
  });

  it('calls.sh asks ports and not the portmapper for NFS, by IPv6 too, and what it does not know it leaves', async () => {
    const host = new ScriptHost(shell);
    host.program('rpcinfo', rpcinfo);
    const words = [
      'nfs 10.0.0.1 4',
      'rpcbind 10.0.0.1 4',
      'nfs 2001:db8::7 3',
      'lockd 10.0.0.1 4',
      'statd 127.0.0.1 1',
      'rm x 1',
    ];
    const { said } = await host.run(ask('calls'), ...words.flatMap((one) => one.split(' ')));
    const sections = said.split('@@faultline ').filter((part) => part !== '' && part !== 'end\n');
    expect(sections.toSorted()).toEqual(
      [
        'call 0 nfs 10.0.0.1 4\nasked -a 10.0.0.1.8.1 -T tcp 100003 4\n',
        'call 0 rpcbind 10.0.0.1 4\nasked -a 10.0.0.1.0.111 -T tcp 100000 4\n',
        'call 0 nfs 2001:db8::7 3\nasked -a 2001:db8::7.8.1 -T tcp6 100003 3\n',
        'call 0 lockd 10.0.0.1 4\nasked -T tcp 10.0.0.1 100021 4\n',
        'call 0 statd 127.0.0.1 1\nasked -T udp 127.0.0.1 100024 1\n',
      ].toSorted(),
    );
    expect(said.endsWith('@@faultline end\n')).toBe(true);
  });

  it('calls.sh ends a call that hears no TERM, and leaves nothing behind', async () => {
    const host = new ScriptHost(shell);
    host.program('rpcinfo', 'trap "" TERM; exec sleep 60');
    host.program(
      'timeout',
      '[ "$1 $2 $3" = "-s KILL 5" ] || exit 9; shift 3; exec /usr/bin/timeout -s KILL 1 "$@"',
    );
    const { said } = await host.run(ask('calls'), 'nfs', '10.0.0.1', '3');
    expect(said).toBe('@@faultline call 137 nfs 10.0.0.1 3\n\n@@faultline end\n');
  });

  it('server.sh prints tables, calls and what it may not read', async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    host.file('/proc/uptime', '100.0 1.0\n');
    host.file('/proc/fs/nfsd/threads', '8\n');
    host.file('/proc/fs/nfsd/clients/3/info', 'clientid: 0x1\n');
    host.program('exportfs', 'echo "/export *(rw)"; :');
    host.program('rpcinfo', rpcinfo);
    host.program(
      'ps',
      'echo " PPID STAT WCHAN COMMAND"; echo "    2 D io_schedule nfsd"; echo "    2 S x sh"; echo " 4711 D pipe_read nfsd"',
    );
    host.program('ss', 'echo "Recv-Q Send-Q"');
    host.program('dmesg', 'exit 0');
    const { said } = await host.run(ask('server'));
    expect(said).toContain('@@faultline threads\n8\n@@faultline pools\n');
    expect(said).toContain('pool_stats');
    expect(said).toContain('/3/info <==\nclientid: 0x1\n');
    expect(said).toContain(
      '@@faultline exports\n/export *(rw)\n@@faultline workers\nSTAT WCHAN COMMAND\nD io_schedule nfsd\n',
    );
    expect(said.match(/@@faultline call 0 /g)).toHaveLength(6);
    expect(said.endsWith('@@faultline kernel\n@@faultline end\n')).toBe(true);
  });

  it('server.sh says nothing of clients where the kernel lists none', async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    host.file('/proc/fs/nfsd/threads', '8\n');
    const { said } = await host.run(ask('server'));
    expect(said).toContain('@@faultline grace');
    expect(said).not.toContain('@@faultline clients');
  });

  it('dry-run.sh does not try where it gets no namespace of its own', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/asked', '');
    host.program('unshare', 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1');
    host.program('exportfs', 'echo "$*" >>/var/asked; echo "/export *(rw)"');
    const { said } = await host.run(ask('dry-run'));
    expect(said).toBe(
      '@@faultline dry\nunshare: unshare failed: Operation not permitted\n@@faultline live\n/export *(rw)\n@@faultline end\n',
    );
    expect(host.text('/var/asked')).toBe('-v\n');
  });

  it('list.sh keeps what each form of ls took, and listing.sh tells it', async () => {
    const host = new ScriptHost(shell, ['/proc/', '/etc/']);
    host.file('/proc/uptime', '100.00 1.0\n');
    host.file('/proc/self/mountinfo', `${mountinfo}\n`);
    for (const name of ['a', 'b', 'c d']) host.file(`/var/scratch/${name}`, '');
    const directory = host.path('/var/scratch');
    host.program('timeout', 'shift 3; exec "$@"');
    host.program('bash', 'printf "\\nwelcome\\nLS_COLORS=%s\\n" "di=01;34:ex=01;32"');
    await host.run('probes/nfs/act/list.sh', 'nfs-list', directory, '2', '10');
    host.file('/etc/profile.d/zz-faultline-ls-colors.sh', 'x\n');
    const { said } = await host.run(ask('listing'));
    expect(said).toContain('@@faultline mounts\n1\n');
    expect(said).toContain('directory /var/scratch\n');
    expect(said).toContain('limits 2 10\n');
    expect(said).toContain('colours profile di=01;34:ex=01;32\n');
    expect(said.match(/^form (?:plain|host|stat|off) 100\.00 100\.00 .*entries 2/gm)).toHaveLength(7);
    expect(said).toContain('@@faultline sh\nx\n\n@@faultline sh-exit 0\n');
    expect(said).toContain('@@faultline csh-exit 4\n');
  });

  it('list.sh keeps why a directory can not be looked at', async () => {
    const host = new ScriptHost(shell, ['/proc/', '/etc/']);
    host.file('/proc/uptime', '100.00 1.0\n');
    host.file('/proc/self/mountinfo', '');
    host.program('bash', 'exit 0');
    await host.run('probes/nfs/act/list.sh', 'nfs-list', host.path('/var/none'), '2', '10');
    const { said } = await host.run(ask('listing'));
    expect(said).toMatch(/^refused ls: cannot access .*No such file or directory$/m);
    expect(said).toMatch(/^form plain .*code 2/m);
  });

  it('the snippet is written whole or not at all, and removed only as it was written', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/etc/other', 'x\n');
    const path = host.path('/var/etc/snippet.sh');
    const sh = (way: keyof typeof snippetScripts, stdin: string, file = path) =>
      spawnSync('sh', ['-c', shellText(snippetScripts[way]), 'snippet', file], {
        input: stdin,
        env: { PATH: `${host.path('/bin')}:/usr/bin` },
        encoding: 'utf8',
      });
    expect(sh('install', 'a\nb\n').status).toBe(0);
    expect(host.text('/var/etc/snippet.sh')).toBe('a\nb\n');
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(sh('install', 'c\n')).toMatchObject({ status: 1, stderr: expect.stringContaining('File exists') });
    expect(sh('remove', 'a\nb')).toMatchObject({ status: 3 });
    expect(host.text('/var/etc/snippet.sh')).toBe('a\nb\n');
    expect(readdirSync(host.path('/var/etc')).toSorted()).toEqual(['other', 'snippet.sh']);
    expect(sh('remove', 'a\nb\n').status).toBe(0);
    expect(readdirSync(host.path('/var/etc'))).toEqual(['other']);
  });

  it.each([
    ['done', 0, 0],
    ['busy, with what waited aborted', 16, 0],
    ['refused', 32, 1],
  ])('the first umount that is %s (exit %i) ends with %i', async (_what, code, status) => {
    const host = new ScriptHost(shell);
    host.program('timeout', 'echo "$*" >&2; shift 3; exec "$@"');
    host.program('umount', `exit ${code}`);
    const ended = await host.run('probes/nfs/act/umount-force.sh', '/home');
    expect(ended).toEqual({ said: '', complaints: '-s KILL 15 umount -f /home\n', status });
  });

  it('the second umount is sent only where it is a mount still', async () => {
    const host = new ScriptHost(shell, ['/proc/self/']);
    host.program('sleep', 'exit 0');
    host.program('timeout', 'echo "$*"');
    host.file('/proc/self/mountinfo', mountinfo);
    const again = (path: string) => host.run('probes/nfs/act/umount-again.sh', path, path);
    expect(await again('/home')).toMatchObject({ said: '-s KILL 15 umount -f /home\n', status: 0 });
    expect(await again('/hom')).toMatchObject({ said: '', status: 0 });
  });
});
