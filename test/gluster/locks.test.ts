import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/gluster/judge/findings.ts';
import { lockOfVolume, locksOf } from '../../probes/gluster/judge/lock-state.ts';
import { lockSeries } from '../../probes/gluster/judge/track.ts';
import { view } from '../../probes/gluster/view/view.ts';
import type { HealReading, LockReading, PeerReading } from '../../probes/gluster/readings.ts';
import { historyOf } from '../helpers/judging.ts';
import { Pool } from './world.ts';

const minute = 60_000;

/** A pool with everything read, changed by hand after that. */
const read = async (incident: string): Promise<Pool> => {
  const pool = new Pool(incident);
  await pool.poll();
  return pool;
};

const change = <T extends object>(pool: Pool, probe: string, host: string, changes: Partial<T>): void => {
  const good = pool.readings.source<T>(probe, host)?.good;
  if (!good) throw new Error(`${probe} was not read on ${host}`);
  pool.readings.good(probe, host, { ...good.value, ...changes }, good.at);
};

const modern = (pool: Pool): void => {
  for (const host of ['gl1', 'gl2', 'gl3'])
    change<PeerReading>(pool, 'gluster.peer', host, { version: '10.3', opVersion: 100_000 });
};

describe('the demo pool', () => {
  it('is quiet: locks free, every brick up, nothing found', async () => {
    const pool = await read('quiet');
    expect(findings(pool.judgement())).toEqual([]);
    expect(lockOfVolume('home0', pool.judgement())).toMatchObject({ state: 'free' });
    expect(view(pool.judgement())).toMatchObject({
      sign: 'fine',
      wall: '2/2 vol',
      summary: '3 peers, 2 volumes',
    });
  });

  it('stuck-lock: orphaned, for whom, where, since when and by which evidence', async () => {
    const pool = await read('stuck-lock');
    const [finding, ...more] = findings(pool.judgement());
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      id: 'gluster:lock-orphaned:home0',
      severity: 'critical',
      subject: { kind: 'volume', id: 'home0' },
      since: pool.now - 6 * minute,
      suspects: [{ subject: { kind: 'host', id: 'gl1' }, cause: 'stale-lock', confidence: 'high' }],
    });
    expect(finding?.summary).toMatch(
      /^home0: stale lock of gl1 on gl3 since \d\d:\d\d; any volume command on gl1 clears it$/,
    );
    expect(finding?.remedies[0]).toEqual({
      action: 'gluster.free-lock',
      subjects: [{ kind: 'volume', id: 'home0' }],
    });
    const texts = finding?.evidence.map(({ text }) => text).join('\n') ?? '';
    expect(texts).toContain('dump of gl3: home0 locked for gl1');
    expect(texts).toContain('log: Lock for home0 held by');
    expect(texts).toContain('free on gl1, gl2');
    expect(texts).toContain('no lock timer in this version of gluster');
    const row = view(pool.judgement()).blocks[0];
    expect(row?.type === 'table' && row.rows[0]?.cells['lock']?.text).toBe('gl1 on gl3, 6 min, orphan');
  });
});

