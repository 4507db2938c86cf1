import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lustreActions } from '../../probes/lustre/act/actions.ts';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { lustre } from '../../probes/lustre/index.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import type { CreatesReading, MdsReading } from '../../probes/lustre/readings.ts';
import type { Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { HostView } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';
import { folder, present } from './captures.ts';
import { World } from './world.ts';

if (!present) console.warn(`skipped: no captures in ${folder}`);

const ost = (id: string) => ({ kind: 'ost' as const, id });

const planned = (judgement: Judgement, id: string, target: string, given: object = {}): Plan | Refusal => {
  const action = lustreActions.actions.find((one) => one.id === `lustre.${id}`);
  if (!action) throw new Error(`no action ${id}`);
  return action.plan([ost(target)], action.parameters.parse(given), { judgement, operator: 'alice' });
};

const targetOf = (judgement: Judgement, id: string, target: string): PlanTarget => {
  const plan = planned(judgement, id, target);
  const found = 'refused' in plan ? undefined : plan.targets[0];
  if (!found) throw new Error(JSON.stringify(plan));
  return found;
};

const lines = ({ steps }: PlanTarget): string[] =>
  steps.map((step) => ('argv' in step ? `${step.host}: ${step.argv.join(' ')}` : ''));

/** A site of one MDS, one OSS and one client that all say this to lctl, and to lfs nothing. */
const siteThatSays = (stdout: string, stderr: string, code: number): Judgement => {
  const hosts: Partial<HostView>[] = [
    { name: 'mds1', roles: ['lustre-mds'] },
    { name: 'oss1', roles: ['lustre-oss'] },
    { name: 'login1', roles: ['lustre-client'] },
  ];
  const site = siteOf(hosts);
  const readings = new Sources();
  const context = { site, readings, now: 0 };
  for (const probe of lustre.probes.filter(({ id }) => /^lustre\.(?:mds|creates|oss|client|df)$/.test(id)))
    for (const host of site.hostsWithRole(probe.role)) {
      const devices = probe.id === 'lustre.mds' || probe.id === 'lustre.oss';
      const marked = devices ? `\n@@faultline devices ${code}\n` : '';
      const lfs =
        code === 127 ? answerOf('', { stderr: 'sh: 1: lfs: not found\n', exitCode: 127 }) : answerOf('');
      const answer =
        probe.id === 'lustre.df' ? lfs : answerOf(`${stdout}${marked}`, { stderr, exitCode: code });
      try {
        const { value } = probe.read(answer, host, context);
        readings.good(probe.id, host.name, probe.schema.parse(value));
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error;
        readings.fail(probe.id, host.name, {
          kind: 'command',
          code: error.code,
          message: `${host.name}: ${error.message}`,
        });
      }
    }
  return judgementOf({ readings, site });
};

const said = (judgement: Judgement): string[] =>
  findings(judgement).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);

const capture = (version: string, name: string): string =>
  readFileSync(join(folder, version, 'errors', `${name}.err`), 'utf8');

describe.skipIf(!present)('hosts without Lustre, as the tools of each release put it', () => {
  it.each([
    ['2.5', 'the Lustre modules are not loaded', capture0('2.5')],
    [
      '2.12',
      'no parameter and no device: no Lustre runs here, or its modules are not loaded',
      capture0('2.12'),
    ],
    ['2.15', 'the Lustre modules are not loaded', capture0('2.15')],
    ['2.17', 'the Lustre modules are not loaded', capture0('2.17')],
  ])('no modules, %s', (_version, text, stderr) => {
    const judgement = siteThatSays('', stderr(), 2);
    expect(said(judgement)).toEqual([
      expect.stringContaining(`warning unread: login1: lctl: ${text}`),
      'warning unread: mds1: the Lustre modules are not loaded: it serves nothing',
      'warning unread: oss1: the Lustre modules are not loaded: it serves nothing',
    ]);
    expect(lustre.view(judgement)).toMatchObject({ wall: 'not known', sign: 'unknown' });
    expect(planned(judgement, 'stop-creates', 'scratch-OST0007')).toMatchObject({ refused: true });
  });

  it.each(['2.5', '2.12', '2.15', '2.17'])('permission denied, %s', (version) => {
    const judgement = siteThatSays('', capture(version, 'get-nonroot'), version === '2.5' ? 0 : 13);
    for (const host of ['mds1', 'oss1', 'login1'])
      expect(said(judgement)).toContainEqual(
        expect.stringMatching(`warning unread: ${host}: lctl: not permitted to read parameters: error: `),
      );
    expect(lustre.view(judgement)).toMatchObject({ wall: 'not known', sign: 'unknown' });
    expect(planned(judgement, 'stop-creates', 'scratch-OST0007')).toMatchObject({ refused: true });
  });
});

/** Read when the test runs: without captures there is nothing to read. */
function capture0(version: string): () => string {
  return () =>
    capture(version, 'get-no-module') + (version === '2.12' ? '' : capture(version, 'dl-no-module'));
}

