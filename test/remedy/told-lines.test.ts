import { beforeEach, describe, expect, it } from 'vitest';
import type { Action, PlanTarget } from '../../src/model/action.ts';
import type { HeldLock, LockProblem } from '../../src/remedy/locks.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import { makeBatches } from '../../src/remedy/run-batch.ts';
import { card, confirm, run } from './acting.ts';
import { colleagues } from './hang.ts';
import { answer, createWorld, fakeAction, lostAnswer, obey, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe('batches', () => {
  const sizes = (count: number, danger: Parameters<typeof makeBatches>[1] = 'reversible') =>
    makeBatches(
      Array.from({ length: count }, (_, at) => at),
      danger,
    ).map(({ length }) => length);

  it('are single targets up to 25, and of all that is not reversible', () => {
    expect(sizes(25)).toEqual(Array.from({ length: 25 }, () => 1));
    expect(sizes(60, 'service')).toHaveLength(60);
    expect(sizes(0)).toEqual([]);
  });

  it('of more are the first alone, then 25 each, none lost and none twice', () => {
    expect(sizes(26)).toEqual([1, 25]);
    expect(sizes(27)).toEqual([1, 25, 1]);
    expect(
      makeBatches(
        [...'x'.repeat(60)].map((_, at) => at),
        'reversible',
      ).flat(),
    ).toEqual(Array.from({ length: 60 }, (_, at) => at));
  });
});

describe('what colleagues are told', () => {
  const shared = colleagues;
  /** The lines once a run has ended. */
  const linesAfter = async (act: World['act']): Promise<string[]> => {
    const told = shared();
    world.act = act;
    await run(world.engine({ sharedActions: told }), ['n1']);
    return told.lines();
  };
  const away = () => ({
    ...lostAnswer(),
    lost: false,
    notConnected: { kind: 'unreachable' as const, message: 'no route to ctl1' },
  });

  it('stands where it took effect or may have, and is taken back where nothing came of it', async () => {
    expect(await linesAfter((script) => obey(world.nodes, script))).toEqual(['node n1']);
    world = createWorld();
    expect(await linesAfter(lostAnswer)).toEqual(['node n1']);
    world = createWorld();
    expect(await linesAfter(away)).toEqual([]);
    world = createWorld();
    const no = () => answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' });
    expect(await linesAfter(no)).toEqual([]);
    world = createWorld();
    const byAnother = (script: string) => {
      obey(world.nodes, script);
      return no();
    };
    expect(await linesAfter(byAnother)).toEqual([]);
  });

  it('of a run goes when its undo is seen to be done, and stays when it is not, or was never sent', async () => {
    const told = shared();
    const engine = world.engine({ sharedActions: told });
    const { id } = await run(engine, ['n1']);
    const undo = async (act: World['act']) => {
      world.act = act;
      const shown = await card(engine, `undo:${id}`, []);
      return (await confirm(engine, shown.id, shown.confirmText)).state;
    };
    expect([await undo(away), told.lines()]).toEqual(['failed', ['node n1']]);
    const no = () => answer({ exitCode: 127, stderr: 'sh: 1: scontrol: not found' });
    expect([await undo(no), told.lines()]).toEqual(['failed', ['node n1']]);
    expect([await undo((script) => obey(world.nodes, script)), told.lines()]).toEqual(['done', []]);
  });

  /** Locks of which one is lost when it is read again. */
  const losing = (problem: () => LockProblem | undefined): Pick<EngineParts, 'locks'> => ({
    locks: {
      ...world.parts.locks,
      take: async (group) => {
        const lock: HeldLock = {
          group,
          isExpired: () => false,
          check: async () => problem(),
          release: async () => undefined,
        };
        return { state: 'taken', lock };
      },
    },
  });

  it('is taken back where the lock is lost before the first byte; that of a run whose undo is refused stays', async () => {
    const told = shared();
    let problem: LockProblem | undefined = { state: 'lost', reason: 'it is gone' };
    const engine = world.engine({ sharedActions: told, ...losing(() => problem) });
    const refused = await run(engine, ['n1']);
    expect(refused).toMatchObject({
      state: 'refused',
      targets: [{ text: 'the lock on partition batch is no longer ours: it is gone; nothing was sent' }],
    });
    expect([world.sent, told.lines()]).toEqual([[], []]);
    problem = undefined;
    const { id } = await run(engine, ['n1']);
    problem = { state: 'lost', reason: 'it is gone' };
    const shown = await card(engine, `undo:${id}`, []);
    expect((await confirm(engine, shown.id, 'y')).state).toBe('refused');
    expect(told.lines()).toEqual(['node n1']);
  });
});

describe('a run on the screen', () => {
  it('says of a target what is done to it, in that order', async () => {
    const engine = world.engine();
    const seen: string[] = [];
    engine.onChange(() => {
      const one = engine.runs()[0]?.targets[0];
      const line = `${one?.state}: ${one?.text}`;
      if (seen.at(-1) !== line) seen.push(line);
    });
    const view = await run(engine, ['n1']);
    expect(seen).toEqual([
      'waiting: ',
      'checking: reading it again',
      'checking: ok',
      'sent: sending',
      'sent: accepted',
      'reading back: reading back',
      'verified: n1 is up',
    ]);
    expect(view.targets[0]?.output).toBe('');
  });

  it('says while it is read back what became of the command, where it did not exit 0', async () => {
    world.act = lostAnswer;
    const engine = world.engine();
    const seen = new Set<string>();
    engine.onChange(() => {
      const one = engine.runs()[0]?.targets[0];
      if (one?.state === 'reading back') seen.add(one.text);
    });
    await run(engine, ['n1']);
    const lost = 'the connection to ctl1 was lost after the command was sent';
    expect([...seen]).toEqual([lost, `${lost}; n1 is drained`]);
  });

  it('says of what is begun and not over that it goes on, be it one of several', async () => {
    const base = fakeAction();
    const action: Action = {
      ...base,
      plan: (...given) => {
        const plan = base.plan(...given);
        if ('refused' in plan) return plan;
        const begun = ({ verify, ...one }: PlanTarget): PlanTarget => ({
          ...one,
          verify: {
            ...verify,
            check: (live) => {
              const said = verify.check(live);
              return said.state === 'yes' && one.subject.id === 'n1'
                ? { ...said, goesOn: 'its jobs end first' }
                : said;
            },
          },
        });
        return { ...plan, targets: plan.targets.map(begun) };
      },
    };
    const actionSets = [{ system: 'fake', actions: [action] }];
    const both = await run(world.engine({ actionSets }), ['n1', 'n2']);
    expect(both).toMatchObject({ state: 'done', goesOn: true });
    expect(both.result).toContain('n1: its jobs end first');
    expect(await run(world.engine({ actionSets }), ['n3'])).not.toHaveProperty('goesOn');
  });

  it('says where its result could not be written down', async () => {
    const { audit } = world.parts;
    const full: EngineParts['audit'] = {
      ...audit,
      append: async (entry) =>
        entry.kind === 'result' ? { ok: false, reason: 'the disk is full' } : audit.append(entry),
    };
    expect((await run(world.engine({ audit: full }), ['n1'])).targets[0]?.text).toBe(
      'n1 is up; this result could not be written to the audit log',
    );
  });
});
