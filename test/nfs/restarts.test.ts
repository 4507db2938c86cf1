import { describe, expect, it } from 'vitest';
import { remountAction } from '../../probes/nfs/act/remount.ts';
import { restartRpcbindAction } from '../../probes/nfs/act/restart-rpcbind.ts';
import type { Call, CallState, ClientReading } from '../../probes/nfs/readings.ts';
import type { Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import { call, clientOf, mountOf, Nfs, outstanding, serverOf, waiter } from './make.ts';

const subject = (id: string) => ({ kind: 'host' as const, id });
const context = (made: Nfs) => ({ judgement: made.judgement(), operator: 'op' });

const targetOf = (plan: Plan | Refusal): PlanTarget => {
  if ('refused' in plan) throw new Error(plan.reason);
  const [target] = plan.targets;
  if (!target) throw new Error('no target');
  return target;
};

const argvs = ({ steps }: PlanTarget): (readonly string[])[] =>
  steps.map((step) => ('argv' in step ? step.argv : []));

const guards = ({ guards: all }: PlanTarget, made: Nfs): Record<string, string | true> =>
  Object.fromEntries(
    all.map(({ id, check }) => {
      const said = check(made.judgement());
      return [id, said.ok ? true : said.text];
    }),
  );

const own = (what: Call['what'], state: CallState): Call =>
  call(what, state, { addr: '127.0.0.1', version: 1 });

describe('restart rpcbind', () => {
  const services = ['rpcbind', 'statd', 'mountd', 'lockd'] as const;
  const server = (states: Partial<Record<Call['what'], CallState>>, threads = 8): Nfs =>
    new Nfs([]).server(
      'nfs1',
      serverOf({ threads, graceS: 90, calls: services.map((what) => own(what, states[what] ?? 'ready')) }),
    );
  const client = (...calls: Call[]): Nfs =>
    new Nfs(['n1']).client('n1', clientOf(), clientOf()).calls('n1', calls);
  const plan = (made: Nfs, host: string) => restartRpcbindAction.plan([subject(host)], {}, context(made));
  const dead = server({ rpcbind: 'refused', statd: 'refused', mountd: 'refused', lockd: 'refused' });

  it('on a server registers again all that it forgot', () => {
    const target = targetOf(plan(dead, 'nfs1'));
    expect(argvs(target).slice(0, 3)).toEqual([
      ['systemctl', 'restart', 'rpcbind'],
      ['systemctl', 'restart', 'rpc-statd'],
      ['systemctl', 'restart', 'nfs-mountd'],
    ]);
    expect(argvs(target)[3]).toEqual(['sh', '-c', 'rpc.nfsd 0 && rpc.nfsd "$1"', 'nfsd', '8']);
    expect(guards(target, dead)).toEqual({ '3 preconditions': true });
    expect(target.whyAlreadyDone(dead.judgement())).toBeUndefined();
    const half = server({ lockd: 'notRegistered' });
    expect(target.verify.check(half.judgement())).toEqual({ state: 'wait', text: 'not: lockd' });
    expect(target.verify.check(server({}).judgement()).state).toBe('yes');
    const said = plan(dead, 'nfs1');
    expect('because' in said && said.because.join('\n')).toContain('grace period of nfsd (90 s)');
  });

  it('on a client registers statd, and says what it does not', () => {
    const made = client(own('rpcbind', 'refused'), own('statd', 'refused'));
    const target = targetOf(plan(made, 'n1'));
    expect(argvs(target)).toEqual([
      ['systemctl', 'restart', 'rpcbind'],
      ['systemctl', 'restart', 'rpc-statd'],
    ]);
    expect(guards(target, made)).toEqual({ '3 preconditions': true });
    const cured = client(own('rpcbind', 'ready'), own('statd', 'ready'));
    expect(target.verify.check(cured.judgement()).state).toBe('yes');
    expect(target.whyAlreadyDone(cured.judgement())).toContain('answers');
  });

  it.each([
    ['it answers', client(own('rpcbind', 'ready'), own('statd', 'refused')), 'it answers'],
    ['rpcinfo is not there', client(own('rpcbind', 'noTool')), 'noTool'],
  ])('is held up where %s: it would lose what is registered', (_what, made, why) => {
    expect(guards(targetOf(plan(made, 'n1')), made)['3 preconditions']).toBe(why);
  });

  it('is refused where nothing was read, and where nfsd does not run', () => {
    expect(plan(client(), 'n1')).toMatchObject({ refused: true });
    expect(plan(server({ rpcbind: 'refused' }, 0), 'nfs1')).toMatchObject({ refused: true });
  });

  it('is what a client is offered whose statd is not found for it', () => {
    const made = client(own('rpcbind', 'refused'), own('statd', 'refused'));
    expect(made.findings()).toMatchObject([
      {
        kind: 'statd-dead',
        summary: expect.stringMatching(/^n1: rpcbind is dead, locks to servers not yet in use/),
        suspects: [{ cause: 'rpcbind-dead' }],
        remedies: [{ action: 'nfs.restart-rpcbind' }],
      },
    ]);
  });
});

describe('mount anew', () => {
  const fstab = [{ source: 'nfs1:/export/home', mount: '/home' }];
  const at = (more: Partial<ClientReading> = {}): ClientReading =>
    clientOf({ mounts: [mountOf({ ageS: 5000 })], fstab, ...more });
  const night = (value = at(), calls = [call('nfs', 'ready')]): Nfs =>
    new Nfs(['n1', 'n2'])
      .client('n1', value, value)
      .client('n2', clientOf(), clientOf())
      .calls('n1', calls)
      .calls('n2', [call('nfs', 'ready')]);
  const plan = (made: Nfs, mount = '/home') => remountAction.plan([subject('n1')], { mount }, context(made));

  it('unmounts without force, mounts what fstab says and lists it; its age proves that it is another mount', () => {
    const made = night();
    const target = targetOf(plan(made));
    expect(argvs(target)).toEqual([
      ['timeout', '-s', 'KILL', '15', 'umount', '--', '/home'],
      ['timeout', '-s', 'KILL', '30', 'mount', '--', '/home'],
      ['timeout', '-s', 'KILL', '20', 'ls', '-d', '--', '/home/.'],
    ]);
    expect(guards(target, made)).toEqual({ '3 fstab': true, '3 preconditions': true, '4 ownership': true });
    const later = (value: ClientReading) => target.verify.check(night(value).judgement());
    expect(later(at()).text).toBe('still the mount of before');
    expect(later(at({ mounts: [] })).text).toBe('not mounted');
    expect(later(at({ mounts: [mountOf()] })).state).toBe('unread');
    expect(later(at({ mounts: [mountOf({ ageS: 3 })] }))).toEqual({
      state: 'yes',
      text: 'mounted 3 s ago',
    });
  });

  it('mounts what is not mounted, by the calls of others', () => {
    const made = night(at({ mounts: [] }), []);
    const target = targetOf(plan(made));
    expect(argvs(target).map((argv) => argv[4])).toEqual(['mount', 'ls']);
    expect(guards(target, made)['3 preconditions']).toBe(true);
  });

  it.each([
    [
      'its server answers no call',
      night(at(), [call('nfs', 'timedOut', { text: 'timed out' })]),
      'n1: timed out',
    ],
    ['nobody called it', new Nfs(['n1']).client('n1', at(), at()), 'no call of it was made just now'],
    [
      'a mount hangs',
      night(
        at({
          mounts: [mountOf({ ageS: 5000, ...outstanding(9, 7) })],
          waiting: { all: 1, nfs: [waiter(7)] },
        }),
      ),
      '/home hangs',
    ],
  ])('is held up where %s', (_what, made, why) => {
    expect(guards(targetOf(plan(made)), made)['3 preconditions']).toBe(why);
  });

  it('is not held up by a mount of another server that hangs', () => {
    const waits = {
      waiting: { all: 1, nfs: [waiter(7)] },
      mounts: [
        mountOf({ ageS: 5000 }),
        mountOf({ mount: '/x', source: 'nfs2:/x', server: 'nfs2', addr: '10.9.0.2', ...outstanding(9, 7) }),
      ],
    };
    const made = new Nfs(['n1'], ['nfs1', 'nfs2'])
      .client('n1', at(waits), at(waits))
      .calls('n1', [call('nfs', 'ready')]);
    expect(guards(targetOf(plan(made)), made)['3 preconditions']).toBe(true);
  });

  it('is held up once fstab says something else, and refused where it says nothing', () => {
    const target = targetOf(plan(night()));
    const other = night(at({ fstab: [{ source: 'nfs2:/home', mount: '/home' }] }));
    expect(guards(target, other)['3 fstab']).toBe('it says nfs2:/home');
    expect(plan(night(), '/other')).toMatchObject({ refused: true });
    expect(plan(night(at({ mounts: [mountOf()] })))).toMatchObject({ refused: true });
    expect(remountAction.parameters.safeParse({ mount: '/a;b' }).success).toBe(false);
  });
});
