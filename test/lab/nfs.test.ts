import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MOST_KEYS, pause, summaries } from './kernel-session.ts';
import { nfsLabProblem, NfsSession } from './nfs-session.ts';
import { until } from './processes.ts';

/** For how long the mount hangs: two minutes, or what `npm run test:hang` says. */
const HANG_MINUTES = Number(process.env['FAULTLINE_HANG_MINUTES'] ?? 2);

describe.skipIf(nfsLabProblem() !== undefined)('NFS between real kernels', () => {
  const lab = new NfsSession('nfs');
  beforeAll(() => lab.begin());
  // A test that failed half-way leaves its fault to no other.
  afterEach(() => {
    lab.on('nfs1', 'fsfreeze -u /export; iptables-legacy -F; cp /hostfs/exports /etc/exports; exportfs -ra');
  });
  afterAll(() => lab.end());

  it('finds nothing where all is well', async () => {
    expect(summaries(await lab.status())).toEqual([]);
  });

  it('dead statd before the first lock: said at the first poll, proven by a refused lock, cured by keys and a real lock', async () => {
    lab.on('cn1', 'pkill -9 -x rpc.statd');
    expect(summaries(await lab.status())).toEqual([
      'warning statd-dead: cn1: rpc.statd is dead, locks to servers not yet in use will be refused (NFSv3)',
    ]);
    expect(lab.lock('cn1')).toBe(71);
    expect(summaries(await lab.status()).join('\n')).toMatch(
      /cn1: rpc\.statd is dead, file locks are refused/,
    );
    const keys = await lab.cureByKeys({
      finding: /cn1: rpc\.statd is dead/,
      action: />\s+restart rpc\.statd/,
      dialog: /will run +\/hostfs\/restart-statd[^]*type "cn1"/,
      word: 'cn1',
    });
    expect(keys).toBeLessThanOrEqual(MOST_KEYS);
    expect(lab.lock('cn1')).toBe(0);
  });

  it('export withdrawn: named at the first poll, refused with a bad line, cured by keys and read', async () => {
    expect(lab.readFresh('cn1', '/home/readme')).toBe('home');
    lab.on('nfs1', 'exportfs -u 10.119.0.0/24:/export/home');
    expect(lab.readFresh('cn1', '/home/readme')).toContain('Stale file handle');
    const found = await lab.status();
    expect(summaries(found)).toEqual([
      'critical export-withdrawn: nfs1:/export/home is no longer exported: 2 clients mount it (cn[1-2])',
    ]);
    lab.on('nfs1', 'sed -i "1s/rw,/rw,nonsense,/" /etc/exports');
    const refused = await lab.act('nfs.export-again', 'nfs1', 'nfs1');
    expect(refused.code).toBe(4);
    expect(refused.said).toContain('nonsense');
    expect(lab.on('nfs1', 'exportfs -v').text).toContain('/export/apps');
    lab.on('nfs1', 'cp /hostfs/exports /etc/exports');
    const keys = await lab.cureByKeys({
      finding: /nfs1:\/export\/home is no longer exported/,
      action: />\s+export \/etc\/exports again/,
      dialog: /will run +exportfs -ra[^]*type "nfs1"/,
      word: 'nfs1',
    });
    expect(keys).toBeLessThanOrEqual(MOST_KEYS);
    expect(lab.readFresh('cn1', '/home/readme')).toBe('home');
  });

  it('threads exhausted by a frozen disk: named by its proofs, more threads answer a real read, and the number is put back', async () => {
    lab.on('cn2', 'for n in 1 2 3 4; do echo x >/home/f$n; done');
    lab.on('nfs1', 'rpc.nfsd 3; fsfreeze -f /export');
    // One more than there are threads: of twice as many two are free.
    for (const n of [1, 2, 3, 4])
      lab.leave('cn2', `dd if=/dev/zero of=/home/f${n} bs=4k count=1 conv=fsync,notrunc`);
    const found = await lab.status();
    const hung = found.find(({ kind }) => kind === 'mount-hung');
    expect(hung?.summary).toMatch(/nfs1 hangs on cn2 of 2 clients: no thread of nfsd is free/);
    expect(hung?.suspects).toMatchObject([{ cause: 'threads-exhausted' }]);
    const keys = await lab.cureByKeys({
      finding: /nfs1 hangs on cn2/,
      action: />\s+raise the number of nfsd threads/,
      dialog: /will run +rpc\.nfsd 6/,
      word: 'y',
    });
    expect(keys).toBeLessThanOrEqual(MOST_KEYS);
    expect(lab.readFresh('cn1', '/apps/readme')).toBe('apps');
    lab.on('nfs1', 'fsfreeze -u /export');
    const restored = await lab.act(`undo:${await lab.lastRun()}`, 'nfs1', 'y');
    expect(restored.said).toContain('"done"');
    expect(lab.on('nfs1', 'cat /proc/fs/nfsd/threads').text.trim()).toBe('3');
    lab.on('nfs1', 'rpc.nfsd 8');
  });

  it(
    `hung server: named within two polls of the first waiter; for ${HANG_MINUTES} minutes nothing of ours waits, keys are drawn as before; it goes on when the port does`,
    async () => {
      const before = await keyTimes(lab);
      const drop = 'iptables-legacy -I INPUT -i vec0 -p tcp --dport 2049 -j DROP';
      lab.on('nfs1', `${drop}; iptables-legacy -I OUTPUT -o vec0 -p tcp --sport 2049 -j DROP`);
      lab.leave('cn1', 'stat /home/nobody; touch /tmp/went-on');
      const found = await lab.status();
      expect(summaries(found)[0]).toMatch(
        /^critical mount-hung: nfs1 hangs on cn1(?: of 2 clients)?: port 2049 is silent, portmapper answers; 1 process waits$/,
      );
      // A second client that waits joins the same finding.
      lab.leave('cn2', 'stat /home/nobody');
      expect(summaries(await lab.status())[0]).toMatch(/nfs1 hangs on cn\[1-2\]: .*; 2 processes wait$/);
      // The kernel's own word comes after three minutes.
      expect(lab.on('cn1', 'dmesg').text).not.toContain('not responding');
      const screen = lab.openConsole();
      try {
        await screen.until(/nfs1 hangs on cn/, 120_000);
        const over = performance.now() + HANG_MINUTES * 60_000;
        while (performance.now() < over) {
          expect(lab.on('cn1', lastingWaiters).text.trim()).toBe('stat');
          expect(ownWaiters(screen.pid)).toEqual([]);
          await pause(5000);
        }
      } finally {
        screen.kill();
      }
      const during = await keyTimes(lab);
      process.stdout.write(
        `key to frame: ${before.toFixed(0)} ms before, ${during.toFixed(0)} ms while a mount hangs\n`,
      );
      expect(during).toBeLessThan(before * 4 + 100);
      // A call ends after 5 s.
      await pause(8000);
      for (const host of ['cn1', 'cn2'] as const)
        expect(lab.on(host, 'ps -eo stat,comm | awk \'$2 == "rpcinfo" && $1 !~ /^Z/\'').text).toBe('');
      lab.on('nfs1', 'iptables-legacy -F');
      // The longer it was silent, the longer TCP waits before it tries again: up to two minutes.
      await until(
        'the process that waited goes on',
        () => lab.on('cn1', '[ -e /tmp/went-on ]').code === 0,
        240_000,
      );
      await until('the other client reads', () => lab.readFresh('cn2', '/home/readme') === 'home', 240_000);
    },
    (HANG_MINUTES + 8) * 60_000,
  );
});

/** The median time from a key to what it draws, ms. */
const keyTimes = async (lab: NfsSession): Promise<number> => {
  const screen = lab.openConsole();
  const times: number[] = [];
  try {
    await screen.until(/─ Findings ─/, 90_000);
    await pause(10_000);
    for (let turn = 0; turn < 15; turn += 1) {
      const began = performance.now();
      screen.type(turn % 2 === 0 ? '?' : 'q');
      await screen.until(turn % 2 === 0 ? /─ Keys ─/ : /─ Findings ─/, 20_000);
      times.push(performance.now() - began);
      await pause(200);
    }
  } finally {
    screen.kill();
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
};

/**
 * Who is in state D in two looks, 2 s apart: a program that is just being read from the disk waits, too, for a moment. Kernel threads aside:
 * that which keeps NFSv4 alive waits.
 */
const lastingWaiters = `look() { ps -eo pid,ppid,stat,comm | awk '$2 != 2 && $3 ~ /^D/ { print $1, $4 }' | sort; }
look >/tmp/waiters
sleep 2
look | comm -12 /tmp/waiters - | cut -d' ' -f2`;

/** Processes of a console on this machine that wait uninterruptibly. */
const ownWaiters = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return /\) D /.test(stat) ? [stat] : [];
  });
