import { beforeEach, describe, expect, it } from 'vitest';
import type { PastRun, RunView, StepState } from '../../src/model/run.ts';
import type { Past } from '../../src/audit/past-runs.ts';
import { tellPast } from '../../src/audit/tell-past.ts';
import { onRunMoved } from '../../src/remedy/engine.ts';
import { createWorld, node, realTime, type World } from './world.ts';

describe('what operators did lately', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld(3);
  });

  const bob: Past = { run: 'b1', verb: 'drain', subject: 'node n2', at: 1000, by: 'bob' };
  const sharedOf = (answers: (readonly Past[] | undefined)[]) => ({
    read: async () => ({ unclear: 'away' }),
    poll: async () => {
      const past = answers.shift();
      return past ? { past } : { unclear: 'away' };
    },
    tell: async () => undefined,
  });

  const resume = async (engine = world.engine()): Promise<string> => {
    const planned = await engine.plan('fake.resume', [node('n1')], {});
    if ('refused' in planned) throw new Error(planned.refused.reason);
    const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
    if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
    return (await engine.awaitEnd(confirmed.run)).id;
  };

  it('tells runs of this log with their outcome, those of colleagues without, and none twice', async () => {
    const run = await resume();
    const ours: Past = { run, verb: 'resume', subject: 'node n1', at: 1, by: 'alice' };
    const odd: Past = { ...bob, run: 'b2', subject: 'thing n2' };
    const engine = world.engine({ sharedActions: sharedOf([[bob, ours, odd]]) });
    expect(await engine.readPast()).toMatchObject([
      { run, verb: 'resume', subject: node('n1'), operator: 'alice', outcome: 'done' },
      { run: 'b1', verb: 'drain', subject: node('n2'), operator: 'bob', at: 1000 },
    ]);
  });

  it('a shared folder that does not answer takes back nothing', async () => {
    const engine = world.engine({ sharedActions: sharedOf([[bob], undefined]) });
    const before = await engine.readPast();
    expect(before).toHaveLength(1);
    expect(await engine.readPast()).toEqual(before);
  });

  it('tells anew as soon as a run has ended', async () => {
    const engine = world.engine();
    const said: (readonly PastRun[])[] = [];
    const tell = (runs: readonly PastRun[]) => void said.push(runs);
    // Real time: in the world's own a minute's sleep is over at once, and with it the time of every lock.
    const telling = tellPast({ readPast: engine.readPast, clock: realTime, log: () => {}, tell });
    const quiet = onRunMoved(engine, telling.tellNow);
    const run = await resume(engine);
    for (let turn = 0; turn < 50 && said.at(-1)?.[0]?.outcome === undefined; turn++)
      await new Promise((resolve) => setTimeout(resolve, 2));
    quiet();
    telling.stop();
    expect(said.at(-1)).toMatchObject([{ run, outcome: 'done' }]);
  });

  it('tells of a run as soon as its commands are on their way', () => {
    const target = (state: StepState): RunView => ({
      id: 'r1',
      title: 'Resume n1',
      state: 'running',
      startedAt: 0,
      targets: [{ id: 'n1', state, text: '' }],
    });
    let views: readonly RunView[] = [];
    let change = (): void => {};
    let told = 0;
    const engine = { runs: () => views, onChange: (listener: () => void) => ((change = listener), () => {}) };
    onRunMoved(engine, () => void (told += 1));
    const seen = (['checking', 'sent', 'reading back', 'held'] as const).map((state) => {
      views = [target(state)];
      change();
      return told;
    });
    expect(seen).toEqual([1, 2, 2, 2]);
  });

  it('the menu knows what a colleague did a moment ago before any plan was made', async () => {
    const lately: Past = { ...bob, verb: 'resume', subject: 'node n1', at: world.clock.now() - 60_000 };
    const engine = world.engine({ sharedActions: sharedOf([[lately], undefined]) });
    const asked = async (): Promise<readonly string[]> => {
      const entries = await engine.menu([node('n1')], undefined);
      return entries.find(({ action }) => action === 'fake.resume')?.prompts.map(({ name }) => name) ?? [];
    };
    expect(await asked()).not.toContain('exceed13');
    await engine.readPast();
    expect(await asked()).toContain('exceed13');
    // A folder that does not answer takes nothing back.
    await engine.readPast();
    expect(await asked()).toContain('exceed13');
  });
});
