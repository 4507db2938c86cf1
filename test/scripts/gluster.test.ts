import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ScriptHost, shells } from './script-host.ts';

const ask = (name: string): string => `probes/gluster/ask/${name}.sh`;
/** What disk.sh says of file systems; of clients it counts those of bricks of this machine. */
const ofDisks = (said: string): string => said.replace(/^@@faultline clients\n[^@]*/, '');
const dumpFolder = 'case $1 in --print-statedumpdir) echo /var/dumps;; esac';

/** `stat`, `status` and `comm` of a process as proc(5) has them; it is two minutes old. */
const runs = (host: ScriptHost, pid: number, caught = '0000000000000200'): void => {
  const fields = ['S', '1', ...Array.from({ length: 17 }, () => '0'), '88000'];
  host.file(`/proc/${pid}/stat`, `${pid} (glusterd) ${fields.join(' ')} 0 0\n`);
  host.file(`/proc/${pid}/comm`, 'glusterd\n');
  host.file(`/proc/${pid}/status`, `Name:\tglusterd\nSigBlk:\t0000000000000000\nSigCgt:\t${caught}\n`);
  host.file('/proc/uptime', '1000.17 1900.20\n');
  host.file('/run/glusterd.pid', `${pid}\n`);
};

describe.each(shells)('scripts of Gluster under %s', { concurrent: true }, (shell) => {
  it('unit.sh says how the unit ends its processes', async () => {
    const host = new ScriptHost(shell);
    host.program('systemctl', 'echo "KillMode=process"; echo "$*" >&2');
    expect((await host.run(ask('unit'))).said).toBe(
      '@@faultline unit\nKillMode=process\nshow glusterd -p KillMode -p LoadState -p MainPID\n@@faultline end\n',
    );
  });

  it('heal.sh asks for each volume, with the word of its version or none', async () => {
    const host = new ScriptHost(shell);
    host.program('gluster', 'printf "%s\\n" "$*"');
    expect((await host.run(ask('heal'), 'summary', 'home0', 'work')).said).toBe(
      '@@faultline heal home0\nvolume heal home0 info summary --xml\n@@faultline heal work\nvolume heal work info summary --xml\n@@faultline end\n',
    );
    expect((await host.run(ask('heal'), '', 'home0')).said).toContain('\nvolume heal home0 info --xml\n');
  });

  it('heal.sh asks for the files in split-brain only where there may be some', async () => {
    const host = new ScriptHost(shell);
    const askedFor = async (word: string, printed: string): Promise<boolean> => {
      host.program('gluster', `echo '${printed}'`);
      return (await host.run(ask('heal'), word, 'home0')).said.includes('@@faultline split home0\n');
    };
    const counts = (split: number): string =>
      `<totalNumberOfEntries>12</totalNumberOfEntries><numberOfEntriesInSplitBrain>${split}</numberOfEntriesInSplitBrain>`;
    expect(await askedFor('summary', counts(0))).toBe(false);
    expect(await askedFor('summary', counts(2))).toBe(true);
    expect(await askedFor('', '<numberOfEntries>12</numberOfEntries>')).toBe(true);
    expect(await askedFor('', '<numberOfEntries>0</numberOfEntries>')).toBe(false);
  });

  it('disk.sh counts the hosts at the port of each brick, those of the pool left out', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/lib/glusterd/peers/1', 'uuid=1\nstate=3\nhostname1=gl2\nhostname2=10.0.0.2;reboot\n');
    host.program(
      'ip',
      'echo "1: lo    inet 127.0.0.1/8 scope host lo"; echo "2: eth0    inet 10.0.0.1/24 brd x"',
    );
    host.program('getent', 'echo "10.0.0.2        STREAM $2 $3"');
    host.program(
      'ps',
      `echo '/usr/sbin/glusterfsd -s gl1 --brick-name /data/a b -l /var/log/x.log --xlator-option *-posix.glusterd-uuid=1 --brick-port 49152 --xlator-option y'
echo '/usr/sbin/glusterfsd -s gl1 --brick-name /data/c -l /var/log/y.log --brick-port 49153'`,
    );
    const line = (near: string, far: string): string => `echo '0      0      ${near} ${far}'`;
    host.program(
      'ss',
      [
        "echo 'Recv-Q Send-Q Local Address:Port Peer Address:Port'",
        line('10.0.0.1:49152', '10.0.0.1:49151'),
        line('10.0.0.1:49152', '10.0.0.2:49151'),
        line('10.0.0.1:49152', '10.0.0.3:49151'),
        line('10.0.0.1:1023', '10.0.0.3:24007'),
        line('10.0.0.1:49152', '10.0.0.11:1020'),
        line('[::ffff:10.0.0.1]:49152', '[::ffff:10.0.0.11]:1019'),
        line('[fe80::1]%eth0:49152', '[fe80::12]%eth0:1019'),
        line('10.0.0.1:24007', '10.0.0.13:1018'),
      ].join('\n'),
    );
    const { said } = await host.run(ask('disk'));
    const [head, ...counts] = said.trim().split('\n');
    expect(head).toBe('@@faultline clients');
    expect(counts.toSorted()).toEqual(['0 /data/c', '2 /data/a b', '@@faultline end']);
    host.program('ss', 'echo "Cannot open netlink socket: Permission denied" >&2; exit 1');
    expect((await host.run(ask('disk'))).said).toBe(
      '@@faultline not-counted Cannot open netlink socket: Permission denied\n@@faultline end\n',
    );
  });

  it('copies.sh says what each copy is, its sum, whom it accuses, and of a folder what its names stand for', async () => {
    const host = new ScriptHost(shell);
    host.file('/var/b/a b', 'hello\n');
    host.file('/var/b/d/one', '');
    host.program(
      'getfattr',
      `case $2 in -n) for last; do :; done; printf '# file: %s\\ntrusted.gfid=0x30f2\\n\\n' "$last";; *) printf '# file: x\\ntrusted.afr.v-client-1=0x01\\ntrusted.gfid=0xdb4f\\n';; esac`,
    );
    const { said } = await host.run(
      ask('copies'),
      host.path('/var/b/a b'),
      host.path('/var/b/d'),
      host.path('/var/b/none'),
    );
    const [file = '', folder = '', none = ''] = said.split('@@faultline copy ').slice(1);
    expect(file).toMatch(
      /^\/var\/b\/a b\nis 6 \d+ 81[0-9a-f]{2} \d+ \d+\ntrusted\.afr\.v-client-1=0x01\ntrusted\.gfid=0xdb4f\nattributes whole\nsum 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03\n$/,
    );
    expect(folder).toMatch(/^\/var\/b\/d\nis \d+ \d+ 4[0-9a-f]{3} \d+ \d+\n/);
    expect(folder).toContain('\nentry 0x30f2 one\n');
    expect(none).toMatch(/^\/var\/b\/none\nfailed stat: .*No such file or directory\n@@faultline end\n$/);
  });

  it.each([
    ['is missing', 'exit 127'],
    ['is cut off', 'printf "trusted.gfid=0xdb4f\\n"; exit 124'],
  ])('copies.sh does not call attributes whole where getfattr %s', async (_what, script) => {
    const host = new ScriptHost(shell);
    host.file('/var/b/it', 'hello\n');
    host.program('getfattr', script);
    const { said } = await host.run(ask('copies'), host.path('/var/b/it'));
    expect(said).toContain('\nsum 5891');
    expect(said).not.toContain('attributes whole');
  });

  it('save-copy.sh exits 0 only when the copy lies there as it was shown; it never writes where others may', async () => {
    const host = new ScriptHost(shell);
    const script = 'probes/gluster/act/save-copy.sh';
    const sum = '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03';
    host.program('getfattr', 'echo trusted.gfid=0xdb4f');
    host.file('/var/b/it', 'hello\n');
    const save = (folder: string, was: string) =>
      host.run(script, host.path('/var/b/it'), host.path(folder), 'v_it', was);
    expect(await save('/var/saved', sum)).toEqual({
      said: 'saved /var/saved/v_it\n',
      complaints: '',
      status: 0,
    });
    expect(host.text('/var/saved/v_it')).toBe('hello\n');
    expect(host.text('/var/saved/v_it.attributes')).toContain('trusted.gfid=0xdb4f');
    expect((await save('/var/saved2', '')).status).toBe(0);
    host.file('/var/b/it', 'other\n');
    const changed = await save('/var/saved3', sum);
    expect(changed.status).toBe(1);
    expect(changed.complaints).toContain('is not what was shown');
    expect(host.has('/var/saved3/v_it')).toBe(false);
    host.file('/var/open/x', '');
    chmodSync(host.path('/var/open'), 0o777);
    expect((await save('/var/open', '')).status).toBe(1);
    expect(host.has('/var/open/v_it')).toBe(false);
    expect(
      (await host.run(script, host.path('/var/b/none'), host.path('/var/saved'), 'n', '')).status,
    ).not.toBe(0);
  });

  it('save-copy.sh: nothing on a brick, no full disk, no link, nothing overwritten, nothing left half', async () => {
    const host = new ScriptHost(shell);
    host.program('getfattr', 'echo trusted.gfid=0xdb4f');
    host.program('df', 'echo head; echo "/dev/a 1 1 99999999 1% /"');
    host.file('/var/b/it', 'hello\n');
    host.file('/var/b/.glusterfs/x', '');
    const save = (from: string, folder: string, was = '') =>
      host.run('probes/gluster/act/save-copy.sh', host.path(from), host.path(folder), 'v_it', was);
    symlinkSync(host.path('/var/b'), host.path('/var/link'));
    const onBrick = await save('/var/b/it', '/var/link/saved/here');
    expect([onBrick.status, onBrick.complaints]).toEqual([
      1,
      '/var/link/saved/here lies on the brick /var/b\n',
    ]);
    expect(host.has('/var/b/saved')).toBe(false);
    symlinkSync(host.path('/var/b/it'), host.path('/var/b/other'));
    expect((await save('/var/b/other', '/var/saved')).complaints).toContain('is no file');
    expect((await save('/var/b/it', '/var/saved')).status).toBe(0);
    expect((await save('/var/b/it', '/var/saved')).status).toBe(0);
    host.file('/var/b/it', 'other\n');
    expect((await save('/var/b/it', '/var/saved')).complaints).toContain('not overwritten');
    expect((await save('/var/b/it', '/var/saved', 'ff')).complaints).toContain('not what was shown');
    host.program('df', 'echo head; echo "/dev/a 1 1 102000 1% /"');
    expect((await save('/var/b/it', '/var/saved2')).complaints).toContain('No space left');
    expect(readdirSync(host.path('/var/saved')).toSorted()).toEqual(['v_it', 'v_it.attributes']);
    expect(host.text('/var/saved/v_it')).toBe('hello\n');
    expect(readdirSync(host.path('/var/saved2'))).toEqual([]);
  });

  it('clients.sh names those that dumps and arguments name, and who is connected', async () => {
    const host = new ScriptHost(shell);
    host.program('gluster', dumpFolder);
    host.program('getent', 'echo "10.0.0.7 STREAM $2"');
    host.program(
      'ss',
      'echo "0 0 10.0.0.1:49152 10.0.0.7:1020 users:((\\"glusterfsd\\",pid=7))"; echo other',
    );
    host.file(
      '/var/dumps/brick.7.dump.1',
      'conn.0.id=CTX_ID:1-GRAPH_ID:0-PID:7-HOST:node1-PC_NAME:home0\nconn.1.id=node2-12-2026/11/20-1:2:3\n',
    );
    const named = ['node1', 'node2', 'node9'].map(
      (name) => `@@faultline name ${name}\n10.0.0.7 STREAM ${name}\n`,
    );
    expect((await host.run(ask('clients'), 'node9')).said).toBe(
      `${named.join('')}@@faultline ends\n0 0 10.0.0.1:49152 10.0.0.7:1020 users:(("glusterfsd",pid=7))\n@@faultline end\n`,
    );
  });

  it('dumps.sh gives the newest dump of each process, of bricks only what belongs to locks', async () => {
    const host = new ScriptHost(shell);
    host.program('gluster', dumpFolder);
    host.file(
      '/var/dumps/glusterdump.5.dump.9',
      'DUMP-START-TIME: x\n[global]\nglusterd.my-uuid=u\nother=1\n',
    );
    const brick =
      'DUMP-START-TIME: y\n[xlator.features.locks.home0-locks.inode]\npath=/a\nsize=1\nposixlk.posixlk[0](ACTIVE)=type=WRITE\n[xlator.features.locks.home0-locks.inode]\npath=/b\n';
    host.file('/var/dumps/brick.7.dump.1', brick);
    expect((await host.run(ask('dumps'))).said.split('@@faultline ').toSorted()).toEqual([
      '',
      'end\n',
      'file /var/dumps/brick.7.dump.1\nDUMP-START-TIME: y\n\n[xlator.features.locks.home0-locks.inode]\npath=/a\nposixlk.posixlk[0](ACTIVE)=type=WRITE\n',
      'file /var/dumps/glusterdump.5.dump.9\nDUMP-START-TIME: x\nglusterd.my-uuid=u\n',
      'unread 0\n',
    ]);
  });

  it("disk.sh says of each brick's file system its mount, room and mark, and which one hangs", async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    host.file('/proc/self/mounts', '/dev/a / ext4 rw 0 0\n/dev/b /bricks/b1 xfs ro,noatime 0 0\n');
    host.program(
      'stat',
      'case $3 in *b1) echo /bricks/b1;; *slow) exit 124;; *) echo "stat: gone" >&2; exit 1;; esac',
    );
    host.program(
      'df',
      'echo "Filesystem 1024-blocks Used Available"; echo "/dev/b 100 60 40 60% /bricks/b1"',
    );
    host.program('id', 'echo 0');
    host.program('getfattr', 'echo "# file: $6"; echo trusted.glusterfs.volume-id=0x01ab; echo');
    expect(ofDisks((await host.run(ask('disk'), '/bricks/b1', '/bricks/slow', '/bricks/gone')).said)).toBe(
      '@@faultline brick /bricks/b1\nmount /bricks/b1\noptions ro,noatime\nspace 100 60 40\ninodes 100 60 40\nid 01ab\n@@faultline brick /bricks/slow\nhangs\n@@faultline brick /bricks/gone\nfailed stat: gone\n@@faultline end\n',
    );
    host.program('id', 'echo 1000');
    expect((await host.run(ask('disk'), '/bricks/b1')).said).not.toContain('id ');
  });

  it('disk.sh leaves a question alone that nothing ends, and goes on with the next brick', async () => {
    const host = new ScriptHost(shell, ['/proc/self']);
    host.file('/proc/self/mounts', '/dev/b /bricks/b1 xfs rw 0 0\n');
    host.file('/var/asked', '');
    // It ignores TERM, as a process that waits for a disk does.
    host.program(
      'stat',
      'case $3 in *stuck*) trap "" TERM; echo x >>/var/asked; n=0; while [ $n -lt 130 ]; do sleep 0.1; n=$((n + 1)); done; echo >/var/over;; *) echo /bricks/b1;; esac',
    );
    host.program('df', 'echo Filesystem; echo "/dev/b 100 60 40 60% /bricks/b1"');
    host.program('id', 'echo 1000');
    const look = async (): Promise<string> =>
      ofDisks((await host.run(ask('disk'), `/bricks/stuck-${shell}`, '/bricks/b1')).said);
    const expected = `@@faultline brick /bricks/stuck-${shell}\nhangs\n@@faultline brick /bricks/b1\nmount /bricks/b1\noptions rw\nspace 100 60 40\ninodes 100 60 40\n@@faultline end\n`;
    expect(await look()).toBe(expected);
    // The next look finds it still there, and leaves no second one.
    expect(await look()).toBe(expected);
    expect(host.has('/var/over')).toBe(false);
    expect(host.text('/var/asked')).toBe('x\n');
  }, 40_000);

  it('disk.sh says that df hangs; and of a mark that could not be looked for nothing', async () => {
    const host = new ScriptHost(shell, ['/proc/self']);
    host.file('/proc/self/mounts', '/dev/b /bricks/b1 xfs rw 0 0\n');
    host.program('stat', 'echo /bricks/b1');
    host.program('df', 'exit 124');
    host.program('id', 'echo 0');
    const said = async (): Promise<string> => ofDisks((await host.run(ask('disk'), '/bricks/b1')).said);
    expect(await said()).toBe(
      '@@faultline brick /bricks/b1\nmount /bricks/b1\noptions rw\nhangs\n@@faultline end\n',
    );
    host.program('df', 'echo Filesystem; echo "/dev/b 100 60 40 60% /bricks/b1"');
    for (const [error, line] of [
      ['trusted.glusterfs.volume-id: No such attribute', 'id \n'],
      ['Operation not permitted', ''],
      ['cannot execute', ''],
    ]) {
      host.program('getfattr', `echo "${error}" >&2; exit 1`);
      expect(await said()).toMatch(new RegExp(`inodes 100 60 40\n${line}@@faultline end\n$`));
    }
  });

  it('log.sh reads on where it ended, and says when there is no log', async () => {
    const host = new ScriptHost(shell);
    const log = '/var/log/glusterfs/glusterd.log';
    expect((await host.run(ask('log'), '0', '0')).said).toBe(
      `@@faultline missing /var/log/glusterfs/etc-glusterfs-glusterd.vol.log\n@@faultline end\n`,
    );
    host.file(log, 'Lock for home0 held\nnothing\n');
    const { said } = await host.run(ask('log'), '0', '0');
    expect(said).toMatch(/^@@faultline log \d+ 28 first \S+\nLock for home0 held\n@@faultline end\n$/);
    host.file(log, 'Lock for home0 held\nnothing\nLock for work held\n');
    const inode = said.split(' ')[2] ?? '';
    expect((await host.run(ask('log'), inode, '28')).said).toBe(
      `@@faultline log ${inode} 47 on ${log}\nLock for work held\n@@faultline end\n`,
    );
  });

  it('peer.sh asks glusterd that runs, and not one that is stopped', async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    host.program('glusterd', 'echo "glusterfs 10.3"; echo rest');
    host.program('gluster', 'echo "$*"');
    host.program('ps', 'case $* in *--ppid*) echo "5 sh /hooks/1 x";; *) echo "7 Ssl 100 glusterfsd";; esac');
    host.file('/var/lib/glusterd/glusterd.info', 'UUID=u\n');
    runs(host, 4242);
    const { said } = await host.run(ask('peer'));
    expect(said).toMatch(/^@@faultline clock \d+\n@@faultline glusterd 4242 S 88000 120\n/);
    expect(said).toContain(
      '@@faultline version\nglusterfs 10.3\n@@faultline info\nUUID=u\n@@faultline pool\npool list\n\n@@faultline pool-exit 0\n@@faultline peers\npeer status\n\n@@faultline peers-exit 0\n@@faultline hooks\n5 sh /hooks/1 x\n@@faultline processes\n7 Ssl 100 glusterfsd\n@@faultline pidfiles\n',
    );
    expect(said).toMatch(/@@faultline end\n$/);
    host.file('/proc/4242/stat', host.text('/proc/4242/stat').replace(') S ', ') T '));
    expect((await host.run(ask('peer'))).said).not.toContain('@@faultline pool');
  });

  it('lock.sh lets glusterd write its dump, takes it away, and signals nobody who is not ready', async () => {
    const host = new ScriptHost(shell, ['/proc/']);
    host.program('gluster', dumpFolder);
    mkdirSync(host.path('/var/dumps'), { recursive: true });
    const write = `printf 'DUMP-START-TIME: x\\n[g]\\nglusterd.mgmt_v3_lock:\\n\\tnone\\nDUMP-END-TIME: y\\n' >'${host.path('/var/dumps')}'/glusterdump.$$.dump.1`;
    const glusterd = spawn('sh', ['-c', `trap "$WRITE" USR1; echo on; while :; do sleep 0.05; done`], {
      env: { ...process.env, WRITE: write },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(glusterd.stdout, 'data');
      const pid = glusterd.pid ?? 0;
      runs(host, pid, '0000000000000000');
      expect((await host.run(ask('lock'))).said).toBe(
        `@@faultline glusterd ${pid} S 88000 120\n@@faultline skip uncaught\n@@faultline end\n`,
      );
      runs(host, pid);
      expect((await host.run(ask('lock'))).said).toBe(
        `@@faultline glusterd ${pid} S 88000 120\n@@faultline dump /var/dumps/glusterdump.${pid}.dump.1\nDUMP-START-TIME: x\nglusterd.mgmt_v3_lock:\n\tnone\nDUMP-END-TIME: y\n@@faultline end\n`,
      );
      expect(readdirSync(host.path('/var/dumps'))).toEqual([]);
    } finally {
      glusterd.kill('SIGKILL');
    }
  });
});
