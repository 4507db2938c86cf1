import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { summaries } from './kernel-session.ts';
import { nfsLabProblem, NfsSession } from './nfs-session.ts';
import { until } from './processes.ts';

describe.skipIf(nfsLabProblem() !== undefined)('NFS mounts and registrations between real kernels', () => {
  const lab = new NfsSession('nfs-mounts');
  beforeAll(async () => {
    await lab.begin();
    for (const host of ['cn1', 'cn2'] as const)
      lab.on(host, 'echo "nfs1:/export/home /home nfs vers=3,hard,retry=0 0 0" >/etc/fstab');
  });
  // A test that failed half-way leaves its fault to no other.
  afterEach(() => {
    lab.on('nfs1', 'iptables-legacy -F; ip6tables-legacy -F');
  });
  afterAll(() => lab.end());

  const drop = 'iptables-legacy -I INPUT -i vec0 -p tcp --dport 2049 -j DROP';
  const waiting = (): string => lab.on('cn1', 'pgrep -x stat; pgrep -x dd').text.trim();

  it('a hung mount is unmounted by two calls, whose waiting processes were named; it is mounted again once its server answers', async () => {
    lab.on('nfs1', `${drop}; iptables-legacy -I OUTPUT -o vec0 -p tcp --sport 2049 -j DROP`);
    lab.leave('cn1', 'exec stat /home/nobody');
    lab.leave('cn1', 'exec dd if=/dev/zero of=/home/new bs=4k count=1 conv=fsync');
    expect(summaries(await lab.status())[0]).toMatch(/^critical mount-hung: nfs1 hangs on cn1/);
    expect(waiting().split('\n')).toHaveLength(2);

    const umount = ['nfs.umount', 'cn1', 'umount cn1', '--set', 'mount=/home'] as const;
    const plan = await lab.act(...umount, '--dry-run');
    expect(plan.said).toMatch(/ends with an error, at least: (?:stat|dd) \d+, (?:stat|dd) \d+/);
    expect(plan.said).toContain('not yet confirmed by the server is lost');
    expect(lab.on('cn1', 'grep -c " /home " /proc/self/mountinfo').text.trim()).toBe('1');

    const done = await lab.act(...umount);
    expect(done.said).toContain('"done"');
    expect(lab.on('cn1', 'grep " /home " /proc/self/mountinfo').text).toBe('');
    expect(lab.on('cn1', 'cat /proc/fs/nfsfs/volumes').text).not.toMatch(/^v3/m);
    expect(waiting()).toBe('');

    const remount = ['nfs.remount', 'cn1', 'remount cn1', '--set', 'mount=/home'] as const;
    expect((await lab.act(...remount)).code).toBe(4);
    lab.on('nfs1', 'iptables-legacy -F');
    // Its NFSv4 mount goes on by itself; TCP tries again within two minutes.
    expect(
      lab.on('cn1', 'timeout -s KILL 55 stat /apps/readme >/dev/null || timeout -s KILL 55 stat /apps/readme')
        .code,
    ).toBe(0);
    const again = await lab.act(...remount);
    expect(again.said).toContain('"done"');
    expect(lab.readFresh('cn1', '/home/readme')).toBe('home');
    // One that is mounted and answers is unmounted before.
    const anew = await lab.act('nfs.remount', 'cn2', 'remount cn2', '--set', 'mount=/home');
    expect(anew.said).toContain('"done"');
    expect(lab.readFresh('cn2', '/home/readme')).toBe('home');
  });

  it('a killed request hangs nothing beside a server that does', async () => {
    lab.on('nfs1', 'ip addr add 10.119.0.2/24 dev vec0');
    lab.on('cn2', 'mkdir -p /two; mount -t nfs -o vers=3,hard 10.119.0.2:/export/apps /two');
    lab.on('nfs1', 'iptables-legacy -I INPUT -d 10.119.0.2 -p tcp --dport 2049 -j DROP');
    lab.leave('cn2', 'exec stat /two/nobody');
    lab.on('cn2', 'sleep 2; pkill -9 -x stat');
    lab.on('nfs1', 'iptables-legacy -F; iptables-legacy -I INPUT -d 10.119.0.1 -p tcp --dport 2049 -j DROP');
    lab.leave('cn2', 'exec stat /home/nobody-2');
    const found = summaries(await lab.status());
    lab.on('nfs1', 'iptables-legacy -F');
    expect(found[0]).toMatch(/mount-hung: nfs1 hangs on cn2/);
    expect(found.join('\n')).not.toContain('10.119.0.2 hangs');
  });

  it('a dead rpcbind is restarted with what it forgot: a new mount and a lock are granted', async () => {
    lab.on('nfs1', 'pkill -9 -x rpcbind');
    expect(summaries(await lab.status())).toContain(
      'warning rpcbind-dead: nfs1: rpcbind is dead: new NFSv3 mounts and first locks fail',
    );
    const mount = 'mkdir -p /new; timeout -s KILL 30 mount -t nfs -o vers=3,retry=0 nfs1:/export/apps /new';
    expect(lab.on('cn2', mount).code).not.toBe(0);
    const cured = await lab.act('nfs.restart-rpcbind', 'nfs1', 'restart nfs1');
    expect(cured.said).toContain('"done"');
    for (const name of ['nfs', 'nlockmgr', 'mountd', 'status'])
      expect(lab.on('nfs1', 'rpcinfo -p').text).toMatch(new RegExp(` ${name}$`, 'm'));
    expect(lab.on('cn2', mount).code).toBe(0);
    expect(lab.lock('cn1')).toBe(0);
  });

  it('over IPv6 a mount is well, called, and found to hang like any other, by the address that it uses', async () => {
    const mount = 'timeout -s KILL 30 mount -t nfs [fd00:119::1]:/export/apps';
    expect(lab.on('cn1', `mkdir -p /six3 /six4; ${mount} /six3 -o vers=3,proto=tcp6`).code).toBe(0);
    expect(lab.on('cn1', `${mount} /six4 -o vers=4.2`).code).toBe(0);
    for (const place of ['/six3', '/six4']) expect(lab.readFresh('cn1', `${place}/readme`)).toBe('apps');
    expect(summaries(await lab.status())).toEqual([]);
    lab.on(
      'nfs1',
      'ip6tables-legacy -I INPUT -p tcp --dport 2049 -j DROP; ip6tables-legacy -I OUTPUT -p tcp --sport 2049 -j DROP',
    );
    lab.leave('cn1', 'exec stat /six3/nobody');
    const found = summaries(await lab.status());
    expect(found[0]).toMatch(
      /^critical mount-hung: .*fd00:119::1.* hangs on cn1.*port 2049 is silent, portmapper answers/,
    );
    expect(found.join('\n')).not.toContain('nfs1 hangs');
    // It goes on when its TCP tries again, so that it is no fault of the next test.
    lab.on('nfs1', 'ip6tables-legacy -F');
    for (const place of ['/six3', '/six4'])
      await until(`${place} answers`, () => lab.readFresh('cn1', `${place}/readme`) === 'apps', 240_000);
    lab.on('cn1', 'umount /six3 /six4');
  });

  it('an export by wildcard that leaves a client out is told: the server says as whom it knows an address', async () => {
    lab.on(
      'nfs1',
      'sed -i "s#^/export/home .*#/export/home cn2*(rw,sync,no_subtree_check)#" /etc/exports; exportfs -ra',
    );
    expect(lab.readFresh('cn2', '/home/readme')).toBe('home');
    expect(lab.readFresh('cn1', '/home/readme')).toMatch(/Stale file handle|Permission denied/);
    expect(summaries(await lab.status())).toEqual([
      'warning export-excludes: nfs1:/export/home is not exported to cn1, though mounted there',
    ]);
    lab.on('nfs1', 'cp /hostfs/exports /etc/exports; exportfs -ra');
    expect(lab.readFresh('cn1', '/home/readme')).toBe('home');
  });
});
