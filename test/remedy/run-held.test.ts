import { beforeEach, describe, expect, it } from 'vitest';
import type { HeldLock, LockProblem } from '../../src/remedy/locks.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import { colleagues } from './hang.ts';
import { ARM, CHANGE, heldAction, KEEP, once, shut, watching, withTimer } from './held.ts';
import { answer, createWorld, lostAnswer, obey, type World } from './world.ts';

let world: World;
let timer: ReturnType<typeof withTimer>;
let told: ReturnType<typeof colleagues>;
/** What a lock is found to be when it is read again, by how often it was. */
let lost: (times: number) => LockProblem | undefined;
let isExpired: () => boolean;
beforeEach(() => {
  world = createWorld(1);
  timer = withTimer(world);
  told = colleagues();
  lost = () => undefined;
  isExpired = () => false;
  let times = 0;
  const take: EngineParts['locks']['take'] = async (group) => {
    const lock: HeldLock = {
      group,
      isExpired: () => isExpired(),
      check: async () => lost((times += 1)),
      release: async () => undefined,
    };
    return { state: 'taken', lock };
  };
  world.parts = { ...world.parts, sharedActions: told, locks: { ...world.parts.locks, take } };
});

const { sent, hold } = watching(() => world);
const textOf = async (...given: Parameters<typeof hold>): Promise<string> => {
  const { targets } = await hold(...given);
  return `${targets[0]?.state}: ${targets[0]?.text}`;
};
const records = async () =>
  (await world.parts.audit.read()).records.map(({ kind, detail, outcome }) =>
    [kind, detail['phase'] ?? outcome].filter((one) => one !== undefined).join(' '),
  );
/** A log that does not take some entries. */
const without = (kind: string, phase?: string): void => {
  const { audit } = world.parts;
  const append: typeof audit.append = async (entry) =>
    entry.kind === kind && entry.detail['phase'] === phase
      ? { ok: false, reason: 'the disk is full' }
      : audit.append(entry);
  world.parts = { ...world.parts, audit: { ...audit, append } };
};
/** Something happens when this script is sent. */
const when = (script: string, what: () => void): void => {
  const act = world.act;
  world.act = async (one) => {
    const done = await act(one);
    if (one === script) what();
    return done;
  };
};
const away = answer({ notConnected: { kind: 'timeout', message: 'no route' } });
const GONE: LockProblem = { state: 'lost', reason: 'it is gone' };

describe('a held change is not begun', () => {
  it('without a lock that still counts', async () => {
    isExpired = () => true;
    expect(await textOf()).toBe('refused: the lock on partition batch has expired');
    expect([sent(), await records()]).toEqual([[], ['refused refused']]);
  });

  it('without its intent on the disk', async () => {
    without('intent');
    expect(await textOf()).toBe('refused: the disk is full; nothing was sent');
    expect([sent(), told.lines()]).toEqual([[], []]);
  });

  it('with a lock that is gone once the intent is there', async () => {
    lost = () => GONE;
    expect(await textOf()).toBe(
      'refused: the lock on partition batch is no longer ours: it is gone; nothing was changed',
    );
    expect([sent(), await records()]).toEqual([[], ['intent', 'result refused']]);
  });
});

describe('a change whose undo is not armed is not made', () => {
  it.each([
    ['not reached', away, 'no route'],
    ['refused', answer({ exitCode: 1, stderr: 'no such unit' }), 'exit 1: no such unit'],
    ['lost', lostAnswer(), 'the connection to adm9 was lost after the command was sent'],
  ])('its host is %s: a timer that may be another’s is left alone', async (_, fail, why) => {
    timer.fail['arm'] = fail;
    expect(await textOf()).toBe(`refused: the undo could not be armed: ${why}; nothing was changed`);
    expect(sent()).toEqual([ARM]);
    expect(told.lines()).toEqual([]);
  });

  it('it can not be written down that it is armed: the timer is taken away', async () => {
    without('hold', 'armed');
    expect(await textOf()).toBe('refused: the audit log cannot be written; nothing was changed');
    expect(sent()).toEqual([ARM, KEEP]);
  });

  it('arming took more than half of its time', async () => {
    // 10 ms to send, 5 ms to read.
    when(ARM, () => world.clock.advance(30_000 - 15 + 1));
    expect(await textOf()).toBe(
      'refused: arming took so long that too little time is left for the change; nothing was changed',
    );
    expect(sent()).toEqual([ARM, KEEP]);
  });

  it('but just half of its time is enough', async () => {
    when(ARM, () => world.clock.advance(30_000 - 15));
    await hold();
    expect(sent()).toEqual([ARM, CHANGE]);
  });

  it('the lock has expired meanwhile', async () => {
    when(ARM, () => (isExpired = () => true));
    expect(await textOf()).toBe('refused: the lock on partition batch has expired; nothing was changed');
    expect(sent()).toEqual([ARM, KEEP]);
  });

  it('the lock is lost once colleagues were told: their line is taken back', async () => {
    lost = (times) => (times > 1 ? GONE : undefined);
    expect(await textOf()).toBe(
      'refused: the lock on partition batch is no longer ours: it is gone; nothing was changed',
    );
    expect([sent(), told.lines()]).toEqual([[ARM, KEEP], []]);
  });
});