it('not a Lustre node: no lctl', () => {
  expect(said(siteThatSays('', 'sh: 1: lctl: not found\n', 127))).toEqual([
    'warning unread: mds1: lctl: no such command: not a Lustre node, or lctl is not in the PATH',
    'warning unread: oss1: lctl: no such command: not a Lustre node, or lctl is not in the PATH',
    'warning unread: login1: lctl: no such command: not a Lustre node, or lctl is not in the PATH',
  ]);
});

it('one parameter that may not be read: told, and no verdict is made up from the rest', async () => {
  const world = new World('quiet');
  await world.poll();
  const good = world.readings.source<MdsReading>('lustre.mds', 'mds1')?.good?.value;
  if (!good) throw new Error('not read');
  const path = '/sys/fs/lustre/osp/scratch-OST0007-osc-MDT0000/max_create_count';
  world.readings.good(
    'lustre.mds',
    'mds1',
    {
      ...good,
      denied: [path],
      osps: good.osps.map(({ maxCreateCount, ...osp }) =>
        osp.ost === 'scratch-OST0007' ? osp : { ...osp, maxCreateCount },
      ),
    },
    world.now,
  );
  expect(said(world.judgement())).toEqual([
    'notice denied: mds1: 1 parameter may not be read with this login',
  ]);
  expect(lustreOf(world.judgement()).byOst.get('scratch-OST0007')?.mdts[0]?.allocation).toMatchObject({
    verdict: 'unknown',
    because: 'max_create_count was not read',
  });
});

describe('an MDS that fails over in the middle of an action', () => {
  /** MDT0001 goes over to mds1, with the values that a fresh mount has; mds2 is gone. */
  const failOver = (world: World): void => {
    const move = <T>(probe: string, merge: (one: T, other: T) => T): void => {
      const read = (host: string): T => world.readings.copyOf<T>(probe, host);
      world.readings.good(probe, 'mds1', merge(read('mds1'), read('mds2')), world.now);
      world.readings.fail(probe, 'mds2', { kind: 'connect', message: 'mds2: no route to host' }, world.now);
    };
    move<MdsReading>('lustre.mds', (one, other) => ({
      ...one,
      mdts: [...one.mdts, ...other.mdts],
      osps: [...one.osps, ...other.osps.map((osp) => ({ ...osp, active: true, maxCreateCount: 20_000 }))],
    }));
    move<CreatesReading>('lustre.creates', (one, other) => ({
      osps: [...one.osps, ...other.osps.map((osp) => ({ ...osp, active: true, maxCreateCount: 20_000 }))],
    }));
  };

  it('before the first command: the plan is stale, a new one goes to where the MDT is now', async () => {
    const world = new World('ost-drain');
    await world.poll();
    const target = targetOf(world.judgement(), 'stop-creates', 'scratch-OST0007');
    failOver(world);
    expect(lines(target)[1]).toMatch(/^mds2: /);
    // What is made anew differs, which the engine takes for stale.
    expect(lines(targetOf(world.judgement(), 'stop-creates', 'scratch-OST0007'))).toEqual([
      'mds1: lctl set_param osp.scratch-OST0007-osc-MDT0000.max_create_count=0 osp.scratch-OST0007-osc-MDT0001.max_create_count=0',
    ]);
  });

  it('while nobody has the MDT yet: refused', async () => {
    const world = new World('ost-drain');
    await world.poll();
    const target = targetOf(world.judgement(), 'stop-creates', 'scratch-OST0007');
    world.readings.fail('lustre.mds', 'mds2', { kind: 'connect', message: 'mds2: no route to host' });
    expect(target.guards.find(({ id }) => id.startsWith('3'))?.check(world.judgement())).toMatchObject({
      ok: false,
      text: "scratch-MDT0001 on mds2 can't be read: mds2: no route to host",
    });
    expect(planned(world.judgement(), 'stop-creates', 'scratch-OST0007')).toMatchObject({ refused: true });
  });

  it('after the commands: the stop is lost there and the action is not done', async () => {
    const world = new World('ost-drain');
    await world.poll();
    const target = targetOf(world.judgement(), 'stop-creates', 'scratch-OST0007');
    await world.send(target.steps);
    for (let round = 0; round < 10; round++) await world.poll(2_000);
    expect(target.verify.check(world.judgement()).state).toBe('wait');
    failOver(world);
    expect(target.verify.check(world.judgement())).toMatchObject({
      state: 'wait',
      text: expect.stringMatching(
        /^MDT0000 .*; MDT0001, now on mds1, reads active=1 max_create_count=20000$/,
      ),
    });
    expect(said(world.judgement())).toContainEqual(
      expect.stringMatching(/^warning mdts-disagree: scratch-OST0007: MDTs disagree/),
    );
  });

  it('old readings of a server that is gone prove nothing', async () => {
    const world = new World('ost-drain');
    await world.poll();
    const target = targetOf(world.judgement(), 'stop-creates', 'scratch-OST0007');
    await world.send(target.steps);
    for (let round = 0; round < 20; round++) await world.poll(2_000);
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    world.readings.fail('lustre.creates', 'mds2', { kind: 'connect', message: 'mds2: no route to host' });
    expect(target.verify.check(world.judgement())).toMatchObject({
      state: 'wait',
      text: expect.stringContaining('MDT0001 was not read just now'),
    });
  });
});

