import { describe, expect, it } from 'vitest';
import { lustreActions } from '../../probes/lustre/act/actions.ts';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { lustre } from '../../probes/lustre/index.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import type { MdsReading, Osp } from '../../probes/lustre/readings.ts';
import type { Task, TasksReading } from '../../probes/lustre/readings-tasks.ts';
import { cancelStep, startStep } from '../../probes/lustre/act/task-script.ts';
import { maxSeries } from '../../probes/lustre/judge/facts.ts';
import type { Plan, Refusal } from '../../src/model/action.ts';
import type { Point } from '../../src/model/reading.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { TextBlock } from '../../src/model/view.ts';
import { historyOf, siteOf, start } from '../helpers/judging.ts';
import { World } from './world.ts';

const ost: Subject = { kind: 'ost', id: 'scratch-OST0007' };

const planned = (world: World, id: string, subject = ost, given: object = {}): Plan | Refusal => {
  const action = lustreActions.actions.find((one) => one.id === `lustre.${id}`);
  if (!action) throw new Error(`no action ${id}`);
  return action.plan([subject], action.parameters.parse(given), {
    judgement: world.judgement(),
    operator: 'alice',
  });
};

const targetOf = (world: World, id: string, subject = ost, given: object = {}) => {
  const plan = planned(world, id, subject, given);
  const target = 'refused' in plan ? undefined : plan.targets[0];
  if (!target) throw new Error(JSON.stringify(plan));
  return target;
};

const failing = (world: World, id: string) =>
  targetOf(world, id).guards.flatMap((one) => {
    const result = one.check(world.judgement());
    return result.ok ? [] : [`${one.id}: ${result.text}`];
  });

const stop = async (world: World): Promise<void> => {
  await world.send(targetOf(world, 'stop-creates').steps);
  await world.poll(1_000);
};

const drainFinding = (world: World) => findings(world.judgement()).find(({ kind }) => kind === 'drain');
const steps = (world: World) =>
  (
    lustre.detail(ost, world.judgement()).find(({ id }) => id === 'drain') as TextBlock | undefined
  )?.lines.map(({ sign, text }) => `${sign} ${text}`);