describe('a held change', () => {
  const keepIt: Parameters<typeof hold>[0] = (engine) => once((run) => void engine.keep(run, 'keep'));

  it('is told to colleagues while it stands, and taken back once it is undone', async () => {
    let during: string[] = [];
    await hold(() => once(() => void (during = told.lines())));
    expect([during, told.lines()]).toEqual([['node n1'], []]);
  });

  it('that is kept, or of which nothing is known, counts for colleagues', async () => {
    await hold(keepIt);
    expect(told.lines()).toEqual(['node n1']);
  });

  it('that was never sent does not', async () => {
    timer.fail['drain'] = away;
    expect(await textOf()).toBe('failed: not sent, nothing was changed: no route');
    expect(told.lines()).toEqual([]);
  });

  it('that somebody else has made meanwhile is not ours to undo', async () => {
    const act = world.act;
    world.act = async (script) => {
      if (script !== CHANGE) return act(script);
      obey(world.nodes, script);
      return answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' });
    };
    expect(await textOf()).toBe('nothing: exit 1: slurm_update error: Invalid user id; n1 is drained');
    expect([sent(), told.lines()]).toEqual([[ARM, CHANGE, KEEP], []]);
  });

  it('that is not seen to be made is put back, with the reason', async () => {
    timer.fail['drain'] = lostAnswer();
    expect(await textOf()).toMatch(/^undone: not verified: the connection to ctl1 was lost .*: n1 is up$/);
    expect(told.lines()).toEqual([]);
  });

  it('shows what its commands said when it has ended', async () => {
    const act = world.act;
    world.act = async (script) => {
      const done = await act(script);
      return script === CHANGE ? answer({ stdout: 'port is down\n' }) : done;
    };
    expect((await hold(keepIt)).targets[0]?.output).toBe('port is down');
  });
});

describe('a change that its device undoes by itself', () => {
  beforeEach(() => {
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [heldAction('device')] }] };
  });

  it('is counted from when it is sent', async () => {
    const engine = world.engine();
    const left: number[] = [];
    lost = () => void world.clock.advance(5_000);
    await engine.awaitEnd(await shut(world, engine, (view) => void left.push(view.secondsLeft)));
    expect(Math.max(...left)).toBe(60);
  });

  it.each(['now', 'mono'] as const)('is counted by the other clock where %s was set back', async (name) => {
    let back = 0;
    const { clock } = world;
    world.parts = { ...world.parts, clock: { ...clock, [name]: () => clock[name]() - back } };
    when('commit n1 60', () => (back = 5_000));
    const left: number[] = [];
    const engine = world.engine();
    await engine.awaitEnd(await shut(world, engine, (view) => void left.push(view.secondsLeft)));
    expect(Math.max(...left)).toBe(60);
  });

  it('is put back where the device is not seen to undo it', async () => {
    const act = world.act;
    world.act = async (script) => {
      const done = await act(script);
      if (script.startsWith('commit')) world.nodes['timer'] = { drained: false, reason: '' };
      return done;
    };
    expect(await textOf()).toMatch(
      /^undone: the device is not seen to undo it by itself: not so within 5 s: no timer: n1 is up/,
    );
    expect(await records()).toEqual([
      'intent',
      'hold change',
      'hold changed',
      'hold armed',
      'hold restore',
      'hold restored',
      'result undone',
    ]);
  });
});
