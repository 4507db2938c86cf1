import { expect, it } from 'vitest';
import {
  disconnect,
  freezeGlusterd,
  killBrick,
  locksIn,
  oldOpVersion,
  orphanLock,
  reconnect,
  setOption,
  thawGlusterd,
  waitingForPeer,
} from './gluster-faults.ts';
import { pause, poll, type OpenGluster } from './gluster-open.ts';
import { CLIENTS, onPeer, PEERS } from './gluster-peer.ts';
import { describeGluster, fine, heal, healWorks, withGluster } from './gluster-suite.ts';
import { BRICK, connected, hasFuse } from './gluster.ts';
import { until } from './processes.ts';

/** Messages that a glusterd sent to its peers so far: each transaction costs several. */
const sent = (lab: OpenGluster, peer: string): number => {
  const script = `dumps=/run/gluster/glusterdump.$1.dump.*
rm -f $dumps; kill -USR1 "$1"; sleep 1; grep -a 'rpc.msgs_sent=' $dumps; rm -f $dumps; true`;
  const text = onPeer(
    lab.folder,
    peer,
    'sh',
    '-c',
    script,
    'sent',
    onPeer(lab.folder, peer, 'cat', '/run/glusterd.pid').trim(),
  );
  const counts = [...text.matchAll(/msgs_sent=(\d+)/g)].map(([, count]) => Number(count));
  if (counts.length === 0) throw new Error(`no dump of ${peer}`);
  return counts.reduce((all, one) => all + one, 0);
};

const dumpsLeft = (lab: OpenGluster): string[] =>
  PEERS.flatMap((peer) =>
    onPeer(lab.folder, peer, 'sh', '-c', 'ls /run/gluster')
      .split('\n')
      .filter((name) => name.startsWith('glusterdump')),
  );