describe('what a lock is', () => {
  it('blocked: the owner holds it and a peer is stopped; the timer ends it 180 s after it was seen at the latest', async () => {
    const pool = await read('quiet');
    modern(pool);
    const owner = pool.peer('gl1').uuid;
    const locks: LockReading['locks'] = [{ name: 'home0', type: 'vol', owner, lasting: true }];
    change<LockReading>(pool, 'gluster.lock', 'gl1', { locks });
    change<LockReading>(pool, 'gluster.lock', 'gl2', { locks });
    change<LockReading>(pool, 'gluster.lock', 'gl3', { skipped: 'stopped' });
    change<PeerReading>(pool, 'gluster.peer', 'gl3', {
      daemon: { state: 'stopped', pid: 7, start: 1, ageS: 9000 },
    });
    const [lock] = locksOf(pool.judgement());
    expect(lock).toMatchObject({
      kind: 'blocked',
      on: ['gl1', 'gl2'],
      waitsFor: { host: 'gl3', state: 'stopped' },
      unseen: [{ host: 'gl3' }],
      endsAt: pool.now + 180_000,
    });
    const kinds = findings(pool.judgement()).map(({ kind }) => kind);
    expect(kinds).toEqual(['lock-blocked', 'glusterd-stopped']);
    expect(findings(pool.judgement())[0]?.remedies.map(({ action }) => action)).toEqual([
      'gluster.free-lock-continue',
      'gluster.free-lock-wait',
      'gluster.free-lock-restart',
    ]);
    expect(findings(pool.judgement())[0]?.summary).toMatch(
      /glusterd of gl3 is stopped; timer ends \d\d:\d\d:\d\d$/,
    );
  });

  it('blocked also when the owner is too young to be looked at', async () => {
    const pool = await read('quiet');
    const locks: LockReading['locks'] = [
      { name: 'home0', type: 'vol', owner: pool.peer('gl1').uuid, lasting: true },
    ];
    change<LockReading>(pool, 'gluster.lock', 'gl2', { locks });
    change<LockReading>(pool, 'gluster.lock', 'gl1', { skipped: 'young' });
    change<PeerReading>(pool, 'gluster.peer', 'gl3', {
      daemon: { state: 'stopped', pid: 7, start: 1, ageS: 9000 },
    });
    expect(locksOf(pool.judgement())[0]).toMatchObject({ kind: 'blocked', on: ['gl2'] });
    const good = pool.readings.source<LockReading>('gluster.lock', 'gl1')?.good?.value;
    pool.readings.good('gluster.lock', 'gl1', { uuid: good?.uuid, locks: [], peers: [] });
    expect(locksOf(pool.judgement())[0]?.kind).toBe('held');
  });

  it('running: a fresh lock of a command that goes on is no finding, an old one is', async () => {
    const pool = await read('quiet');
    const owner = pool.peer('gl2').uuid;
    const locks: LockReading['locks'] = [{ name: 'home0', type: 'vol', owner, lasting: true }];
    for (const host of ['gl1', 'gl2', 'gl3']) change<LockReading>(pool, 'gluster.lock', host, { locks });
    expect(locksOf(pool.judgement())[0]?.kind).toBe('running');
    expect(findings(pool.judgement())).toEqual([]);
    pool.history = historyOf({ [lockSeries('home0', 'gl1')]: [{ at: pool.now - 5 * minute, value: owner }] });
    expect(findings(pool.judgement())[0]).toMatchObject({
      kind: 'lock-running',
      severity: 'warning',
      remedies: [{ action: 'gluster.free-lock-wait' }],
    });
    // Written down when it was first seen, and not again: the longer it stands, the older it is.
    const days = pool.now - 3 * 86_400_000;
    pool.history = historyOf({ [lockSeries('home0', 'gl1')]: [{ at: days, value: owner }] });
    expect(findings(pool.judgement())[0]).toMatchObject({ kind: 'lock-running', since: days });
  });

  it('not judged while a peer is away: held, never orphaned', async () => {
    const pool = await read('stuck-lock');
    pool.readings.fail('gluster.peer', 'gl2', { kind: 'connect', message: 'gl2: refused' }, pool.now);
    const [lock] = locksOf(pool.judgement());
    expect(lock?.kind).toBe('held');
    expect(lock?.reasons.join()).toContain('gl2 unknown');
  });

  it('an owner whose glusterd is too young for a signal is told by its age', async () => {
    const pool = await read('stuck-lock');
    change<LockReading>(pool, 'gluster.lock', 'gl3', {
      locks: [{ name: 'home0', type: 'vol', owner: pool.peer('gl1').uuid, lasting: true }],
    });
    change<LockReading>(pool, 'gluster.lock', 'gl1', { skipped: 'young', locks: [] });
    change<PeerReading>(pool, 'gluster.peer', 'gl1', { daemon: { state: 'up', pid: 3, start: 5, ageS: 20 } });
    const [lock] = locksOf(pool.judgement());
    expect(lock?.kind).toBe('orphaned');
    expect(lock?.reasons.join()).toContain('glusterd of gl1 was started 20 s ago');
  });

  it('peers that disagree on the owner are told', async () => {
    const pool = await read('quiet');
    for (const [host, other] of [
      ['gl1', 'gl1'],
      ['gl3', 'gl2'],
    ] as const)
      change<LockReading>(pool, 'gluster.lock', host, {
        locks: [{ name: 'home0', type: 'vol', owner: pool.peer(other).uuid, lasting: true }],
      });
    expect(findings(pool.judgement())[0]?.summary).toContain('the peers disagree');
  });

  it('a history that nobody wrote for hours does not make a timed lock older than its timer', async () => {
    const pool = await read('quiet');
    modern(pool);
    const owner = pool.peer('gl1').uuid;
    change<LockReading>(pool, 'gluster.lock', 'gl3', {
      locks: [{ name: 'home0', type: 'vol', owner, lasting: true }],
    });
    pool.history = historyOf({
      [lockSeries('home0', 'gl3')]: [{ at: pool.now - 90 * minute, value: owner }],
    });
    expect(locksOf(pool.judgement())[0]).toMatchObject({ kind: 'orphaned', since: pool.now });
  });

  it('refusals of a lock before do not make this one older: restarts and what was seen free part them', async () => {
    const pool = await read('stuck-lock');
    const [before] = locksOf(pool.judgement());
    expect(before?.since).toBe(pool.now - 6 * minute);
    // The owner's glusterd was started 100 s ago: its peers dropped what they held for it then.
    const daemon = pool.readings.source<PeerReading>('gluster.peer', 'gl1')?.good?.value.daemon;
    if (!daemon) throw new Error('not read');
    change<PeerReading>(pool, 'gluster.peer', 'gl1', { daemon: { ...daemon, ageS: 100 } });
    expect(locksOf(pool.judgement())[0]?.since).toBe(pool.now - 50_000);

    const other = await read('stuck-lock');
    const owner = other.peer('gl1').uuid;
    other.history = historyOf({
      [lockSeries('home0', 'gl3')]: [
        { at: other.now - 7 * minute, value: owner },
        { at: other.now - 5 * minute, value: 'free' },
        { at: other.now - 3 * minute, value: owner },
      ],
    });
    expect(locksOf(other.judgement())[0]?.since).toBe(other.now - 4 * minute);
  });

  it('a lock ends with the glusterd that kept it: neither its old dump nor its old log speak for the new one', async () => {
    const pool = await read('stuck-lock');
    pool.now += 10_000;
    const daemon = pool.readings.source<PeerReading>('gluster.peer', 'gl3')?.good?.value.daemon;
    if (!daemon) throw new Error('not read');
    pool.readings.good(
      'gluster.peer',
      'gl3',
      {
        ...pool.readings.source<PeerReading>('gluster.peer', 'gl3')?.good?.value,
        daemon: { ...daemon, ageS: 2 },
      },
      pool.now,
    );
    expect(locksOf(pool.judgement())).toEqual([]);
    expect(lockOfVolume('home0', pool.judgement())).toEqual({
      state: 'unknown',
      host: 'gl3',
      why: 'gl3: its dump is from before glusterd was started',
    });
  });

  it('op-version below 3.6: one lock for all, its owner from the log, times by a clock set right', async () => {
    const pool = await read('quiet');
    for (const host of ['gl1', 'gl2', 'gl3'])
      change<PeerReading>(pool, 'gluster.peer', host, { opVersion: 30_501, clockMs: 60_000 });
    const uuid = pool.peer('gl1').uuid;
    const event = {
      at: pool.now - 10_000,
      kind: 'lockRefused',
      text: `Unable to get lock for uuid: ${uuid}, lock held by: ${uuid}`,
      holder: uuid,
      requester: uuid,
    };
    pool.readings.good('gluster.log', 'gl1', {
      state: 'read',
      file: 'f',
      inode: '1',
      offset: 9,
      events: [event],
    });
    const [lock] = locksOf(pool.judgement());
    expect(lock).toMatchObject({ ownerHost: 'gl1', type: 'global', since: pool.now - 70_000 });
    expect(lock?.endsAt).toBeUndefined();
    const kinds = findings(pool.judgement()).map(({ kind }) => kind);
    expect(kinds).toContain('lock-held');
    expect(kinds).toContain('old-op-version');
    expect(kinds).toContain('clock');
  });

  it('a wall asks for no dump: refusals in the log are told, as what they are', async () => {
    const pool = await read('stuck-lock');
    for (const host of ['gl1', 'gl2', 'gl3']) {
      const source = pool.readings.source('gluster.lock', host);
      if (!source) throw new Error('not asked');
      const { good: _good, ...rest } = source;
      pool.readings.put({
        ...rest,
        state: 'notAsked',
        failure: { kind: 'readOnly', message: 'not asked: read-only' },
      });
    }
    const [finding] = findings(pool.judgement());
    expect(finding).toMatchObject({ kind: 'lock-held', severity: 'warning' });
    expect(finding?.summary).toContain('home0: lock of gl1 on gl3');
    expect(finding?.summary).toContain('its log has a refused command');
    expect(finding?.evidence.map(({ text }) => text)).toContain('gl3: not asked: read-only');
    pool.now += 4 * minute;
    expect(findings(pool.judgement())).toEqual([]);
  });

  it('nothing read is not known, not free', () => {
    const pool = new Pool('quiet');
    expect(lockOfVolume('home0', pool.judgement())).toMatchObject({ state: 'unknown' });
    expect(view(pool.judgement())).toMatchObject({ sign: 'unknown', wall: 'not known' });
  });
});

