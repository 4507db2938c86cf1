import type { Past } from '../../src/audit/past-runs.ts';
import type { SharedActions } from '../../src/remedy/shared-actions.ts';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HoldView, RunView } from '../../src/model/run.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import { livenessOf, recordLiveness } from '../../src/remedy/process-stamp.ts';
import { remedyRequests } from '../../src/remedy/requests.ts';
import { answer, createWorld, lostAnswer, node, self, type World } from './world.ts';
import { heldAction, isArmed, shut, withTimer } from './held.ts';

let world: World;
let timer: ReturnType<typeof withTimer>;
beforeEach(() => {
  world = createWorld(3);
  timer = withTimer(world);
});

const ARM = 'arm n1 60';
const CHANGE = "scontrol update n1 drain ''";
const KEEP = 'disarm n1';
const RESTORE = 'scontrol update n1 resume back';

const sent = () => world.sent.map(({ script }) => script);
const told = async () =>
  (await world.parts.audit.read()).records.map(({ kind, detail, outcome }) =>
    kind === 'hold' ? detail['phase'] : `${kind}${outcome === undefined ? '' : ` ${outcome}`}`,
  );
const locks = () => readdirSync(join(world.folder, 'locks')).filter((name) => name.endsWith('.lock'));

/** Does this once, when the hold has been watched. */
const once = (act: (run: string, hold: HoldView) => void) => {
  let done = false;
  return (hold: HoldView, run: string): void => {
    if (done || hold.state !== 'waiting' || hold.watches === 0) return;
    done = true;
    act(run, hold);
  };
};

const hold = async (
  react: (engine: Engine) => (hold: HoldView, run: string) => void = () => () => undefined,
): Promise<RunView> => {
  const engine = world.engine();
  return engine.ended(await shut(world, engine, react(engine)));
};