it('values out of range: refused here by the range, there by the kernel’s own word (ERANGE)', async () => {
  const world = new World('ost-drain');
  await world.poll();
  const resume = lustreActions.actions.find(({ id }) => id === 'lustre.resume-creates');
  for (const bad of ['31', '20001', '-1'])
    expect(resume?.parameters.safeParse({ maxCreateCount: bad })).toMatchObject({ success: false });
  await expect(
    world.send([
      { host: 'mds1', argv: ['lctl', 'set_param', 'osp.scratch-OST0007-osc-MDT0000.max_create_count=20001'] },
    ]),
  ).rejects.toThrow('Numerical result out of range');
  await world.poll(1_000);
  expect(lustreOf(world.judgement()).byOst.get('scratch-OST0007')?.mdts[0]?.osp?.maxCreateCount).toBe(20_000);
});

it('an OST index beyond the list, a name that is none, one of another file system: no target', async () => {
  const world = new World('ost-drain');
  await world.poll();
  for (const name of [
    'scratch-OST0024',
    'scratch-OSTffff',
    'work-OST0007',
    'scratch-OST7',
    'OST0007',
    'scratch-MDT0000',
  ])
    expect(planned(world.judgement(), 'stop-creates', name), name).toMatchObject({
      refused: true,
      guard: '5 targets',
    });
});

it('two file systems on the same servers: what is told to one names only that one', () => {
  const params = (fs: string): string =>
    [0, 1, 2, 3, 4]
      .map((at) => {
        const osp = `osp.${fs}-OST000${at}-osc-MDT0000`;
        return `${osp}.active=1\n${osp}.max_create_count=20000\n${osp}.prealloc_status=0\n${osp}.ost_server_uuid=${fs}-OST000${at}_UUID\tFULL\n${osp}.kbytestotal=1000\n${osp}.kbytesfree=400\n${osp}.kbytesavail=390\n`;
      })
      .join('') + `lod.${fs}-MDT0000-mdtlov.qos_threshold_rr=17%\n`;
  const site = siteOf([{ name: 'mds1', roles: ['lustre-mds'] }]);
  const readings = new Sources();
  const probe = lustre.probes.find(({ id }) => id === 'lustre.mds');
  const host = site.host('mds1');
  if (!probe || !host) throw new Error('no probe');
  const answer = answerOf(`version=2.15.8\n${params('home')}${params('work')}\n@@faultline devices 0\n`);
  const { value } = probe.read(answer, host, { site, readings, now: 0 });
  readings.good('lustre.mds', 'mds1', probe.schema.parse(value));
  const judgement = judgementOf({ readings, site });
  expect(lustreOf(judgement).systems.map(({ name, osts }) => [name, osts.length])).toEqual([
    ['home', 5],
    ['work', 5],
  ]);
  const target = targetOf(judgement, 'stop-creates', 'work-OST0001');
  expect(lines(target)).toEqual(['mds1: lctl set_param osp.work-OST0001-osc-MDT0000.max_create_count=0']);
  expect(target.lockGroups).toEqual(['filesystem work']);
});

describe('a client that hangs on lfs df', () => {
  it('is asked lazily, with a deadline, on a channel of its own', () => {
    const probe = lustre.probes.find(({ id }) => id === 'lustre.df');
    expect(probe).toMatchObject({ mayHang: true, deadlineMs: 10_000 });
  });

  it('is told; the OSTs stay known from the servers; nothing that needs a client starts', async () => {
    const world = new World('ost-drain');
    await world.poll();
    for (const mds of ['mds1', 'mds2'])
      await world.run(mds, "lctl set_param 'osp.scratch-OST0007-osc-*.max_create_count=0'");
    await world.poll(1_000);
    world.readings.forget('lustre.df', 'login1');
    world.readings.fail('lustre.df', 'login1', {
      kind: 'timeout',
      message: 'login1: lfs df -l did not answer within 10 s',
    });
    expect(said(world.judgement())).toContain('warning unread: login1: lfs df -l did not answer within 10 s');
    expect(lustre.view(world.judgement()).wall).toBe('36/36 OST');
    for (const id of ['drain', 'files-on-ost'])
      expect(planned(world.judgement(), id, 'scratch-OST0007')).toMatchObject({
        refused: true,
        reason: 'no client that has scratch mounted answers to lfs df',
      });
  });
});
