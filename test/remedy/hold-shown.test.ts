import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/model/run.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import { heldAction, once, shut, withTimer } from './held.ts';
import { answer, createWorld, lostAnswer, type World } from './world.ts';

let world: World;
let timer: ReturnType<typeof withTimer>;
beforeEach(() => {
  world = createWorld(1);
  timer = withTimer(world);
});

/** All that the screen said of the target and of the hold, each once in a row, and how it ended. */
const watched = async (
  react: (engine: Engine) => Parameters<typeof shut>[2] = () => undefined,
  over: Partial<EngineParts> = {},
): Promise<{ lines: string[]; holds: string[]; view: RunView }> => {
  const engine = world.engine(over);
  const lines: string[] = [];
  const holds: string[] = [];
  const add = (to: string[], text: string | undefined): void => {
    if (text !== undefined && to.at(-1) !== text) to.push(text);
  };
  engine.onChange(() => {
    const view = engine.runs()[0];
    add(lines, view?.targets[0] && `${view.targets[0].state}: ${view.targets[0].text}`);
    add(holds, view?.hold?.state);
  });
  const view = await engine.awaitEnd(await shut(world, engine, react(engine)));
  return { lines: lines.slice(3), holds, view };
};
const keepIt = (engine: Engine) => once((run) => void engine.keep(run, 'keep'));
const restoreIt = (engine: Engine) => once((run) => void engine.restore(run));
/** A log that takes no entry of this phase of a hold. */
const without = (...phases: string[]): Partial<EngineParts> => ({
  audit: {
    ...world.parts.audit,
    append: async (entry) =>
      phases.includes(String(entry.detail['phase']))
        ? { ok: false, reason: 'the disk is full' }
        : world.parts.audit.append(entry),
  },
});
const locks = (): string[] =>
  readdirSync(join(world.folder, 'locks')).filter((name) => name.endsWith('.lock'));
const HELD = [
  'sent: arming: a timer on adm9 restores n1',
  'sent: sending',
  'reading back: reading back',
  'held: n1 is drained',
];