describe('guard 9 confirmed or undone', () => {
  it('is kept by typing so: armed, proven, changed, watched, disarmed, all in the log', async () => {
    const seen: HoldView[] = [];
    const view = await hold((engine) => {
      const keep = once((run) => void engine.keep(run, 'keep'));
      return (now, run) => {
        seen.push(now);
        keep(now, run);
      };
    });
    expect(view).toMatchObject({ state: 'done', targets: [{ state: 'verified' }] });
    expect(view.result).toContain('kept: n1 stays drained');
    expect(view.hold).toBeUndefined();
    expect(sent()).toEqual([ARM, CHANGE, KEEP]);
    expect(await told()).toEqual(['intent', 'armed', 'changed', 'keep', 'kept', 'result done']);
    expect(world.nodes['n1']?.drained).toBe(true);
    expect(seen.find(({ watches }) => watches > 0)).toMatchObject({
      target: 'n1',
      by: 'timer',
      state: 'waiting',
      typed: 'keep',
      watched: ['n1 reads drained'],
      good: { ok: true, text: 'no errors' },
    });
    expect(locks()).toEqual([]);
  });

  it('shows what arms it, what keeps it and what restores it; the hash is over all of it', async () => {
    const engine = world.engine();
    const planned = await engine.plan('fake.shut', [node('n1')], {});
    if ('refused' in planned) throw new Error(planned.refused.reason);
    const { commands, hold: held } = planned.card;
    expect(commands).toEqual([
      { host: 'adm9', line: ARM },
      { host: 'ctl1', line: CHANGE },
    ]);
    expect(held).toMatchObject({
      by: 'timer',
      seconds: 60,
      keep: [{ host: 'adm9', line: KEEP }],
      restore: [{ host: 'ctl1', line: RESTORE }],
    });
    expect(planned.card.where).toContain('adm9');
  });

  it('counts down every second and is restored by the timer when nobody says anything; nothing is sent for it', async () => {
    const left = new Set<number>();
    const view = await hold(() => (now) => void left.add(now.secondsLeft));
    expect(view.state).toBe('undone');
    expect(view.result).toMatch(/not kept: the timer on adm9 has restored it: n1 is up/);
    expect(sent()).toEqual([ARM, CHANGE]);
    expect(left.size).toBeGreaterThan(40);
    expect(Math.max(...left)).toBeLessThanOrEqual(60);
    expect(await told()).toEqual(['intent', 'armed', 'changed', 'result undone']);
  });

  it('is restored at once when asked to, and the timer disarmed', async () => {
    const view = await hold((engine) => once((run) => void engine.restore(run)));
    expect(view.state).toBe('undone');
    expect(sent()).toEqual([ARM, CHANGE, RESTORE, KEEP]);
    expect(isArmed(world.nodes)).toBe(false);
    expect(await told()).toEqual([
      'intent',
      'armed',
      'changed',
      'restore',
      'restored',
      'disarmed',
      'result undone',
    ]);
  });

  it.each([
    ['says no', answer({ exitCode: 1, stderr: 'cannot log in to core3' }), /cannot log in to core3/],
    ['is lost', lostAnswer(), /was lost/],
    [
      'is not reached',
      answer({ notConnected: { kind: 'timeout', message: 'adm9 is away' } }),
      /adm9 is away/,
    ],
  ])('when the arming %s nothing is changed', async (_, failure, text) => {
    timer.fail['arm'] = failure;
    const view = await hold();
    expect(view.state).toBe('refused');
    expect(view.result).toMatch(text);
    expect(view.result).toContain('9 armed undo');
    // Whatever timer is there may be somebody else's: it is left alone.
    expect(sent()).toEqual([ARM]);
    expect(world.nodes['n1']?.drained).toBe(false);
    expect(await told()).toEqual(['intent', 'result refused']);
  });

  it('when the timer is not seen to be armed nothing is changed', async () => {
    timer.fail['arm'] = answer();
    const view = await hold();
    expect(view.state).toBe('refused');
    expect(view.result).toContain('the undo is not seen to be armed: not so within 5 s: no timer');
    expect(sent()).toEqual([ARM, KEEP]);
  });

  it('when the change is refused by the host it is put back and the timer disarmed', async () => {
    timer.fail['drain'] = answer({ exitCode: 1, stderr: '% Invalid input' });
    const view = await hold();
    expect(view.state).toBe('undone');
    expect(view.result).toContain('% Invalid input');
    expect(sent()).toEqual([ARM, CHANGE, RESTORE, KEEP]);
    expect(isArmed(world.nodes)).toBe(false);
  });

  it('when the change was never sent the timer is disarmed and it failed', async () => {
    timer.fail['drain'] = answer({ notConnected: { kind: 'unreachable', message: 'ctl1 is away' } });
    const view = await hold();
    expect(view.state).toBe('failed');
    expect(sent()).toEqual([ARM, CHANGE, KEEP]);
    expect(await told()).toEqual(['intent', 'armed', 'disarmed', 'result failed']);
  });

  it('when the change cuts us off it is the timer that restores, and that is read and said', async () => {
    const engine = world.engine();
    const doIt = world.act;
    world.act = async (script) => {
      if (script.startsWith('scontrol')) world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
      const done = await doIt(script);
      return script === RESTORE
        ? answer({ notConnected: { kind: 'timeout', message: 'ctl1 is away' } })
        : done;
    };
    const fire = world.beforeRead;
    world.beforeRead = () => {
      const was = isArmed(world.nodes);
      fire();
      if (was && !isArmed(world.nodes)) world.broken = undefined;
    };
    // The node is not restored by the answer that never came.
    timer.fail['resume'] = answer({ notConnected: { kind: 'timeout', message: 'ctl1 is away' } });
    const view = await engine.ended(await shut(world, engine));
    expect(view.state).toBe('undone');
    expect(view.result).toMatch(/the timer on adm9 has restored it: n1 is up/);
  });

  it('a timer that does not do its work is made up for from here, once', async () => {
    timer.dead = true;
    const view = await hold();
    expect(view.state).toBe('undone');
    expect(view.result).toMatch(/not seen to have restored it .* restored from here/);
    expect(sent()).toEqual([ARM, CHANGE, RESTORE]);
  });

  it('neither the timer nor we could restore it: unknown, and in the way of all else', async () => {
    timer.dead = true;
    timer.fail['resume'] = answer({ exitCode: 1, stderr: 'no' });
    const engine = world.engine();
    const view = await engine.ended(await shut(world, engine));
    expect(view.state).toBe('unknown');
    expect(sent()).toEqual([ARM, CHANGE, RESTORE]);
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    expect(await engine.plan('fake.shut', [node('n1')], {})).toMatchObject({
      refused: { guard: '10 unknown' },
    });
  });

  it('keep wants the word, and time enough, and a hold', async () => {
    const engine = world.engine();
    const requests = remedyRequests(engine, world.parts.audit);
    const answers: unknown[] = [];
    expect(await requests.keep({ run: 'r-none', typed: 'keep' })).toMatchObject({ refused: {} });
    expect(await requests.restore({ run: 'r-none' })).toMatchObject({ refused: {} });
    let wrong = false;
    const run = await shut(world, engine, (now, id) => {
      if (!wrong) {
        wrong = true;
        void requests.keep({ run: id, typed: 'y' }).then((said) => answers.push(said));
      }
      if (now.state === 'waiting' && now.secondsLeft === 3)
        void requests.keep({ run: id, typed: 'keep' }).then((said) => answers.push(said));
    });
    expect((await engine.ended(run)).state).toBe('undone');
    expect(answers.slice(0, 2)).toMatchObject([
      { refused: { guard: '8 confirmation', reason: 'not kept: type "keep"' } },
      { refused: { guard: '9 armed undo', reason: expect.stringContaining('too late') } },
    ]);
    expect(sent()).not.toContain(KEEP);
  });

  it('a keep whose answer was lost counts when it reads so, and is never sent twice', async () => {
    const doIt = world.act;
    world.act = async (script) => {
      const done = await doIt(script);
      return script === KEEP ? lostAnswer() : done;
    };
    const view = await hold((engine) => once((run) => void engine.keep(run, 'keep')));
    expect(view.state).toBe('done');
    expect(sent()).toEqual([ARM, CHANGE, KEEP]);
  });

  it('a keep that the undo host refuses ends as what is true: restored by the timer', async () => {
    timer.fail['disarm'] = answer({ exitCode: 1, stderr: 'no such unit' });
    const view = await hold((engine) => once((run) => void engine.keep(run, 'keep')));
    expect(view.state).toBe('undone');
    expect(view.result).toContain('it could not be kept and was restored: n1 is up');
  });

  it('a keep that could not be sent leaves the hold as it is: it may be typed again', async () => {
    timer.fail['disarm'] = answer({ notConnected: { kind: 'timeout', message: 'adm9 is away' } });
    let times = 0;
    const view = await hold((engine) => (now, run) => {
      if (now.state !== 'waiting' || now.watches <= times) return;
      times += 1;
      if (times === 2) delete timer.fail['disarm'];
      if (times <= 2) void engine.keep(run, 'keep');
    });
    expect(view.state).toBe('done');
    expect(sent()).toEqual([ARM, CHANGE, KEEP, KEEP]);
  });

  it('without a log that can be written it is not kept', async () => {
    const engine = world.engine({
      audit: {
        ...world.parts.audit,
        append: async (entry) =>
          entry.detail['phase'] === 'keep'
            ? { ok: false, reason: 'disk full' }
            : world.parts.audit.append(entry),
      },
    });
    const run = await shut(
      world,
      engine,
      once((id) => void engine.keep(id, 'keep')),
    );
    expect((await engine.ended(run)).state).toBe('undone');
    expect(sent()).toEqual([ARM, CHANGE]);
  });

  it('what can no longer be watched is said and is not good', async () => {
    const goods: (boolean | undefined)[] = [];
    const view = await hold(() => (now) => {
      goods.push(now.good?.ok);
      if (now.watches === 1) world.broken = { kind: 'timeout', message: 'core3 is silent' };
      if (now.secondsLeft <= 10) world.broken = undefined;
    });
    expect(goods).toContain(true);
    expect(goods).toContain(false);
    expect(view.state).toBe('undone');
  });

  it('a device that undoes by itself is proven after the change and confirmed to keep it', async () => {
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [heldAction('device')] }] };
    const view = await hold((engine) => once((run) => void engine.keep(run, 'keep')));
    expect(view.state).toBe('done');
    expect(sent()).toEqual(['commit n1 60', 'confirm n1']);
    expect(await told()).toEqual(['intent', 'changed', 'armed', 'keep', 'kept', 'result done']);
  });

  it('a device that took the change without arming is put back at once', async () => {
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [heldAction('device')] }] };
    const doIt = world.act;
    world.act = async (script) => {
      const done = await doIt(script);
      if (script.startsWith('commit')) world.nodes['timer'] = { drained: false, reason: '' };
      return done;
    };
    const view = await hold();
    expect(view.state).toBe('undone');
    expect(view.result).toContain('the device is not seen to undo it by itself');
    expect(sent()).toEqual(['commit n1 60', RESTORE]);
  });
});