describe('the rest of the pool', () => {
  it('brick-down: the brick, the heals, and only that', async () => {
    const pool = await read('brick-down');
    const found = findings(pool.judgement());
    expect(found.map(({ kind, severity }) => [kind, severity])).toEqual([
      ['brick-down', 'warning'],
      ['heal-pending', 'notice'],
    ]);
    expect(found[0]?.members).toEqual([{ kind: 'brick', id: 'gl2:/data/brick2/data1' }]);
    expect(view(pool.judgement())).toMatchObject({ wall: '1 of 2 vol in trouble' });
  });

  it('a brick whose process is stopped, and one that its process let go of', async () => {
    const pool = await read('quiet');
    const processes = pool.readings.source<PeerReading>('gluster.peer', 'gl2')?.good?.value.processes ?? [];
    change<PeerReading>(pool, 'gluster.peer', 'gl2', {
      processes: processes.map((one) => (one.path === '/data/brick1/home0' ? { ...one, state: 'Tl' } : one)),
    });
    const [stopped] = findings(pool.judgement());
    expect(stopped).toMatchObject({ kind: 'brick-down', remedies: [] });
    expect(stopped?.evidence[0]?.text).toContain('is stopped (SIGSTOP)');

    const other = await read('quiet');
    const heal = other.readings.source<HealReading>('gluster.heal', 'gl1')?.good?.value.volumes ?? [];
    change<HealReading>(other, 'gluster.heal', 'gl1', {
      volumes: heal.map((one) => ({
        ...one,
        bricks: one.bricks.map((brick, at) => ({ ...brick, connected: one.name !== 'home0' || at !== 1 })),
      })),
    });
    expect(findings(other.judgement())).toMatchObject([
      {
        kind: 'brick-unserved',
        members: [{ kind: 'brick', id: 'gl2:/data/brick1/home0' }],
        severity: 'warning',
      },
    ]);
    // While its glusterd is stopped, and until heals were asked for again after that, it tells nothing of the brick.
    other.history = historyOf({ 'gluster/peer/gl2': [{ at: other.now - 5000, value: 'up' }] });
    expect(findings(other.judgement())).toEqual([]);
  });

  it('heals that grow over three readings are a warning', async () => {
    const pool = await read('brick-down');
    const bricks = pool.simulator.state().volumes.get('data1')?.bricks ?? [];
    for (const step of [1, 2, 3]) {
      pool.now += 2 * minute;
      for (const brick of bricks.filter(({ up, pending }) => up && pending > 0)) brick.pending += 50 * step;
      await pool.ask('gluster.heal', 'gl1');
    }
    const heal = findings(pool.judgement()).find(({ kind }) => kind === 'heal-pending');
    expect(heal).toMatchObject({ severity: 'warning' });
    expect(heal?.summary).toContain('growing: 362, 462, 612');
  });

  it('a glusterd that is down, and one that others do not see', async () => {
    const pool = new Pool('quiet');
    pool.peer('gl3').glusterd = 'down';
    await pool.poll();
    const kinds = findings(pool.judgement()).map(({ kind, subject }) => `${kind} ${subject.id}`);
    expect(kinds).toEqual(['glusterd-down gl3']);
  });

  it('a peer known by another name is the same peer', async () => {
    const pool = await read('stuck-lock');
    for (const host of ['gl2', 'gl3']) {
      const pools = pool.readings.source<PeerReading>('gluster.peer', host)?.good?.value.pool ?? [];
      change<PeerReading>(pool, 'gluster.peer', host, {
        pool: pools.map((one) => (one.host === 'gl1' ? { ...one, host: '10.20.0.11' } : one)),
      });
    }
    expect(locksOf(pool.judgement())[0]).toMatchObject({ ownerHost: 'gl1', kind: 'orphaned' });
  });
});
