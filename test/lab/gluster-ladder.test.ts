import { expect, it } from 'vitest';
import {
  killClient,
  locksIn,
  lockFile,
  noHook,
  orphanLock,
  slowHook,
  stopGlusterd,
  restartGlusterd,
} from './gluster-faults.ts';
import { pause, type OpenGluster } from './gluster-open.ts';
import { onPeer, PEERS } from './gluster-peer.ts';
import { describeGluster, fine, heal, healWorks, withGluster } from './gluster-suite.ts';
import { hasFuse } from './gluster.ts';

/** A refusal in the log has the locks read at once; what a busy machine may add. */
const POLL_MS = 15_000;
const SLACK_MS = 40_000;

describeGluster('the ladder on three real glusterd', () => {
  let lab: OpenGluster;
  withGluster((open) => (lab = open));

  it('rung 1 from the keyboard: the line within one poll, three key presses, verified, written down, and heal works', async () => {
    const screen = lab.screen();
    try {
      await screen.until(/Gluster.* 3 peers/, 60_000);
      await orphanLock(lab.folder);
      expect(() => heal(lab, 'gl2')).toThrow(/Locking failed on gl3/);
      await screen.until(/home0: stale lock of gl1 on gl3 since \d\d:\d\d/, POLL_MS + SLACK_MS);
      screen.type('a');
      await screen.until(/> +free the lock/);
      screen.type('\r');
      await screen.until(/Free the lock of home0/, 60_000);
      // The dialog is deaf for a moment after it opened: nobody has read it yet.
      await pause(2000);
      // Pastes do nothing there.
      for (const key of 'home0\r') {
        screen.type(key);
        await pause(200);
      }
      await screen.until(/home0 is free on gl3/, 60_000);
      screen.type('\u001B');
      // gl1 is looked at again once its glusterd is over its first minute.
      await screen.until(/home0 +free/, 150_000);
    } finally {
      screen.kill();
    }
    const acted = lab.audit().filter(({ action }) => action === 'gluster.free-lock');
    expect(acted).toMatchObject([{ kind: 'intent' }, { kind: 'result', outcome: 'done' }]);
    await healWorks(lab);
  });

  it('rung 3: glusterd of the holder alone is restarted, its brick and the other glusterd go on, the lock is gone', async () => {
    await orphanLock(lab.folder);
    const pids = (): string[] =>
      PEERS.map((peer) => onPeer(lab.folder, peer, 'pgrep', '-x', 'glusterd|glusterfsd'));
    const [, ...before] = pids();
    const brick = onPeer(lab.folder, 'gl1', 'pgrep', '-x', 'glusterfsd');
    const done = await lab.act('gluster.free-lock-restart', 'home0', '--confirm', 'restart home0');
    expect(done.text).toContain('self-heal daemon and gNFS restart');
    expect(done.code, done.text).toBe(0);
    expect(done.text).toContain('home0 is free on gl3');
    expect(pids().slice(1)).toEqual(before);
    expect(onPeer(lab.folder, 'gl1', 'pgrep', '-x', 'glusterfsd')).toBe(brick);
    await healWorks(lab);
  });

  it('rung 2: nothing is sent, the timer ends an orphan too, and that is seen', async () => {
    await orphanLock(lab.folder);
    const done = await lab.act('gluster.free-lock-wait', 'home0', '--confirm', 'home0');
    expect(done.text).toMatch(/180 s after it was taken/);
    expect(done.code, done.text).toBe(0);
    expect(locksIn(lab.folder, 'gl3')).toEqual([]);
    expect(lab.audit().at(-1)).toMatchObject({ action: 'gluster.free-lock-wait', outcome: 'done' });
  }, 500_000);

  it('R4: a transaction that a hook holds up is no orphan, the hook is named, and rung 1 is refused', async () => {
    const screen = lab.screen();
    try {
      await screen.until(/Gluster.* 3 peers/, 60_000);
      slowHook(lab.folder, 90);
      await pause(2000);
      expect(() => heal(lab, 'gl3')).toThrow(/Another transaction is in progress for home0/);
      await screen.until(/glusterd of gl2 silent: waits \d+ s for its hook S10slow\.sh/, 60_000);
      await screen.until(/home0 +gl1 on gl1, gl2, gl3, .*waits/, POLL_MS + SLACK_MS);
    } finally {
      screen.kill();
    }
    const refused = await lab.act('gluster.free-lock', 'home0', '--confirm', 'home0');
    expect(refused.code, refused.text).toBe(4);
    noHook(lab.folder);
    while (locksIn(lab.folder, 'gl1').length > 0) await pause(2000);
  });

  it('a dump of glusterd stays where it lies, also when we poll', async () => {
    const done = await lab.act('gluster.statedump-glusterd', 'gl2', '--confirm', 'gl2');
    expect(done.code, done.text).toBe(0);
    const file = /no locks; kept: gl2:(\S+glusterdump\.\d+\.dump\.\d+)/.exec(done.text)?.[1] ?? '';
    await lab.status();
    expect(onPeer(lab.folder, 'gl2', 'cat', file)).toContain('glusterd.my-uuid=');
    onPeer(lab.folder, 'gl2', 'rm', file);
  });

  it.skipIf(!hasFuse())(
    'file locks: who waits is shown and cleared; what is held only once its client is gone',
    async () => {
      const clear = (kind: string, ...more: string[]) => {
        const set = ['--set', 'path=/run.lock', '--set', `kind=${kind}`, ...more];
        return lab.act('gluster.clear-locks', 'home0', ...set, '--confirm', 'clear home0');
      };
      await lockFile(lab.folder);
      const dump = await lab.act('gluster.statedump', 'home0', '--confirm', 'home0');
      expect(dump.text).toMatch(/3 locks active, 1 waiting; kept: gl1:\S+ gl2:\S+ gl3:\S+/);
      const living = await clear('granted');
      expect(living.code, living.text).toBe(4);
      expect(living.text).toContain('cl1 is connected to the brick');
      const waiting = await clear('blocked');
      expect(waiting.code, waiting.text).toBe(0);
      expect(waiting.text).toContain('none of these locks is waiting on /run.lock');
      killClient(lab.folder, 'cl1');
      await pause(1000);
      // The same volume once more within ten minutes: guard 13 wants to know why.
      const held = await clear('granted', '--set', 'exceed13=its client is gone now');
      expect(held.code, held.text).toBe(0);
      expect(held.text).toContain('none of these locks is held on /run.lock');
    },
  );

  it('a glusterd that is down is told, its brick goes on, and nothing is asked of it', async () => {
    stopGlusterd(lab.folder, 'gl3');
    await pause(2000);
    const { findings, readings } = await lab.status();
    expect(findings.find(({ kind }) => kind === 'glusterd-down')?.summary).toBe(
      'glusterd of gl3 does not run; its brick goes on',
    );
    expect(findings.map(({ kind }) => kind)).not.toContain('brick-down');
    expect(readings.filter(({ state }) => state === 'failed')).toEqual([]);
    restartGlusterd(lab.folder, 'gl3');
    // Just started: it must not be signalled, and its locks are not known rather than none.
    await pause(3000);
    await fine(lab);
    expect(onPeer(lab.folder, 'gl3', 'gluster', 'pool', 'list')).toContain('localhost');
  });
});
