import { beforeEach, describe, expect, it } from 'vitest';
import type { HoldView } from '../../src/model/run.ts';
import { remedyRequests } from '../../src/remedy/requests.ts';
import { answer, createWorld, lostAnswer, type World } from './world.ts';
import { ARM, CHANGE, heldAction, KEEP, once, RESTORE, shut, watching, withTimer } from './held.ts';

let world: World;
let timer: ReturnType<typeof withTimer>;
beforeEach(() => {
  world = createWorld(3);
  timer = withTimer(world);
});

const { sent, told, locks, hold } = watching(() => world);

describe('keeping what is held', () => {
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
    expect(await told()).toEqual(['intent', 'armed', 'change', 'changed', 'keep', 'kept', 'result done']);
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
    expect((await engine.awaitEnd(run)).state).toBe('undone');
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
    expect(view.result).toContain('the change could not be kept and was restored: n1 is up');
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
    expect((await engine.awaitEnd(run)).state).toBe('undone');
    expect(sent()).toEqual([ARM, CHANGE]);
  });

  it('a device that undoes by itself is proven after the change and confirmed to keep it', async () => {
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [heldAction('device')] }] };
    const view = await hold((engine) => once((run) => void engine.keep(run, 'keep')));
    expect(view.state).toBe('done');
    expect(sent()).toEqual(['commit n1 60', 'confirm n1']);
    expect(await told()).toEqual(['intent', 'change', 'changed', 'armed', 'keep', 'kept', 'result done']);
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
