import { describe, expect, it } from 'vitest';
import { restoreAction } from '../../../probes/switch/act/restore.ts';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { flapsOf } from '../../../probes/switch/verdict/case-of.ts';
import { extendZeros } from '../../../probes/switch/view/detail-past.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { switches } from '../../../probes/switch/index.ts';
import { linksTable } from '../../../probes/switch/view/links.ts';
import { view } from '../../../probes/switch/view/view.ts';
import type { Plan } from '../../../src/model/action.ts';
import type { PastRun } from '../../../src/model/run.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { offerOf } from '../../../src/remedy/offer.ts';
import { historyOf } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';

const subject = { kind: 'port', id: 'core3:te3/46' } as const;

const polled = async (): Promise<SwitchWorld> => {
  const world = new SwitchWorld('sfp');
  for (let round = 0; round < 3; round++) await world.poll();
  return world;
};

const send = async (world: SwitchWorld, planned: ReturnType<typeof shutAction.plan>): Promise<void> => {
  const [target] = (planned as Plan).targets;
  for (const step of target?.steps ?? []) await world.send(step);
};

const contextOf = (world: SwitchWorld) => ({ judgement: world.judgement(), operator: 'alice' });

const kindsOf = (judgement: Judgement): readonly string[] => findings(judgement).map(({ kind }) => kind);

const rowOf = (judgement: Judgement) => {
  const row = linksTable(judgement, '').rows.find(({ key }) => key === 'core3:te3/46=nfs-sw1:te1/12');
  return row && { link: row.cells['link']?.text, verdict: row.cells['verdict']?.text };
};

