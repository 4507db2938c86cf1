import { beforeEach, describe, expect, it } from 'vitest';
import { answer, createWorld, lostAnswer, node, type World } from './world.ts';
import { ARM, CHANGE, isArmed, KEEP, once, RESTORE, shut, watching, withTimer } from './held.ts';

let world: World;
let timer: ReturnType<typeof withTimer>;
beforeEach(() => {
  world = createWorld(3);
  timer = withTimer(world);
});

const { sent, told, hold } = watching(() => world);

describe('guard 9 confirmed or undone', () => {
  it('shows what arms it, what keeps it and what restores it; the hash is over all of it', async () => {
    const engine = world.engine();
    const planned = await engine.plan('fake.shut', [node('n1')], {});
    if ('refused' in planned) throw new Error(planned.refused.reason);
    const { commands, hold: held } = planned.card;
    expect(commands).toEqual([
      { host: 'adm9', line: ARM, folded: true },
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
    expect(await told()).toEqual(['intent', 'armed', 'change', 'changed', 'result undone']);
  });

  it('is restored at once when asked to, and the timer disarmed', async () => {
    const view = await hold((engine) => once((run) => void engine.restore(run)));
    expect(view.state).toBe('undone');
    expect(sent()).toEqual([ARM, CHANGE, RESTORE, KEEP]);
    expect(isArmed(world.nodes)).toBe(false);
    expect(await told()).toEqual([
      'intent',
      'armed',
      'change',
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
    expect(view.result).toContain('the undo could not be armed');
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

  it('when the change cannot be written down nothing is sent, and the timer disarmed', async () => {
    const { audit } = world.parts;
    const append: typeof audit.append = async (entry) =>
      entry.detail['phase'] === 'change' ? { ok: false, reason: 'disk full' } : audit.append(entry);
    world.parts = { ...world.parts, audit: { ...audit, append } };
    const view = await hold();
    expect(view.state).toBe('failed');
    expect(view.result).toContain('not sent, nothing was changed: the audit log cannot be written');
    expect(sent()).toEqual([ARM, KEEP]);
  });

  it('when the change was never sent the timer is disarmed and it failed', async () => {
    timer.fail['drain'] = answer({ notConnected: { kind: 'unreachable', message: 'ctl1 is away' } });
    const view = await hold();
    expect(view.state).toBe('failed');
    expect(sent()).toEqual([ARM, CHANGE, KEEP]);
    expect(await told()).toEqual(['intent', 'armed', 'change', 'disarmed', 'result failed']);
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
    const view = await engine.awaitEnd(await shut(world, engine));
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
    const view = await engine.awaitEnd(await shut(world, engine));
    expect(view.state).toBe('unknown');
    expect(sent()).toEqual([ARM, CHANGE, RESTORE]);
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    expect(await engine.plan('fake.shut', [node('n1')], {})).toMatchObject({
      refused: { guard: '10 unknown' },
    });
  });
  it('what the undo itself tells of its failure is said beside it, and decides nothing', async () => {
    timer.dead = true;
    world.nodes['failed'] = { drained: false, reason: 'not authorized' };
    const made = await hold();
    expect(made.state).toBe('undone');
    expect(made.result).toMatch(
      /n1 is drained; its undo failed: adm9 tells: not authorized\); restored from here/,
    );
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
});