describe('a console that goes while a change is held', () => {
  it('leaves the timer armed and the lock in place; the next start waits for the timer and says what is true', async () => {
    const engine = world.engine();
    let closing: Promise<void> | undefined;
    const since = world.clock.mono();
    const run = await shut(
      world,
      engine,
      once(() => {
        closing = engine.close();
      }),
    );
    const view = await engine.ended(run);
    await closing;
    expect(world.clock.mono() - since).toBeLessThan(30_000);
    expect(view.state).toBe('unknown');
    expect(view.result).toMatch(
      /the console ended while it was held: the timer on adm9 restores it within \d+ s/,
    );
    expect(isArmed(world.nodes)).toBe(true);
    expect(world.nodes['n1']?.drained).toBe(true);
    expect(locks()).toHaveLength(1);

    const next = world.engine({ isDead: () => true });
    const shown: string[] = [];
    next.onChange(() => shown.push(next.runs()[0]?.state ?? ''));
    const views = await next.recover();
    expect(shown[0]).toBe('running');
    expect(views).toMatchObject([{ id: run, state: 'undone', targets: [{ id: 'n1' }] }]);
    expect(views[0]?.result).toContain('it was restored: n1 is up');
    expect(sent()).toEqual([ARM, CHANGE]);
    expect(locks()).toEqual([]);
    expect(await next.recover()).toEqual([]);
  });

  it('nobody else can keep it, and once the timer has undone it colleagues are not held up by it any more', async () => {
    const told = new Map<string, Past>();
    const sharedActions: SharedActions = {
      read: async () => [...told.values()],
      poll: async () => [...told.values()],
      tell: async (past, none = false) => {
        if (none) told.delete(`${past.run} ${past.subject}`);
        else told.set(`${past.run} ${past.subject}`, past);
        return undefined;
      },
    };
    const engine = world.engine({ sharedActions });
    const run = await shut(
      world,
      engine,
      once(() => void engine.close()),
    );
    await engine.ended(run);
    expect([...told.values()]).toMatchObject([{ run, subject: 'node n1' }]);
    const next = world.engine({ sharedActions, isDead: () => true });
    expect(await next.keep(run, 'keep')).toMatchObject({ refused: { guard: '9 armed undo' } });
    expect(await next.recover()).toMatchObject([{ id: run, state: 'undone' }]);
    expect([...told.values()]).toEqual([]);
    // A console of a colleague, which knows the shared folder only.
    const colleague = world.engine({ sharedActions, isDead: () => true });
    expect('card' in (await colleague.plan('fake.shut', [{ kind: 'node', id: 'n1' }], {}))).toBe(true);
  });

  it('a timer that never came is found out: still so, and its undo can be had', async () => {
    timer.dead = true;
    const engine = world.engine();
    const run = await shut(
      world,
      engine,
      once(() => void engine.close()),
    );
    await engine.ended(run);
    const next = world.engine({ isDead: () => true });
    const views = await next.recover();
    expect(views).toMatchObject([{ state: 'failed' }]);
    expect(views[0]?.result).toMatch(/it was not restored: n1 is drained; it can be undone: undo:r-/);
    const undo = await next.plan(`undo:${run}`, [], {});
    if ('refused' in undo) throw new Error(undo.refused.reason);
    expect(undo.card.commands).toEqual([{ host: 'ctl1', line: "scontrol update n1 resume ''" }]);
  });

  it('nothing else is done to the subject while the undo is still to come', async () => {
    const engine = world.engine();
    const run = await shut(
      world,
      engine,
      once(() => void engine.close()),
    );
    await engine.ended(run);
    const next = world.engine();
    expect(await next.plan('fake.shut', [node('n1')], {})).toMatchObject({
      refused: { guard: '10 unknown', reason: expect.stringContaining('was left while it was held') },
    });
    expect(existsSync(join(world.folder, 'audit.jsonl'))).toBe(true);
  });
});