describe('the drain of an OST', () => {
  it('is refused while creates go on, while an OST is in recovery, without a client, without room', async () => {
    const world = new World('ost-drain');
    await world.poll();
    expect(failing(world, 'drain')).toEqual([
      expect.stringMatching(
        /^3 creates stopped: creates on scratch-OST0007 are not stopped on every MDT: stop creates first$/,
      ),
    ]);
    await stop(world);
    expect(failing(world, 'drain')).toEqual([]);
    const df = world.readings.source('lustre.df', 'login1')?.good?.value;
    world.readings.fail('lustre.df', 'login1', { kind: 'timeout', message: 'login1: lfs df timed out' });
    expect(planned(world, 'drain')).toMatchObject({
      refused: true,
      reason: 'no client that has scratch mounted answers to lfs df',
    });
    expect(findings(world.judgement()).map(({ kind }) => kind)).toContain('unread');
    world.readings.good('lustre.df', 'login1', df);
    const recovering = new World('oss-recovery');
    await recovering.poll();
    expect(failing(recovering, 'drain').join()).toContain('3 no recovery: scratch-OST0009 is recovering');
  });

  it('runs on the client, is seen by any console, ends empty and proven, and returns to service with its old values', async () => {
    const world = new World('ost-drain');
    world.history = historyOf({
      [maxSeries('scratch-MDT0000', 'scratch-OST0007')]: [{ at: start, value: 20_000 }],
      [maxSeries('scratch-MDT0001', 'scratch-OST0007')]: [{ at: start, value: 20_000 }],
    });
    await world.poll();
    await stop(world);
    const target = targetOf(world, 'drain');
    expect(target.steps).toMatchObject([
      {
        host: 'login1',
        argv: ['sh', '-s', '--', 'lustre-start', 'drain', 'scratch-OST0007', '/scratch', '4'],
      },
    ]);
    expect(target.whyAlreadyDone(world.judgement())).toBeUndefined();
    await world.start(target.steps);
    await world.poll(1_000);
    expect(target.verify.check(world.judgement())).toMatchObject({
      state: 'yes',
      text: 'listing files: 1 of 5 directories, 12 files so far, 12.0 files/s, about 4 s left',
    });
    expect(target.whyAlreadyDone(world.judgement())).toContain('the task runs already on login1');
    await world.poll(8_000);
    await world.poll(5_000);
    expect(drainFinding(world)).toMatchObject({
      severity: 'notice',
      summary: expect.stringMatching(
        /^scratch-OST0007 drain: migrating, \d+ of 60 files moved \(pass 1\), \d\.\d files\/s, about \d+ s left$/,
      ),
    });
    expect(steps(world)?.[1]).toMatch(/^notice files moved: migrating/);
    for (let round = 0; round < 8; round++) await world.poll(5_000);
    expect(drainFinding(world)).toMatchObject({
      summary: 'scratch-OST0007 is empty: two lists in a row found no file, 0 objects to be destroyed',
      remedies: [{ action: 'lustre.resume-creates' }],
    });
    expect(steps(world)?.map((line) => line.split(' ')[0])).toEqual([
      'fine',
      'fine',
      'fine',
      'fine',
      'notice',
      'unknown',
    ]);
    expect(lustreOf(world.judgement()).byOst.get(ost.id)?.used).toBeLessThan(0.01);
    const resume = targetOf(world, 'resume-creates');
    await world.send(resume.steps);
    await world.poll(1_000);
    expect(resume.verify.check(world.judgement()).state).toBe('yes');
    expect(drainFinding(world)).toBeUndefined();
  });

  it('an empty OST is not rebuilt before its objects are gone', async () => {
    const world = new World('ost-drain');
    await world.poll();
    await stop(world);
    await world.start(targetOf(world, 'drain').steps);
    for (let round = 0; round < 12; round++) await world.poll(5_000);
    const told = (edit: Partial<Osp>): string | undefined => {
      const good = world.readings.source<MdsReading>('lustre.mds', 'mds2')?.good?.value;
      if (!good) throw new Error('not read');
      const osps = good.osps.map((osp) => (osp.ost === ost.id ? { ...osp, ...edit } : osp));
      world.readings.good('lustre.mds', 'mds2', { ...good, osps }, world.now);
      return drainFinding(world)?.advice;
    };
    expect(told({ destroys: 0 })).toMatch(
      /^Now by hand on oss1: keep CONFIGS, .* --index=7, mount; then resume/,
    );
    expect(told({ destroys: 12 })).toMatch(/^First see all objects destroyed on every MDT; then by hand/);
    expect(drainFinding(world)?.summary).toContain('12 objects to be destroyed');
    expect(told({ destroys: 0, oldSyncProcessed: false })).toMatch(/^First see/);
    expect(drainFinding(world)?.evidence.at(-1)?.text).toContain('old records still to be sent');
    expect(told({ active: false, oldSyncProcessed: true })).toMatch(
      /^Its destroys wait while it is inactive\. Mark it degraded with balancing off/,
    );
  });

  it('is cancelled between batches, and started again goes on with what is left', async () => {
    const world = new World('ost-drain');
    await world.poll();
    await stop(world);
    expect(planned(world, 'cancel-task')).toMatchObject({ refused: true, reason: 'no task runs on it' });
    await world.start(targetOf(world, 'drain').steps);
    await world.poll(9_000);
    const cancel = targetOf(world, 'cancel-task');
    await world.start(cancel.steps);
    await world.poll(1_000);
    expect(cancel.verify.check(world.judgement())).toMatchObject({
      state: 'yes',
      text: expect.stringMatching(/^cancelled, \d+ files moved$/),
    });
    await world.start(targetOf(world, 'drain').steps);
    for (let round = 0; round < 8; round++) await world.poll(5_000);
    expect(drainFinding(world)?.summary).toContain('is empty');
  });

  it('lists files and names FIDs as tasks of their own', async () => {
    const world = new World('quiet');
    await world.poll();
    await world.start(targetOf(world, 'files-on-ost').steps);
    const scratch: Subject = { kind: 'volume', id: 'scratch' };
    const fid = targetOf(world, 'name-fid', scratch, { fid: '0x200000401:0x5:0x0' });
    await world.start(fid.steps);
    await world.poll(6_000);
    expect(fid.verify.check(world.judgement())).toMatchObject({
      state: 'yes',
      text: expect.stringMatching(/^\/scratch\/.*\.h5$/),
    });
    expect(findings(world.judgement()).map(({ summary }) => summary)).toEqual([
      'scratch-OST0007 files: 60 files found',
    ]);
    const action = lustreActions.actions.find(({ id }) => id === 'lustre.name-fid');
    for (const bad of ['x', '[0x1:0x2]', '0x1:0x2:0x3; rm -rf /', '$(id)'])
      expect(action?.parameters.safeParse({ fid: bad }).success, bad).toBe(false);
  });
});

