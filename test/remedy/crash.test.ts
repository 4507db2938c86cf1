import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/model/run.ts';
import { endProof, recordLiveness } from '../../src/remedy/process-stamp.ts';
import { answer, createWorld, node, self, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld(3);
});

/** Runs the child in this world's folder; gives how it ended. */
const child = (place: string): Promise<{ signal?: string; stdout: string }> => {
  writeFileSync(join(world.folder, 'nodes.json'), JSON.stringify(world.nodes));
  const script = new URL('./crash-child.ts', import.meta.url).pathname;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, world.folder, place], (error, stdout, stderr) => {
      Object.assign(world.nodes, JSON.parse(readFileSync(join(world.folder, 'nodes.json'), 'utf8')));
      if (error && error.signal !== 'SIGKILL') reject(new Error(stderr));
      else resolve({ stdout, ...(error?.signal && { signal: error.signal }) });
    });
  });
};

const nextStart = async (): Promise<{ engine: ReturnType<World['engine']>; views: readonly RunView[] }> => {
  const engine = world.engine({ liveness: recordLiveness(self), proofOfEnd: endProof(self) });
  return { engine, views: await engine.recover() };
};

const locks = () => {
  const folder = join(world.folder, 'locks');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.lock')) : [];
};

const records = async () => (await world.parts.audit.read()).records;

