import { describe, expect, it } from 'vitest';
import { exportAgainAction } from '../../probes/nfs/act/export-again.ts';
import { restartStatdAction } from '../../probes/nfs/act/restart-statd.ts';
import { threadsAction } from '../../probes/nfs/act/threads.ts';
import { umountAction } from '../../probes/nfs/act/umount.ts';
import type { Call, ClientMount, DryRunReading } from '../../probes/nfs/readings.ts';
import type { Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import { start } from '../helpers/judging.ts';
import { call, clientOf, mountOf, Nfs, outstanding, serverOf, waiter } from './make.ts';

const subject = (id: string) => ({ kind: 'host' as const, id });
const context = (made: Nfs) => ({ judgement: made.judgement(), operator: 'op' });

const targetOf = (plan: Plan | Refusal): PlanTarget => {
  if ('refused' in plan) throw new Error(plan.reason);
  const [target] = plan.targets;
  if (!target) throw new Error('no target');
  return target;
};

/** What the guards say, by their ids. */
const guards = ({ guards: all }: PlanTarget, made: Nfs): Record<string, boolean> =>
  Object.fromEntries(all.map(({ id, check }) => [id, check(made.judgement()).ok]));

describe('restart rpc.statd', () => {
  const own = (what: Call['what'], state: Call['state']): Call =>
    call(what, state, { addr: '127.0.0.1', version: 1 });
  const night = (...calls: Call[]): Nfs =>
    new Nfs(['n1']).client('n1', clientOf(), clientOf()).calls('n1', calls);
  const plan = (made: Nfs) => restartStatdAction.plan([subject('n1')], {}, context(made));

  it('sends the command of the site, once statd is dead and rpcbind answers', () => {
    const made = night(own('statd', 'refused'), own('rpcbind', 'ready'));
    const target = targetOf(plan(made));
    expect(target.steps).toMatchObject([{ host: 'n1', argv: ['systemctl', 'restart', 'rpc-statd'] }]);
    expect(guards(target, made)).toEqual({ '3 preconditions': true, '3 rpcbind': true });
    expect(target.whyAlreadyDone(made.judgement())).toBeUndefined();
    expect(target.verify.check(made.judgement()).state).toBe('wait');
    const cured = night(own('statd', 'ready'), own('rpcbind', 'ready'));
    expect(target.verify.check(cured.judgement()).state).toBe('yes');
    expect(target.whyAlreadyDone(cured.judgement())).toBe('rpc.statd on n1 answers');
  });

  it.each([
    [
      'statd answers',
      [own('statd', 'ready'), own('rpcbind', 'ready')],
      { '3 preconditions': false, '3 rpcbind': true },
    ],
    [
      'rpcinfo is not there',
      [own('statd', 'noTool'), own('rpcbind', 'noTool')],
      { '3 preconditions': false, '3 rpcbind': false },
    ],
    [
      'rpcbind is dead',
      [own('statd', 'refused'), own('rpcbind', 'refused')],
      { '3 preconditions': true, '3 rpcbind': false },
    ],
    ['rpcbind was not called', [own('statd', 'refused')], { '3 preconditions': true, '3 rpcbind': false }],
  ])('is held up where %s', (_what, calls, expected) => {
    const made = night(...calls);
    expect(guards(targetOf(plan(made)), made)).toEqual(expected);
  });

  it('is refused where nothing was read just now', () => {
    expect(plan(night())).toMatchObject({ refused: true, guard: '3 preconditions' });
    const old = night(own('statd', 'refused'), own('rpcbind', 'ready'));
    old.readings.fail('nfs.calls', 'n1', { kind: 'timeout', message: 'n1: no answer' });
    expect(plan(old)).toMatchObject({ refused: true });
  });
});

describe('threads of nfsd', () => {
  const night = (threads: number): Nfs => new Nfs([]).server('nfs1', serverOf({ threads }));
  const plan = (made: Nfs, threads?: string) =>
    threadsAction.plan([subject('nfs1')], threads === undefined ? {} : { threads }, context(made));

  it('are doubled where nothing is typed, and can be set back', () => {
    const made = night(8);
    const target = targetOf(plan(made));
    expect(target.steps).toMatchObject([{ argv: ['rpc.nfsd', '16'] }]);
    expect(target.undo).toMatchObject([{ argv: ['rpc.nfsd', '8'] }]);
    expect(target.was).toEqual({ threads: 8 });
    expect(guards(target, made)).toEqual({ '3 preconditions': true });
    expect(guards(target, night(9))).toEqual({ '3 preconditions': false });
    expect(target.verify.check(night(16).judgement()).state).toBe('yes');
    expect(target.verify.check(night(8).judgement()).state).toBe('wait');
    expect(threadsAction.undoOf?.(subject('nfs1'), target.was, context(night(16)))).toMatchObject({
      steps: [{ argv: ['rpc.nfsd', '8'] }],
    });
    expect(
      threadsAction.undoOf?.(subject('nfs1'), { threads: '8; reboot' }, context(night(16))),
    ).toMatchObject({ refused: true });
  });

  it.each([
    ['fewer', 8, '4'],
    ['as many', 8, '8'],
    ['too many', 8, '4096'],
    ['none that run', 0, undefined],
  ])('are not set to %s', (_what, now, wanted) => {
    expect(plan(night(now), wanted)).toMatchObject({ refused: true, guard: '3 preconditions' });
  });

  it('are a number and nothing else', () => {
    expect(threadsAction.parameters.safeParse({ threads: '16; reboot' }).success).toBe(false);
  });
});

describe('export again', () => {
  const row = (path: string) => ({ path, client: '*' });
  const night = (dry?: Partial<DryRunReading>): Nfs => {
    const made = new Nfs([]).server('nfs1', serverOf({ exports: [row('/a')] }));
    if (dry)
      made.readings.good('nfs.dry-run', 'nfs1', { said: [], exports: [], live: [], code: 0, ...dry }, start);
    return made;
  };
  const plan = (made: Nfs) => exportAgainAction.plan([subject('nfs1')], {}, context(made));

  it('is sent where the try withdraws nothing, and is done when all of it is in force', () => {
    const made = night({ exports: [row('/a'), row('/b')], live: [row('/a')] });
    const target = targetOf(plan(made));
    expect(target.steps).toMatchObject([{ argv: ['exportfs', '-ra'] }]);
    expect(guards(target, made)).toEqual({ '3 dry run': true });
    expect(target.verify.check(made.judgement())).toEqual({ state: 'wait', text: 'not exported: /b *' });
    const done = night({ exports: [row('/a'), row('/b')], live: [row('/a'), row('/b')] });
    expect(target.verify.check(done.judgement()).state).toBe('yes');
    expect(target.whyAlreadyDone(done.judgement())).toBe('the table in force is what /etc/exports says');
  });

  it.each([
    ['a row would go', { exports: [row('/b')], live: [row('/a')] }],
    [
      'a line is bad, though all of the table stays',
      { exports: [row('/a')], live: [row('/a')], said: ['exportfs: /etc/exports:3: unknown keyword "x"'] },
    ],
    ['it could not be tried', { failed: 'unshare: Operation not permitted', live: [row('/a')] }],
  ])('is held up where %s', (_what, dry) => {
    const made = night(dry);
    expect(guards(targetOf(plan(made)), made)).toEqual({ '3 dry run': false });
    expect(targetOf(plan(made)).whyAlreadyDone(made.judgement())).toBeUndefined();
  });

  it('waits for the try', () => {
    const made = night();
    expect(guards(targetOf(plan(made)), made)).toEqual({ '3 dry run': false });
  });
});

describe('unmount by force', () => {
  const waits = { all: 1, nfs: [waiter(7)] };
  const home = mountOf({ ...outstanding(28, 20) });
  const apps = mountOf({
    mount: '/apps',
    source: 'nfs2:/apps',
    server: 'nfs2',
    dev: '0:40',
    addr: '10.9.0.2',
  });
  const client = (...mounts: ClientMount[]) => clientOf({ mounts, waiting: waits });
  const night = (now = client(home, apps), before = now): Nfs =>
    new Nfs(['n1'], ['nfs1', 'nfs2']).client('n1', before, now);
  const plan = (made: Nfs, mount?: string) =>
    umountAction.plan([subject('n1')], mount === undefined ? {} : { mount }, context(made));

  it('sends the second call only behind the first, says what is lost and whom it hits', () => {
    const made = night();
    const planned = plan(made);
    const target = targetOf(planned);
    expect(target.steps.map((step) => 'argv' in step && step.argv.slice(2))).toEqual([
      ['timeout -s KILL 15 umount -f "$1" || test $? -eq 16', 'umount', '/home'],
      [
        'cut -d" " -f5 /proc/self/mountinfo | grep -qxF -- "$2" || exit 0; sleep 8; exec timeout -s KILL 15 umount -f "$1"',
        'umount',
        '/home',
        '/home',
      ],
    ]);
    expect('because' in planned && planned.because.join('\n')).toMatch(/is lost\n.*at least: ls 7/);
    expect(guards(target, made)).toEqual({ '3 preconditions': true, '4 ownership': true });
    expect(target.whyAlreadyDone(made.judgement())).toBeUndefined();
  });

  it('names the mounts that share its fate', () => {
    const bind = { ...home, mount: '/srv/home' };
    const near = mountOf({ mount: '/work', source: 'nfs1:/export/work', dev: '0:50' });
    const planned = plan(night(client(home, bind, near)), '/home');
    expect('because' in planned && planned.because.slice(2)).toEqual([
      'the same file system, its requests are aborted too: /srv/home',
      'shares the connection to its server: /work',
    ]);
  });

  it.each([
    ['is answered', client(mountOf())],
    ['is waited for by nobody', clientOf({ mounts: [home] })],
  ])('is held up where the mount %s', (_what, now) => {
    const made = night(now);
    expect(plan(made)).toMatchObject({ refused: true, reason: 'n1: no NFS mount of n1 hangs' });
    expect(guards(targetOf(plan(made, '/home')), made)['3 preconditions']).toBe(false);
  });

  it('asks which of two, and takes no path that it cannot type', () => {
    const two = client(home, { ...home, mount: '/other', dev: '0:60' });
    expect(plan(night(two))).toMatchObject({ refused: true });
    expect(targetOf(plan(night(two), '/other')).object).toBe('/other');
    expect(plan(night(client({ ...home, mount: '/a;b' })))).toMatchObject({
      refused: true,
      guard: '5 targets',
    });
    expect(umountAction.parameters.safeParse({ mount: '/a;b' }).success).toBe(false);
  });

  it('spells a blank as mountinfo does', () => {
    const [, again] = targetOf(plan(night(client({ ...home, mount: '/a b' })))).steps;
    expect(again && 'argv' in again && again.argv.slice(-2)).toEqual(['/a b', String.raw`/a\040b`]);
  });

  it('is done once mount and superblock are gone', () => {
    const check = (now: ReturnType<typeof client>) => {
      const target = targetOf(plan(night()));
      return target.verify.check(night(now, client(home)).judgement());
    };
    const volume = { dev: '0:32', addr: '10.9.0.1', vers: '3' };
    expect(check(client(home))).toMatchObject({ state: 'wait', text: 'still mounted' });
    expect(check({ ...client(apps), volumes: [volume] })).toMatchObject({ state: 'wait' });
    expect(check({ ...client(apps), volumes: [] })).toMatchObject({ state: 'yes' });
  });
});
