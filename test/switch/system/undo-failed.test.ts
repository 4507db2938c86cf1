import { describe, expect, it } from 'vitest';
import { restoreAction } from '../../../probes/switch/act/restore.ts';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { readJournal } from '../../../probes/switch/read/journal.ts';
import type { PlanTarget } from '../../../src/model/action.ts';
import type { Hold } from '../../../src/model/hold.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import { answerOf } from '../../helpers/answer.ts';
import { SwitchWorld } from './world.ts';

const port = 'core3:te3/46';

const planned = (world: SwitchWorld): PlanTarget & { hold: Hold } => {
  const context = { judgement: world.judgement(), operator: 'alice' };
  const plan = shutAction.plan([{ kind: 'port', id: port }], {}, context);
  if ('refused' in plan) throw new Error(plan.reason);
  const [target] = plan.targets;
  if (!target?.hold) throw new Error('not held');
  return { ...target, hold: target.hold };
};

const ready = async (): Promise<SwitchWorld> => {
  const world = new SwitchWorld('quiet');
  for (let round = 0; round < 3; round++) await world.poll();
  return world;
};

/** Armed, shut, and the console gone: what the timer makes of it. */
const left = async (world: SwitchWorld): Promise<PlanTarget & { hold: Hold }> => {
  const target = planned(world);
  for (const step of [...target.hold.arm, ...target.steps]) expect(await world.send(step)).toBe(0);
  return target;
};

const critical = (world: SwitchWorld): readonly FindingDraft[] =>
  findings(world.judgement()).filter(({ kind }) => kind === 'not-restored');

describe('an undo account that may not', () => {
  it.each(['look', 'no change'] as const)('"%s" is refused before anything is shut', async (rights) => {
    const world = await ready();
    world.simulator.undoRights = rights;
    const [proof] = planned(world).hold.arm;
    if (!proof) throw new Error('no proof');
    expect(await world.send(proof)).toBe(1);
    expect(world.simulator.adminUp(port)).toBe(true);
    world.simulator.undoRights = 'all';
    expect(await world.send(proof)).toBe(0);
  });

  it.each(['look', 'no change'] as const)(
    'that became "%s" during the hold is a critical finding',
    async (rights) => {
      const world = await ready();
      const target = await left(world);
      world.simulator.undoRights = rights;
      await world.poll(60);
      expect(critical(world)).toEqual([]);
      await world.poll(90);
      await world.poll(10);
      expect(world.simulator.adminUp(port)).toBe(false);
      const [found, more] = critical(world);
      expect(more).toBeUndefined();
      expect(found).toMatchObject({ severity: 'critical', subject: { kind: 'port', id: port } });
      expect(found?.summary).toMatch(
        /^core3 te3\/46 is still shut: the undo of its shutdown failed on admin1: % Error: Invalid input/,
      );
      expect(found?.advice).toContain(
        'or type on core3: configure; interface tengigabitethernet 3/46; no shutdown; end',
      );
      expect(found?.advice).toContain('journalctl -u faultline-undo-core3-te3-46.service');
      expect(found?.remedies).toEqual([{ action: 'switch.restore', subjects: [{ kind: 'port', id: port }] }]);
      // The same port is not told of twice, and the console that held it, or the next one, says why.
      expect(findings(world.judgement()).map(({ kind }) => kind)).not.toContain('shut-by-us');
      expect(target.hold.failure?.explain(world.judgement())).toContain(
        'admin1 reports: % Error: Invalid input',
      );
    },
  );
});

describe('a failed undo is no longer told of', () => {
  const failed = async (): Promise<SwitchWorld> => {
    const world = await ready();
    await left(world);
    world.simulator.undoRights = 'look';
    await world.poll(130);
    await world.poll();
    expect(critical(world)).toHaveLength(1);
    return world;
  };

  it('once the port is seen switched on, whoever did it', async () => {
    const world = await failed();
    const down = world.simulator.network?.ports.get(port);
    if (down) down.adminUp = true;
    await world.poll();
    expect(critical(world)).toEqual([]);
  });

  it('may be restored from a console without a reason, though nobody wrote down who shut it', async () => {
    const world = await failed();
    world.readings.good(
      'switch.journal',
      'admin1',
      { repairs: [], baselines: [], shut: [], moved: [] },
      world.now,
    );
    const context = { judgement: world.judgement(), operator: 'bob' };
    const plan = restoreAction.plan([{ kind: 'port', id: port }], {}, context);
    expect(plan).toMatchObject({ because: ['shut by a console: its undo failed on admin1'], exceeded: [] });
  });

  it('though it stands while the switch cannot be read, and says so', async () => {
    const world = await failed();
    world.readings.forget('switch.screens', 'core3');
    world.readings.fail('switch.screens', 'core3', { kind: 'timeout', message: 'silent' }, world.now);
    expect(critical(world)[0]?.evidence.map(({ text }) => text)).toContain('the port was not read since');
  });

  it('where nothing failed, and where the timer restored it', async () => {
    const world = await ready();
    expect(critical(world)).toEqual([]);
    await left(world);
    await world.poll(130);
    await world.poll();
    expect(world.simulator.adminUp(port)).toBe(true);
    expect(critical(world)).toEqual([]);
  });
});

describe('the journal', () => {
  const line = (kind: string, at: number): string =>
    JSON.stringify({ kind, at, port, by: 'timer', host: 'admin1', text: 'no', part: '' });
  const told = (...kinds: readonly string[]) =>
    readJournal(answerOf(kinds.map((kind, at) => `${line(kind, at)}\n`).join(''))).value;

  it('knows a port that was not restored until it is, or is shut again', () => {
    expect(told('shut', 'notRestored')).toMatchObject({
      shut: [{ port }],
      notRestored: [{ port, host: 'admin1' }],
    });
    expect(told('shut', 'notRestored', 'restored').notRestored).toEqual([]);
    expect(told('shut', 'notRestored', 'shut').notRestored).toEqual([]);
  });

  it('counts a line that names no host as not understood', () => {
    const odd = '{"kind":"notRestored","at":1,"port":"core3:te3/46","by":"timer"}\n';
    expect(readJournal(answerOf(odd))).toMatchObject({ value: { notRestored: [] }, notUnderstood: 1 });
  });
});