describe('guard 15 SIGKILL at every step', () => {
  it('the child without a kill does its work', async () => {
    expect(await child('nowhere')).toEqual({ stdout: 'done' });
    expect((await nextStart()).views).toEqual([]);
  });

  it('after the locks were taken: nothing was begun, nothing is reported, the next run goes through', async () => {
    expect((await child('locked')).signal).toBe('SIGKILL');
    expect(locks()).toHaveLength(1);
    const { engine, views } = await nextStart();
    expect(views).toEqual([]);
    const planned = await engine.plan('fake.resume', [node('n1')], {});
    if ('refused' in planned) throw new Error(planned.refused.reason);
    const confirmed = await engine.confirm(planned.card.id, 'y');
    if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
    expect((await engine.awaitEnd(confirmed.run)).state).toBe('done');
  });

  it('after the intent, before the first byte: reported as not so', async () => {
    expect((await child('intent')).signal).toBe('SIGKILL');
    const { views } = await nextStart();
    expect(views).toMatchObject([
      { state: 'failed', targets: [{ id: 'n1', text: 'read again, it is not so: n1 is drained' }] },
    ]);
    expect(await records()).toMatchObject([
      { kind: 'intent' },
      { kind: 'recovered', outcome: 'failed', target: 'n1' },
      { kind: 'lockBroken' },
    ]);
  });

  it.each(['effect', 'answer', 'verified'])('after the %s: reported as so, with its undo', async (place) => {
    expect((await child(place)).signal).toBe('SIGKILL');
    expect(world.nodes['n1']?.drained).toBe(false);
    expect(locks()).toHaveLength(1);
    const { engine, views } = await nextStart();
    expect(views).toHaveLength(1);
    expect(views[0]).toMatchObject({
      state: 'done',
      targets: [{ id: 'n1', state: 'verified' }],
      left: true,
    });
    expect(views[0]?.result).toMatch(
      /was left without a result: read again: n1 is up; it can be undone: undo:r-/,
    );
    expect(engine.runs()).toEqual(views);
    expect(locks()).toEqual([]);
    const undo = await engine.plan(`undo:${views[0]?.id}`, [], {});
    if ('refused' in undo) throw new Error(undo.refused.reason);
    expect(undo.card.commands.map(({ line }) => line)).toEqual([
      "scontrol update n1 drain 'NHC: mount lost'",
    ]);
    const confirmed = await engine.confirm(undo.card.id, undo.card.confirmText);
    if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
    expect((await engine.awaitEnd(confirmed.run)).state).toBe('done');
    expect(world.nodes['n1']).toEqual({ drained: true, reason: 'NHC: mount lost' });
  });

  it('in the second target: the first keeps its result, only the second is reported', async () => {
    await child('second');
    const { views } = await nextStart();
    expect(views).toMatchObject([{ state: 'failed', targets: [{ id: 'n2' }] }]);
    expect((await records()).filter(({ kind }) => kind === 'result')).toMatchObject([
      { target: 'n1', outcome: 'done' },
    ]);
  });

  it('the log is whole after each kill, and recovery is said once', async () => {
    for (const place of ['intent', 'effect', 'verified']) {
      world.nodes['n1'] = { drained: true, reason: 'NHC: x' };
      await child(place);
      expect((await world.parts.audit.read()).problems).toEqual([]);
      expect((await nextStart()).views).toHaveLength(1);
      expect((await nextStart()).views).toEqual([]);
    }
  });

  it('unreadable at the next start: unknown, reported, and still in the way until it is read', async () => {
    await child('effect');
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    const { engine, views } = await nextStart();
    expect(views).toMatchObject([
      { state: 'unknown', targets: [{ text: expect.stringContaining('ctl1 is unreachable') }] },
    ]);
    expect(await engine.plan('fake.drain', [node('n1')], {})).toMatchObject({
      refused: { guard: '10 unknown' },
    });
    world.broken = undefined;
    world.clock.advance(10_000);
    expect(await engine.plan('fake.drain', [node('n1')], {})).toHaveProperty('card');
  });

  it('waits until a command that was just sent must have ended on its host', async () => {
    await child('intent');
    const before = world.clock.mono();
    await nextStart();
    expect(world.clock.mono() - before).toBeGreaterThan(3_000);
  });

  it('a run of a console that is alive is left alone, and its subjects with it', async () => {
    await child('intent');
    const engine = world.engine({ liveness: () => 'alive' });
    expect(await engine.recover()).toEqual([]);
    expect(await engine.plan('fake.resume', [node('n1')], {})).toMatchObject({
      refused: { guard: '11 at most once', reason: expect.stringContaining('still under way') },
    });
  });

  it('a run of another machine is left alone only until it must have ended', async () => {
    await child('intent');
    const engine = world.engine({ liveness: () => 'elsewhere' });
    expect(await engine.recover()).toEqual([]);
    world.clock.advance(10 * 60_000);
    expect(await engine.recover()).toHaveLength(1);
  });

  it('close ends a run after the target in hand', async () => {
    const engine = world.engine();
    const planned = await engine.plan('fake.resume', [node('n1'), node('n2')], {});
    if ('refused' in planned) throw new Error(planned.refused.reason);
    const { act } = world;
    let closing: Promise<void> | undefined;
    world.act = (script) => {
      closing ??= engine.close();
      return act(script);
    };
    const confirmed = await engine.confirm(planned.card.id, 'y');
    if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
    const view = await engine.awaitEnd(confirmed.run);
    await closing;
    expect(view.targets.map(({ state }) => state)).toEqual(['verified', 'not reached']);
  });

  it('a program fault in a run is unknown, and the next plan reads again', async () => {
    const engine = world.engine();
    const planned = await engine.plan('fake.resume', [node('n1')], {});
    if ('refused' in planned) throw new Error(planned.refused.reason);
    const { reader } = world.parts;
    const { judgement } = reader;
    world.act = () => {
      reader.judgement = () => {
        throw new Error('a defect');
      };
      return answer();
    };
    const confirmed = await engine.confirm(planned.card.id, 'y');
    if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
    const view = await engine.awaitEnd(confirmed.run);
    expect(view).toMatchObject({
      state: 'unknown',
      result: expect.stringContaining('a defect'),
      targets: [{ state: 'unknown' }],
    });
    reader.judgement = judgement;
    expect(await engine.plan('fake.resume', [node('n1')], {})).toMatchObject({
      refused: { guard: '10 unknown', reason: expect.stringContaining('may go on for') },
    });
    world.clock.advance(10_000);
    expect(await engine.plan('fake.resume', [node('n1')], {})).toMatchObject({
      refused: { guard: '10 unknown', reason: expect.stringContaining('may still come') },
    });
    world.clock.advance(30_000);
    expect(await engine.plan('fake.resume', [node('n1')], {})).toHaveProperty('card');
    expect((await records()).some(({ kind }) => kind === 'recovered')).toBe(true);
  });
});