describe('a task that this console did not see all of', () => {
  const draining = async (): Promise<World> => {
    const world = new World('ost-drain');
    await world.poll();
    await stop(world);
    await world.start(targetOf(world, 'drain').steps);
    await world.poll(9_000);
    await world.poll(1_000);
    return world;
  };
  /** What the history holds after this console, for the next one. */
  const kept = (world: World): Record<string, Point[]> =>
    Object.fromEntries(
      lustre
        .track(world.judgement())
        .filter(({ series }) => series.startsWith('lustre/task/'))
        .map(({ series, value }) => [series, [{ at: world.now, value }]]),
    );
  const change = (world: World, edit: (task: Task) => Task): void => {
    const value = world.readings.source<TasksReading>('lustre.tasks', 'login1')?.good?.value;
    if (!value) throw new Error('not read');
    world.readings.good('lustre.tasks', 'login1', { tasks: value.tasks.map(edit) }, world.now);
  };

  it('a new console tells where it runs and what was seen last while the client does not answer', async () => {
    const before = await draining();
    const series = kept(before);
    expect(Object.entries(series)).toEqual([
      [
        'lustre/task/login1 drain scratch-OST0007/state',
        [{ at: before.now, value: expect.stringMatching(/^migrating, pass 1, [2-4]0 %, run \d+-4711$/) }],
      ],
    ]);
    const world = new World('ost-drain');
    await world.poll();
    await stop(world);
    world.history = historyOf({ ...series });
    world.readings.forget('lustre.tasks', 'login1');
    world.readings.fail('lustre.tasks', 'login1', { kind: 'connect', message: 'login1: no route' });
    expect(drainFinding(world)).toMatchObject({
      severity: 'notice',
      summary: expect.stringMatching(
        /^scratch-OST0007 drain: login1 does not answer; last seen [\d:-]+: migrating \(pass 1, about \d0 % done\)$/,
      ),
      remedies: [],
    });
    expect(failing(world, 'drain')).toEqual([
      expect.stringMatching(/^4 ownership: login1 does not answer; .*exceed4=/),
    ]);
    expect(planned(world, 'cancel-task')).toMatchObject({
      refused: true,
      reason: expect.stringContaining('login1 does not answer'),
    });
  });

  it('once it answers its own word counts: re-attached, or gone', async () => {
    const world = await draining();
    world.history = historyOf(kept(world));
    world.readings.good('lustre.tasks', 'login1', { tasks: [] }, world.now);
    expect(drainFinding(world)).toBeUndefined();
  });

  it('a client lost in the middle: the figures stay as what they are, old', async () => {
    const world = await draining();
    world.readings.fail('lustre.tasks', 'login1', { kind: 'timeout', message: 'login1: no answer' });
    expect(drainFinding(world)?.summary).toMatch(
      /^scratch-OST0007 drain: login1 does not answer; last seen .*: migrating, \d+ of 60 files moved/,
    );
    expect(steps(world)?.[1]).toMatch(/^unknown files moved: login1 does not answer/);
  });

  it('a dead worker is told from a slow one by its sign of life', async () => {
    const world = await draining();
    change(world, (task) => ({ ...task, silentS: 59 }));
    expect(drainFinding(world)).toMatchObject({ severity: 'notice' });
    expect(targetOf(world, 'drain').whyAlreadyDone(world.judgement())).toBeDefined();
    change(world, (task) => ({ ...task, silentS: 720 }));
    expect(drainFinding(world)).toMatchObject({
      severity: 'warning',
      summary: expect.stringMatching(
        /^scratch-OST0007 drain: died on login1: no sign of life for 12 min; it was migrating, \d+ of 60/,
      ),
      remedies: [{ action: 'lustre.drain' }, { action: 'lustre.cancel-task' }],
    });
    expect(targetOf(world, 'drain').whyAlreadyDone(world.judgement())).toBeUndefined();
    expect(failing(world, 'drain')).toEqual([]);
  });

  it('a question for a FID’s name that hangs can be cancelled', async () => {
    const world = new World('quiet');
    await world.poll();
    const scratch: Subject = { kind: 'volume', id: 'scratch' };
    await world.start(targetOf(world, 'name-fid', scratch, { fid: '0x200000401:0x5:0x0' }).steps);
    await world.poll(1_000);
    expect(planned(world, 'cancel-naming', scratch)).toMatchObject({ refused: true });
    change(world, (task) => ({ ...task, state: 'listing', silentS: 3 }));
    expect(targetOf(world, 'cancel-naming', scratch).steps).toMatchObject([
      { host: 'login1', argv: ['sh', '-s', '--', 'lustre-cancel', 'fid', '[0x200000401:0x5:0x0]'] },
    ]);
  });
});

it('where the login is not root, tasks are started and cancelled by sudo like everything else', () => {
  const site = siteOf([]);
  const sudo = { ...site, settings: { lustre: { sudo: true } } };
  const client = { host: 'login1', mount: '/scratch' };
  expect(startStep(sudo, client, 'list', 'scratch-OST0007')).toMatchObject({
    argv: ['sudo', '-n', 'sh', '-s', '--', 'lustre-start', 'list', 'scratch-OST0007', '/scratch', '4'],
  });
  expect(cancelStep(sudo, 'login1', 'list', 'scratch-OST0007')).toMatchObject({
    argv: ['sudo', '-n', 'sh', '-s', '--', 'lustre-cancel', 'list', 'scratch-OST0007'],
  });
});
