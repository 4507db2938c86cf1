import { beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/model/run.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import { card, confirm, refusal, run } from './acting.ts';
import { colleagues, hangs, TIMED_OUT } from './hang.ts';
import { answer, createWorld, node, obey, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld(3);
});

const records = async () => (await world.parts.audit.read()).records;
const last = async () => (await records()).at(-1);
const results = async () => (await records()).filter(({ kind }) => kind === 'result' || kind === 'recovered');

const inTheWay = (engine: Engine, ...ids: string[]) =>
  engine.recover({ action: 'fake.drain', subjects: ids.map(node), tell: () => undefined });
const undo = async (engine: Engine, { id }: RunView): Promise<RunView> => {
  const planned = await engine.plan(`undo:${id}`, [], {});
  if ('refused' in planned) throw new Error(planned.refused.reason);
  return confirm(engine, planned.card.id, planned.card.confirmText);
};

describe('what ends an unknown run', () => {
  it('a tool that prints success and changes nothing: failed once it stayed so', async () => {
    world.act = () => answer({ stdout: 'done\n' });
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('unknown');
    expect(view.targets[0]?.text).toContain('the command reported success');
    expect((await inTheWay(world.engine(), 'n1'))[0]?.state).toBe('failed');
    expect(await last()).toMatchObject({ kind: 'recovered', outcome: 'failed' });
  });

  it.each([
    ['words that no table knows', answer({ exitCode: 1, stderr: 'slurm_update error: Unspecified error' })],
    ['another language', answer({ exitCode: 1, stderr: 'slurm_update Fehler: Zeitüberschreitung' })],
    ['no words', answer({ exitCode: 255 })],
    [
      'a wrapper that tried twice',
      answer({ exitCode: 1, stderr: `${TIMED_OUT}\nslurm_update error: Invalid user id` }),
    ],
  ])('%s: unknown, though the exit code says no', async (_, said) => {
    world.act = () => said;
    const view = await run(world.engine(), ['n1']);
    expect(view).toMatchObject({
      state: 'unknown',
      targets: [{ text: expect.stringContaining('the command may still take effect') }],
    });
  });

  it('what exits other than 0 and reads as it was wanted is done, not "nothing to do"', async () => {
    world.act = (script) => {
      obey(world.nodes, script);
      return answer({ exitCode: 1, stderr: TIMED_OUT });
    };
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('done');
    world.act = (script) => obey(world.nodes, script);
    expect((await undo(world.engine(), view)).state).toBe('done');
  });

  it('a read-back that is older than the change proves nothing, though it shows what was wanted', async () => {
    const { reader } = world.parts;
    const { readNow } = reader;
    world.act = () => {
      // From here on the reader gives what it had: as wanted, but asked for before the command.
      world.nodes['n1'] = { drained: false, reason: '' };
      reader.readNow = async () => undefined;
      return answer();
    };
    const engine = world.engine();
    const { id, confirmText } = await card(engine, 'fake.resume', ['n1']);
    const view = await confirm(engine, id, confirmText);
    expect(view).toMatchObject({
      state: 'unknown',
      targets: [{ text: expect.stringContaining('ctl1 gave no fresh answer to fake.nodes') }],
    });
    reader.readNow = readNow;
    expect(await refusal(engine, 'fake.drain', ['n1'])).toBe('planned');
    expect(await last()).toMatchObject({ kind: 'recovered', outcome: 'done' });
  });

  it('an undo of which nothing is known is not sent a second time, and its run is told as undone later', async () => {
    const shared = colleagues();
    const engine = world.engine({ sharedActions: shared });
    const view = await run(engine, ['n1']);
    const daemon = hangs(world);
    expect((await undo(engine, view)).state).toBe('unknown');
    expect(await refusal(world.engine(), `undo:${view.id}`, [])).toMatch(/^10 unknown/);
    expect(shared.lines()).toEqual(['node n1']);
    daemon.goOn();
    await world.engine({ sharedActions: shared }).recover();
    expect(await last()).toMatchObject({ kind: 'recovered', action: `undo:${view.id}`, outcome: 'done' });
    expect(shared.lines()).toEqual([]);
    expect(await refusal(world.engine(), `undo:${view.id}`, [])).toContain('was undone already');
    expect(world.sent).toHaveLength(2);
  });

  it('a proven refusal is failed at once, and takes the line to colleagues back', async () => {
    const shared = colleagues();
    world.act = () => answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' });
    const view = await run(world.engine({ sharedActions: shared }), ['n1']);
    expect(view).toMatchObject({ state: 'failed', targets: [{ ms: expect.any(Number) }] });
    expect(view.targets[0]?.ms).toBeLessThan(5_000);
    expect(shared.lines()).toEqual([]);
    expect(await inTheWay(world.engine(), 'n1')).toEqual([]);
  });

  it('the next act takes what shows already of other subjects, and waits for none of them', async () => {
    const daemon = hangs(world);
    const view = await run(world.engine(), ['n1']);
    daemon.goOn();
    world.clock.advance(60_000);
    const engine = world.engine();
    await card(engine, 'fake.resume', ['n2']);
    const before = world.clock.mono();
    expect(await inTheWay(engine, 'n2')).toEqual([]);
    expect(world.clock.mono()).toBe(before);
    expect(await last()).toMatchObject({ kind: 'recovered', run: view.id, target: 'n1', outcome: 'done' });
  });

  it('and leaves alone what does not show yet', async () => {
    const daemon = hangs(world);
    await run(world.engine(), ['n1']);
    daemon.goOn(false);
    world.clock.advance(60_000);
    const engine = world.engine();
    await card(engine, 'fake.resume', ['n2']);
    await inTheWay(engine, 'n2');
    expect((await results()).map(({ kind }) => kind)).toEqual(['result']);
  });
});
