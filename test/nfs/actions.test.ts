import { describe, expect, it } from 'vitest';
import { exportAgainAction } from '../../probes/nfs/act/export-again.ts';
import { restartStatdAction } from '../../probes/nfs/act/restart-statd.ts';
import { threadsAction } from '../../probes/nfs/act/threads.ts';
import type { Call, DryRunReading } from '../../probes/nfs/readings.ts';
import type { Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import { start } from '../helpers/judging.ts';
import { call, clientOf, Nfs, serverOf } from './make.ts';

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
    expect(target.already(made.judgement())).toBeUndefined();
    expect(target.verify.check(made.judgement()).state).toBe('wait');
    const cured = night(own('statd', 'ready'), own('rpcbind', 'ready'));
    expect(target.verify.check(cured.judgement()).state).toBe('yes');
    expect(target.already(cured.judgement())).toBe('rpc.statd on n1 answers');
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
    expect(target.already(done.judgement())).toBe('the table in force is what /etc/exports says');
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
    expect(targetOf(plan(made)).already(made.judgement())).toBeUndefined();
  });

  it('waits for the try', () => {
    const made = night();
    expect(guards(targetOf(plan(made)), made)).toEqual({ '3 dry run': false });
  });
});