describeGluster('three real glusterd', () => {
  let lab: OpenGluster;
  withGluster((open) => (lab = open));

  it('are well: every probe answers, nothing is found, the volume can be written', async () => {
    const { findings, readings } = await lab.status();
    expect(findings).toEqual([]);
    expect(readings.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(readings.filter(({ probe }) => probe === 'gluster.lock')).toHaveLength(PEERS.length);
    if (!hasFuse())
      process.stderr.write('no /dev/fuse: the volume is not mounted, client checks are skipped\n');
    else for (const peer of CLIENTS) onPeer(lab.folder, peer, 'sh', '-c', `echo ${peer} > /srv/mnt/${peer}`);
  });

  // FAULTLINE_LAB_POLL_S=600 polls for ten minutes.
  const seconds = Number(process.env['FAULTLINE_LAB_POLL_S'] ?? 100);
  it(
    'polling takes no volume lock: no transaction is begun, and no dump of ours stays',
    async () => {
      const before = PEERS.map((peer) => sent(lab, peer));
      const asked = await poll(lab.siteFile, seconds);
      expect(asked['gluster.peer'] ?? 0).toBeGreaterThanOrEqual(PEERS.length * 3);
      expect(asked['gluster.lock'] ?? 0).toBeGreaterThanOrEqual(PEERS.length);
      expect(asked['gluster.heal'] ?? 0).toBeGreaterThanOrEqual(1);
      expect(PEERS.map((peer) => sent(lab, peer))).toEqual(before);
      expect(dumpsLeft(lab)).toEqual([]);
      // The measure itself: a command that takes the lock is seen by it.
      onPeer(lab.folder, 'gl1', 'gluster', 'volume', 'status', 'home0');
      expect(sent(lab, 'gl1')).toBeGreaterThan(before[0] ?? 0);
    },
    (seconds + 200) * 1000,
  );

  it('R3: an orphaned lock is named, freed by a command on its owner, verified and written down', async () => {
    await orphanLock(lab.folder);
    const { findings } = await lab.status();
    const found = findings.find(({ kind }) => kind === 'lock-orphaned');
    expect(found?.summary).toMatch(
      /^home0: stale lock of gl1 on gl3 since .*; any volume command on gl1 clears it$/,
    );
    expect(found?.evidence.map(({ text }) => text).join('\n')).toContain('the lock timer ends the lock by');

    expect(() => heal(lab, 'gl2')).toThrow(/Locking failed on gl3/);
    expect(locksIn(lab.folder, 'gl3')).toHaveLength(1);
    const freed = await lab.act('gluster.free-lock', 'home0', '--confirm', 'home0');
    expect(freed.text).toContain('home0 is free on gl3');
    expect(freed.code).toBe(0);
    await healWorks(lab);
    await fine(lab);
    expect(lab.audit().at(-1)).toMatchObject({ action: 'gluster.free-lock', outcome: 'done' });
    for (const peer of hasFuse() ? CLIENTS : [])
      expect(onPeer(lab.folder, peer, 'cat', `/srv/mnt/${peer}`)).toBe(`${peer}\n`);
  });

  it('R1: the stopped glusterd is named with the end of the timer; continuing it warns, and frees', async () => {
    await waitingForPeer(lab.folder, 'WARNING');
    const { findings } = await lab.status();
    expect(findings.find(({ kind }) => kind === 'lock-blocked')?.summary).toMatch(
      /^home0: lock of gl1 on (gl1, )?gl2.* waits: glusterd of gl3 is stopped; timer ends \d\d:\d\d:\d\d$/,
    );
    expect(findings.find(({ kind }) => kind === 'glusterd-stopped')?.summary).toContain(
      'glusterd of gl3 stopped',
    );
    const wrong = await lab.act('gluster.free-lock', 'home0', '--confirm', 'home0');
    expect(wrong.code, wrong.text).toBe(4);
    const done = await lab.act('gluster.free-lock-continue', 'home0', '--confirm', 'continue home0');
    expect(done.text).toContain('will still commit');
    expect(done.code, done.text).toBe(0);
    // And so it does.
    await until(
      'what waited commits',
      () => onPeer(lab.folder, 'gl2', 'gluster', 'volume', 'info').includes('client-log-level: WARNING'),
      60_000,
    );
    await fine(lab);
  });

  it('a brick that was killed is found and started again', async () => {
    killBrick(lab.folder, 'gl2');
    const { findings } = await lab.status();
    expect(findings.find(({ kind }) => kind === 'brick-down')?.summary).toContain(`gl2:${BRICK}`);
    const done = await lab.act('gluster.start-brick', `gl2:${BRICK}`, '--confirm', `gl2:${BRICK}`);
    expect(done.code, done.text).toBe(0);
    expect((await lab.status()).findings.filter(({ kind }) => kind === 'brick-down')).toEqual([]);
  });

  it('a brick whose disk is not there is not started', async () => {
    killBrick(lab.folder, 'gl3');
    onPeer(lab.folder, 'gl3', 'mv', BRICK, `${BRICK}.away`);
    onPeer(lab.folder, 'gl3', 'mkdir', BRICK);
    const refused = await lab.act('gluster.start-brick', `gl3:${BRICK}`, '--confirm', `gl3:${BRICK}`);
    expect(refused.text).toContain("does not carry the volume's id");
    expect(refused.code).toBe(4);
    // Nor another brick of the volume: the command starts them all.
    killBrick(lab.folder, 'gl2');
    const beside = await lab.act('gluster.start-brick', `gl2:${BRICK}`, '--confirm', `gl2:${BRICK}`);
    expect(beside.text).toContain(`it would be started too: ${BRICK} does not carry`);
    expect(beside.code).toBe(4);
    onPeer(lab.folder, 'gl3', 'rmdir', BRICK);
    onPeer(lab.folder, 'gl3', 'mv', `${BRICK}.away`, BRICK);
    const done = await lab.act('gluster.start-brick', `gl3:${BRICK}`, '--confirm', `gl3:${BRICK}`);
    expect(done.code, done.text).toBe(0);
    await fine(lab);
  });

  it('dumps of the bricks land where they are, and are kept', async () => {
    const done = await lab.act('gluster.statedump', 'home0', '--confirm', 'home0');
    expect(done.text).toMatch(
      /\d+ locks active, 0 waiting; kept: gl1:\/var\/run\/gluster\/srv-brick1-home0\.\d+\.dump\.\d+/,
    );
    expect(done.code).toBe(0);
  });

  it('a peer that is stopped but blocks nothing, and one that is cut off, are told', async () => {
    freezeGlusterd(lab.folder, 'gl2');
    expect((await lab.status()).findings.map(({ kind }) => kind)).toContain('glusterd-stopped');
    thawGlusterd(lab.folder, 'gl2');
    disconnect(lab.folder, 'gl3');
    // The ends of the wire notice when they have something to say to each other.
    setOption(lab.folder, 'gl1');
    let kinds: string[] = [];
    for (let tries = 0; tries < 12 && !kinds.includes('peer-disconnected'); tries++) {
      await pause(3000);
      kinds = (await lab.status()).findings.map(({ kind }) => kind);
    }
    expect(kinds).toContain('peer-disconnected');
    reconnect(lab.folder, 'gl3');
  });

  it('R2: the one lock of before 3.6 is told from the log, with the peer that it waits for', async () => {
    await until('all peers connected', () => PEERS.every((peer) => connected(lab.folder, peer)), 90_000);
    await oldOpVersion(lab.folder, PEERS);
    await until(
      'all peers connected again',
      () => PEERS.every((peer) => connected(lab.folder, peer)),
      90_000,
    );
    await waitingForPeer(lab.folder);
    expect(() => heal(lab, 'gl1')).toThrow(/Another transaction is in progress/);
    const { findings } = await lab.status();
    expect(findings.find(({ kind }) => kind === 'lock-blocked')?.summary).toMatch(
      /^all volumes: lock of gl1 itself waits: glusterd of gl3 is stopped$/,
    );
    expect(findings.map(({ kind }) => kind)).toContain('old-op-version');
  });
});