describe('a port that a console has shut', () => {
  it('is offered with its far end, the one to look at first, before it is shut', async () => {
    const found = findings((await polled()).judgement()).find(({ kind }) => kind === 'bad-link');
    expect(found?.beside).toEqual([{ kind: 'port', id: 'nfs-sw1:te1/12' }]);
  });

  it('is known to be ours at once: the journal need not be read again', async () => {
    const world = await polled();
    await send(world, shutAction.plan([subject], {}, contextOf(world)));
    await world.ask('switch.screens', 'core3');
    await world.ask('switch.lags', 'core3');
    world.history = historyOf({
      'switch/link/core3:te3/46/far': [{ at: world.now - 1, value: 'nfs-sw1:te1/12' }],
    });
    expect(kindsOf(world.judgement())).toContain('lag-member-out');

    const run: PastRun = { run: 'r1', verb: 'shut', subject, operator: 'alice', at: world.now };
    const told = (runs: readonly PastRun[]): Judgement => ({
      ...world.judgement(),
      audit: { runsOf: ({ id }) => (id === subject.id ? runs : []) },
    });
    expect(kindsOf(told([run]))).toEqual(['shut-by-us']);
    expect(rowOf(told([run]))?.verdict).toBe('shut by alice');
    // Put back since, failed, or so long ago that the journal would tell: not ours any more.
    for (const runs of [
      [run, { ...run, run: 'r2', verb: 'restore' }],
      [{ ...run, outcome: 'failed' as const }],
      [{ ...run, at: world.now - 3_600_000 }],
    ])
      expect(kindsOf(told(runs))).toContain('lag-member-out');
  });

  it('is shown with its far end, and explains it, on a console that never saw the link up', async () => {
    const world = await polled();
    await send(world, shutAction.plan([subject], {}, contextOf(world)));
    await world.poll();
    expect(rowOf(world.judgement())).toEqual({
      link: 'core3 te3/46 ⇄ nfs-sw1 te1/12',
      verdict: 'shut by alice',
    });
    expect(kindsOf(world.judgement())).toEqual(['shut-by-us']);
  });

  it('still says what it was shut for and where to look, and offers the end to look at', async () => {
    const world = await polled();
    const seen = switches
      .track(world.judgement())
      .filter(({ series }) => /46\/(?:bad|verdict)$/.test(series));
    world.history = historyOf(
      Object.fromEntries(seen.map(({ series, value }) => [series, [{ at: world.now, value }]])),
    );
    await send(world, shutAction.plan([subject], {}, contextOf(world)));
    await world.poll();
    const [found] = findings(world.judgement());
    expect(found?.summary).toMatch(
      /^core3 te3\/46 shut by alice, not saved: 1,\d{3} bad frames\/s from nfs-sw1 te1\/12$/,
    );
    expect(found?.advice).toMatch(
      /^Suspect nfs-sw1 te1\/12: clean, reseat, then swap\. Restore the port when/,
    );
    expect(found?.beside).toEqual([{ kind: 'port', id: 'nfs-sw1:te1/12' }]);
    // Errors that were over when it was shut are not what it was shut for.
    const bad = 'switch/port/core3:te3/46/bad';
    world.history = historyOf({ [bad]: [{ at: world.now - 3_600_000, value: 1200 }] });
    expect(findings(world.judgement())[0]?.summary).toMatch(/by alice, not saved$/);
  });

  it('is said to be held while its timer waits', async () => {
    const world = await polled();
    const planned = shutAction.plan([subject], {}, contextOf(world)) as Plan;
    for (const step of planned.targets[0]?.hold?.arm ?? []) await world.send(step);
    await send(world, planned);
    await world.poll();
    expect(findings(world.judgement())[0]?.summary).toBe(
      'core3 te3/46 shut by alice; restored by admin1 unless kept',
    );
  });

  it('leaves no false alarm of the far end when it is back: what was read before is over', async () => {
    const world = await polled();
    await send(world, shutAction.plan([subject], {}, contextOf(world)));
    await world.poll();
    const shutAt = world.now;
    await send(world, restoreAction.plan([subject], {}, contextOf(world)));
    world.now += 10_000;
    for (const probe of ['switch.screens', 'switch.lags']) await world.ask(probe, 'core3');
    await world.ask('switch.journal', 'admin1');
    const series = 'switch/port/core3:te3/46/link';
    const up = { at: world.now, value: 'up' };
    world.history = historyOf({
      [series]: [{ at: shutAt - 30_000, value: 'up' }, { at: shutAt, value: 'down(Admin Down)' }, up],
      'switch/link/core3:te3/46/far': [{ at: shutAt - 30_000, value: 'nfs-sw1:te1/12' }],
    });
    expect(kindsOf(world.judgement())).not.toContain('lag-member-out');
    expect(rowOf(world.judgement())?.verdict).not.toContain('down');
    // Nobody's flap: a console took it down.
    expect(flapsOf(subject.id, world.judgement())).toEqual({ flaps: 0, upSince: world.now });
  });

  it('is put back by others only for a reason, which the menu asks for', async () => {
    const world = await polled();
    await send(world, shutAction.plan([subject], {}, contextOf(world)));
    await world.poll();
    expect(offerOf(restoreAction, [subject], contextOf(world))).toEqual({
      available: true,
      note: 'shut by a console: alice did',
    });
    const far = { kind: 'port', id: 'nfs-sw1:te1/12' } as const;
    expect(offerOf(restoreAction, [far], contextOf(world))).toMatchObject({
      prompts: [{ name: 'takeOver', required: true }],
    });
  });
});

describe('a link that came up a moment ago', () => {
  it('shows its bad frames and says why they are not judged', async () => {
    const world = await polled();
    world.history = historyOf({
      'switch/port/core3:te3/46/link': [
        { at: world.now - 60_000, value: 'down' },
        { at: world.now - 20_000, value: 'up' },
      ],
    });
    expect(kindsOf(world.judgement())).not.toContain('bad-link');
    expect(rowOf(world.judgement())?.verdict).toBe('just came up');
    // Nor is that "all fine".
    expect(view(world.judgement())).toMatchObject({
      sign: 'unknown',
      summary: expect.stringMatching(/none bad, 1 not judged yet$/),
    });
    world.now += 41_000;
    expect(kindsOf(world.judgement())).toContain('bad-link');
  });
});

describe('the course of bad frames', () => {
  it('goes on at nought until the last reading; other values are no further known', () => {
    const values = (points: readonly { at: number; value: number }[], until: number) =>
      extendZeros(points, until).map(({ at, value }) => [at / 1000, value]);
    expect(
      values(
        [
          { at: 0, value: 7 },
          { at: 40_000, value: 0 },
        ],
        65_000,
      ),
    ).toEqual([
      [0, 7],
      [40, 0],
      [50, 0],
      [60, 0],
    ]);
    expect(
      values(
        [
          { at: 0, value: 0 },
          { at: 25_000, value: 9 },
        ],
        90_000,
      ),
    ).toEqual([
      [0, 0],
      [10, 0],
      [20, 0],
      [25, 9],
    ]);
  });
});
