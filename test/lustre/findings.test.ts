import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import type { PastRun } from '../../src/model/run.ts';
import { flagsSeries, thresholdSeries } from '../../probes/lustre/judge/flags.ts';
import type { ClientReading, MdsReading, OssReading, OstOnServer } from '../../probes/lustre/readings.ts';
import { historyOf, start } from '../helpers/judging.ts';
import { World } from './world.ts';

const hourMs = 3_600_000;

const quiet = async (): Promise<World> => {
  const world = new World('quiet');
  await world.poll();
  return world;
};

/** The reading of a probe, changed. */
const change = <T>(world: World, probe: string, host: string, edit: (value: T) => T): void => {
  world.readings.good(probe, host, edit(world.readings.copyOf<T>(probe, host)), world.now);
};

const changeOst = (world: World, host: string, name: string, more: Partial<OstOnServer>): void =>
  change<OssReading>(world, 'lustre.oss', host, (value) => ({
    ...value,
    osts: value.osts.map((ost) => (ost.name === name ? { ...ost, ...more } : ost)),
  }));

const said = (world: World): string[] =>
  findings(world.judgement()).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);

describe('findings that no capture shows', () => {
  it('a recovery with no time left that still runs is stuck', async () => {
    const world = await quiet();
    const recovery = { status: 'RECOVERING', remainingS: 0, connected: { done: 1410, of: 1412 } };
    changeOst(world, 'oss1', 'scratch-OST0003', { recovery });
    expect(said(world)).toEqual([
      'critical recovery: oss1: scratch-OST0003 in recovery, stuck with no time left, 1,410 of 1,412 clients back, 2 missing',
    ]);
  });

  it('an MDT that waits for others', async () => {
    const world = await quiet();
    change<MdsReading>(world, 'lustre.mds', 'mds1', (value) => ({
      ...value,
      mdts: value.mdts.map((mdt) => ({
        ...mdt,
        recovery: { status: 'WAITING', nonReadyMdts: '0001', waitedS: 77 },
      })),
    }));
    expect(said(world)).toEqual([
      'warning recovery: scratch-MDT0000 on mds1 in recovery, waits for MDTs 0001, 77 s so far',
    ]);
  });

  it('lock volumes that fall tenfold, or stand at 1, before the pool is used up', async () => {
    const world = await quiet();
    const locksOf = (slv: number) => ({ granted: 100_000, limit: 3_276_800, timeouts: 0, slv });
    changeOst(world, 'oss3', 'scratch-OST0012', { locks: locksOf(6_000_000) });
    const before = world.readings.source<OssReading>('lustre.oss', 'oss3')?.good;
    changeOst(world, 'oss3', 'scratch-OST0012', { locks: locksOf(600_000) });
    const now = world.readings.source<OssReading>('lustre.oss', 'oss3');
    if (!before || !now) throw new Error('not read');
    world.readings.put({ ...now, before: [before] });
    expect(said(world)).toEqual([
      expect.stringMatching(
        /^warning locks: oss3 takes LDLM locks back from its clients \(.* % granted, SLV fell tenfold\)$/,
      ),
    ]);
    expect(findings(world.judgement())[0]?.evidence[1]?.text).toMatch(
      /^[\d,]+ locks of all namespaces in at most 38,400 MB/,
    );
    changeOst(world, 'oss3', 'scratch-OST0012', { locks: locksOf(1) });
    expect(said(world)[0]).toMatch(
      /^warning locks: oss3 takes LDLM locks back from its clients \(SLV collapsed\)/,
    );
  });

  it('group quota of a slave not up to date, apart from locks', async () => {
    const world = await quiet();
    change<OssReading>(world, 'lustre.oss', 'oss2', (value) => ({
      ...value,
      quota: value.quota.map((one, at) =>
        at < 2 ? { ...one, late: [{ type: 'group', text: 'glb[1],slv[0],reint[1]' }] } : one,
      ),
    }));
    expect(said(world)).toEqual([
      'warning quota: oss2: group quota of 2 targets not up to date with the quota master',
    ]);
    expect(findings(world.judgement())[0]?.evidence[0]?.text).toBe(
      'scratch-OST0009: group glb[1],slv[0],reint[1], master setup',
    );
  });

  it('a server that calls itself unhealthy; one that says nothing of Lustre', async () => {
    const world = await quiet();
    change<OssReading>(world, 'lustre.oss', 'oss1', (value) => ({
      ...value,
      health: 'device scratch-OST0003 reported unhealthy; NOT HEALTHY',
    }));
    world.readings.fail('lustre.oss', 'oss4', {
      kind: 'command',
      code: 'noModules',
      message: 'oss4: lctl: the Lustre modules are not loaded',
    });
    expect(said(world)).toEqual([
      'critical health: oss1: Lustre reports health "device scratch-OST0003 reported unhealthy; NOT HEALTHY"',
      'warning unread: oss4: lctl: the Lustre modules are not loaded',
    ]);
  });

  it('a host that answers what is not understood, cut off, or hangs: one finding with all of it', async () => {
    const world = await quiet();
    world.readings.fail('lustre.mds', 'mds1', { kind: 'parse', message: 'mds1: lctl: not understood' });
    world.readings.fail('lustre.creates', 'mds1', { kind: 'truncated', message: 'mds1: more than 4 MB' });
    world.readings.fail('lustre.tasks', 'login1', { kind: 'abandoned', message: 'login1: hangs' });
    world.readings.fail('lustre.client', 'login1', { kind: 'connect', message: 'login1: no route' });
    const found = findings(world.judgement()).filter(({ kind }) => kind === 'unread');
    expect(found.map(({ summary, evidence }) => [summary, evidence.length])).toEqual([
      ['mds1: lctl: not understood', 2],
      ['login1: hangs', 1],
    ]);
  });

  it('an OST nearly full, and one that is', async () => {
    const world = await quiet();
    changeOst(world, 'oss1', 'scratch-OST0002', { kbTotal: 1000, kbFree: 40, kbAvail: 35 });
    expect(said(world)[0]).toBe('warning full: scratch-OST0002 nearly full: 96 % used');
    changeOst(world, 'oss1', 'scratch-OST0002', { kbTotal: 1000, kbFree: 0, kbAvail: 0 });
    expect(said(world)[0]).toBe('critical full: scratch-OST0002 full: 100 % used');
    expect(findings(world.judgement())[0]?.remedies[0]?.action).toBe('lustre.stop-creates');
  });

  it('a flag left behind: a notice on the first day, a warning after', async () => {
    const world = await quiet();
    changeOst(world, 'oss1', 'scratch-OST0002', { degraded: true });
    world.history = historyOf({
      [flagsSeries('scratch-OST0002')]: [{ at: start - 20 * hourMs, value: 'degraded' }],
    });
    expect(said(world)).toEqual(['notice flags: scratch-OST0002 kept from new objects: degraded']);
    world.history = historyOf({
      [flagsSeries('scratch-OST0002')]: [{ at: start - 50 * hourMs, value: 'degraded' }],
    });
    expect(said(world)).toEqual([
      'warning flags: scratch-OST0002 kept from new objects: degraded, for 2 d: left behind?',
    ]);
    expect(findings(world.judgement())[0]?.since).toBe(start - 50 * hourMs);
    world.history = historyOf({ [flagsSeries('scratch-OST0002')]: [{ at: start - 50 * hourMs, value: '' }] });
    expect(said(world)[0]).toMatch(/^notice/);
  });

  it('a flag left behind says by whom, from the audit log, and who it was not', async () => {
    const world = await quiet();
    for (const mds of ['mds1', 'mds2'])
      await world.run(mds, "lctl set_param 'osp.scratch-OST0002-osc-*.max_create_count=0'");
    await world.poll(1_000);
    const run = (verb: string, operator: string, hoursAgo: number, outcome?: 'done'): PastRun => ({
      run: `${verb} ${operator}`,
      verb,
      subject: { kind: 'ost', id: 'scratch-OST0002' },
      operator,
      at: start - hoursAgo * hourMs,
      ...(outcome && { outcome }),
    });
    const origin = (): string | undefined =>
      findings(world.judgement())[0]?.evidence.findLast(({ text }) => text.startsWith('scratch-OST0002 max'))
        ?.text;
    expect(origin()).toBe('scratch-OST0002 max_create_count=0: since when is not known');
    world.runs = [];
    expect(origin()).toContain('since when is not known; set by no run that is known here');
    world.runs = [run('stop-creates', 'alice', 49, 'done')];
    world.history = historyOf({
      [flagsSeries('scratch-OST0002')]: [
        { at: start - 60 * hourMs, value: '' },
        { at: start - 49 * hourMs + 4_000, value: 'max_create_count=0' },
      ],
    });
    expect(said(world)).toEqual([
      'warning flags: scratch-OST0002 kept from new objects: max_create_count=0, for 2 d by alice: left behind?',
    ]);
    expect(origin()).toMatch(
      /: since 2026-11-18 \d\d:\d\d; last stop-creates: alice at 2026-11-18 \d\d:\d\d$/,
    );
    expect(findings(world.judgement())[0]?.since).toBe(start - 49 * hourMs);
    // A colleague's console told that it was begun, not how it ended.
    world.runs = [run('stop-creates', 'bob', 49)];
    expect(origin()).toMatch(/bob at .*, its result is not known here$/);
    // Resumed since, hence set by something else.
    world.runs = [run('stop-creates', 'alice', 49, 'done'), run('resume-creates', 'bob', 40, 'done')];
    expect(origin()).toMatch(/: since .*; set by no run that is known here$/);
    // It was there before anybody ran anything; and it came so long after that it may be somebody else's.
    world.runs = [run('stop-creates', 'alice', 1, 'done')];
    expect(origin()).toMatch(/; set by no run that is known here$/);
    world.runs = [run('stop-creates', 'alice', 55, 'done')];
    expect(said(world)[0]).toBe(
      'warning flags: scratch-OST0002 kept from new objects: max_create_count=0, for 2 d: left behind?',
    );
    expect(origin()).toContain('last stop-creates: alice');
  });

  it('balancing switched off and forgotten: for how long, by whom', async () => {
    const world = await quiet();
    for (const mds of ['mds1', 'mds2']) await world.run(mds, "lctl set_param 'lod.*.qos_threshold_rr=100'");
    await world.poll(1_000);
    const at = start - 30 * hourMs;
    world.history = historyOf({
      [thresholdSeries('scratch-MDT0000')]: [
        { at: start - 90 * hourMs, value: 17 },
        { at: at + 5_000, value: 100 },
      ],
    });
    world.runs = [
      {
        run: 'r',
        verb: 'qos',
        subject: { kind: 'volume', id: 'scratch' },
        operator: 'alice',
        at,
        outcome: 'done',
      },
    ];
    expect(said(world)).toEqual([
      'warning qos-off: scratch: balancing is off (qos_threshold_rr=100 % on all MDTs), for 1 d by alice: left behind?',
    ]);
    expect(findings(world.judgement())[0]).toMatchObject({ since: at });
    expect(findings(world.judgement())[0]?.evidence.at(-1)?.text).toMatch(/; last qos: alice at /);
  });

  it('thresholds that differ between MDTs; balancing switched off', async () => {
    const world = await quiet();
    await world.run('mds2', 'lctl set_param lod.scratch-MDT0001-mdtlov.qos_threshold_rr=100');
    await world.poll(1_000);
    expect(said(world)).toEqual([
      'notice qos-off: scratch: balancing is off (qos_threshold_rr=100 % on MDT0001)',
      'warning mdts-disagree: scratch: MDTs disagree on qos_threshold_rr: MDT0000 17 %, MDT0001 100 %',
    ]);
  });

  it('one client cut off from an OST that everybody else reaches', async () => {
    const world = await quiet();
    change<ClientReading>(world, 'lustre.client', 'login1', (value) => ({
      ...value,
      osts: value.osts.map((ost) => (ost.name === 'scratch-OST0005' ? { ...ost, state: 'DISCONN' } : ost)),
    }));
    expect(said(world)).toEqual([
      'warning client-cut: scratch-OST0005 out of reach of login1 only: everybody else reaches it',
    ]);
  });

  it('old readings of an OSS do not pass for a recovery that runs now', async () => {
    const world = new World('oss-recovery');
    await world.poll();
    world.readings.fail('lustre.oss', 'oss2', { kind: 'timeout', message: 'oss2: no answer' });
    expect(said(world)).toEqual([
      'warning recovery: oss2: 9 OSTs in recovery, progress not known: its OSS was not read',
      'warning unread: oss2: no answer',
    ]);
  });
});

it('an OST in recovery has granted few locks, and its lock volume begins at 1: no collapse', async () => {
  const world = await quiet();
  const locks = { granted: 0, limit: 3_276_800, timeouts: 0, slv: 1 };
  const recovering = { status: 'RECOVERING', remainingS: 187, connected: { done: 1400, of: 1412 } };
  const kinds = (recovery: object): readonly string[] => {
    changeOst(world, 'oss3', 'scratch-OST0012', { locks, recovery: { ...recovering, ...recovery } });
    return findings(world.judgement()).map(({ kind }) => kind);
  };
  expect(kinds({})).toEqual(['recovery']);
  expect(kinds({ status: 'WAITING_FOR_CLIENTS' })).toEqual(['recovery']);
  // What is stuck does not pass, nor does what stays when it is over.
  expect(kinds({ remainingS: 0 })).toEqual(expect.arrayContaining(['recovery', 'locks']));
  expect(kinds({ status: 'COMPLETE' })).toEqual(['locks']);
});