describe('a console that is killed while a change is held', () => {
  const killed = (place: string): Promise<string> =>
    new Promise((resolve) => {
      const script = new URL('./hold-child.ts', import.meta.url).pathname;
      execFile(process.execPath, [script, world.folder, place], (error, stdout, stderr) =>
        resolve(error?.signal ?? (stdout || stderr)),
      );
    });

  it.each([
    ['armed', false, 'undone', /it was restored: n1 is up/],
    ['changed', true, 'undone', /it was restored: n1 is up/],
    ['held', true, 'undone', /it was restored: n1 is up/],
  ] as const)(
    'at "%s": the next start waits for the timer and reports',
    async (place, drained, state, text) => {
      expect(await killed(place)).toBe('SIGKILL');
      world.nodes['n1'] = { drained, reason: '' };
      world.nodes['timer'] = { drained: true, reason: 'n1' };
      Object.assign(timer, { id: 'n1', at: world.clock.mono() + 59_000 });
      const next = world.engine({
        liveness: recordLiveness(self),
        isDead: (owner) => livenessOf(owner, self) === 'dead',
      });
      expect(locks()).toHaveLength(1);
      const views = await next.recover();
      expect(views).toMatchObject([{ state }]);
      expect(views[0]?.result).toMatch(text);
      expect(locks()).toEqual([]);
      expect((await world.parts.audit.read()).problems).toEqual([]);
      expect(await next.recover()).toEqual([]);
    },
  );

  it('after it was asked to keep and it did: kept, and can be undone', async () => {
    expect(await killed('keep')).toBe('SIGKILL');
    world.nodes['n1'] = { drained: true, reason: '' };
    const views = await world.engine({ liveness: recordLiveness(self) }).recover();
    expect(views).toMatchObject([{ state: 'done' }]);
    expect(views[0]?.result).toMatch(/kept: n1 stays drained; it can be undone: undo:r-/);
  });

  it('without a kill the child keeps it', async () => {
    expect(await killed('nowhere')).toBe('done');
    expect(await world.engine().recover()).toEqual([]);
  });
});