describe('what the screen says of a held change', () => {
  it('that is kept', async () => {
    const { lines, holds, view } = await watched(keepIt);
    expect(lines).toEqual([...HELD, 'held: keeping it', 'verified: kept: n1 stays drained']);
    expect(holds).toEqual(['waiting', 'keeping']);
    expect(view).not.toHaveProperty('hold');
    expect(locks()).toEqual([]);
  });

  it('that is restored by hand', async () => {
    const { lines, holds } = await watched(restoreIt);
    expect(lines).toEqual([
      ...HELD,
      'reading back: the operator restores it: restoring',
      'undone: the operator restores it: n1 is up',
    ]);
    expect(holds).toEqual(['waiting', 'restoring']);
  });

  it('that nobody says anything of', async () => {
    const { lines, holds } = await watched();
    expect(lines).toEqual([
      ...HELD,
      'reading back: not kept: reading whether the timer on adm9 has restored it',
      'undone: not kept: the timer on adm9 has restored it: n1 is up',
    ]);
    expect(holds).toEqual(['waiting', 'ending']);
  });

  it('that can not be written down as kept, or not be sent: it waits on', async () => {
    const full = await watched(keepIt, without('keep'));
    expect(full.lines).toContain('held: not kept: the audit log cannot be written, so nothing is sent');
    expect(full.holds).toEqual(['waiting', 'keeping', 'waiting', 'ending']);
    world = createWorld(1);
    timer = withTimer(world);
    timer.fail['disarm'] = answer({ notConnected: { kind: 'timeout', message: 'adm9 is away' } });
    const { lines } = await watched(keepIt);
    expect(lines.slice(4, 6)).toEqual(['held: keeping it', 'held: not kept, nothing was sent: adm9 is away']);
  });

  it('that is not seen to be kept: it is waited whether it is undone', async () => {
    timer.fail['disarm'] = answer({ exitCode: 1, stderr: 'no such unit' });
    const { lines, holds } = await watched(keepIt);
    expect(lines.at(-2)).toMatch(/^held: not seen to be kept \(.*\); waiting whether it is undone$/);
    expect(lines.at(-1)).toBe('undone: the change could not be kept and was restored: n1 is up');
    expect(holds).toEqual(['waiting', 'keeping', 'ending']);
  });

  it('whose keeping was not seen at first, but is once its time is over', async () => {
    timer.dead = true;
    timer.fail['disarm'] = lostAnswer();
    const fire = world.beforeRead;
    const from = world.clock.mono();
    world.beforeRead = () => {
      fire();
      // The command that was lost is carried out half a minute later.
      if (world.clock.mono() > from + 40_000) world.nodes['timer'] = { drained: false, reason: '' };
    };
    const { lines } = await watched(keepIt);
    expect(lines.at(-1)).toBe('verified: kept: n1 stays drained');
  });

  it('of which it is not known whether it was kept or restored', async () => {
    timer.dead = true;
    timer.fail['disarm'] = lostAnswer();
    const { lines } = await watched(keepIt);
    expect(lines.at(-1)).toMatch(/^unknown: not known whether kept \(.*\) or restored \(.*n1 is drained\)$/);
  });

  it('whose restoring can not be written down, or is not seen: what was armed does it', async () => {
    const full = await watched(restoreIt, without('restore'));
    expect(full.lines).toContain(
      'reading back: the operator restores it: the audit log cannot be written, so nothing is sent; the timer on adm9 does it',
    );
    expect(full.view.targets[0]?.text).toBe(
      'the operator restores it: the timer on adm9 has restored it: n1 is up',
    );
    world = createWorld(1);
    timer = withTimer(world);
    timer.fail['resume'] = answer({ exitCode: 1, stderr: 'busy' });
    const { lines, view } = await watched(restoreIt);
    expect(
      lines.some((line) => /: not seen to be restored \(.*busy.*\); the timer on adm9 does it$/.test(line)),
    ).toBe(true);
    expect(view.state).toBe('undone');
  });

  it('that neither came back by itself nor from here', async () => {
    timer.dead = true;
    timer.fail['resume'] = answer({ exitCode: 1, stderr: 'busy' });
    const { view } = await watched();
    expect(view.targets[0]).toMatchObject({ state: 'unknown' });
    expect(view.targets[0]?.text).toMatch(
      /^not kept: the timer on adm9 is not seen to have restored it \(.*\), nor could it be from here: /,
    );
  });

  it('that was restored from here, and is not sent a second time', async () => {
    timer.dead = true;
    timer.fail['resume'] = answer({ exitCode: 1, stderr: 'busy' });
    const { view } = await watched(restoreIt);
    expect(view.targets[0]?.text).toMatch(/, nor what was sent from here$/);
    expect(world.sent.filter(({ script }) => script.includes('resume'))).toHaveLength(1);
  });

  it('that a dead timer leaves without a log: nothing more is sent', async () => {
    timer.dead = true;
    const { view } = await watched(undefined, without('restore'));
    expect(view.targets[0]?.text).toMatch(/; nothing more is sent without an audit log$/);
    expect(view.state).toBe('unknown');
  });

  it('whose timer could not be taken away, which is harmless and said', async () => {
    timer.fail['disarm'] = answer({ exitCode: 1, stderr: 'busy' });
    const { view } = await watched(restoreIt);
    expect(view.targets[0]?.text).toBe(
      'the operator restores it: n1 is up; the timer on adm9 could not be disarmed (exit 1: busy) and may still restore it once more',
    );
  });

  it('that a device undoes by itself', async () => {
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [heldAction('device')] }] };
    const { lines } = await watched();
    expect(lines).toEqual([
      'sent: sending',
      'reading back: reading back',
      'held: n1 is drained',
      'reading back: not kept: reading whether the device has restored it',
      'undone: not kept: the device has restored it: n1 is up',
    ]);
  });

  it('left by its console: its locks stay until the undo has come', async () => {
    const { view } = await watched((engine) => once(() => void engine.close()));
    expect(view.targets[0]?.text).toMatch(
      /^the console ended while the change was held: the timer on adm9 restores it within (59|60) s$/,
    );
    expect(view.state).toBe('unknown');
    expect(locks()).toHaveLength(1);
  });
});
