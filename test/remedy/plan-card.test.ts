import { describe, expect, it } from 'vitest';
import { cardOf } from '../../src/remedy/plan-card.ts';
import { commandsOf, prepareTarget, targetBoundMs, type Prepared } from '../../src/remedy/prepared.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';
import { guardOf, targetOf } from '../helpers/plans.ts';
import { madeHold, madePlan, madeTarget } from './made.ts';
import { node } from './world.ts';

const site = siteOf([]);
const card = (over: Partial<Prepared> = {}, login?: (host: string) => Promise<string | undefined>) =>
  cardOf(madePlan(over), {
    site,
    reader: { judgement: () => judgementOf({ readings, site }) } as Parameters<typeof cardOf>[1]['reader'],
    ...(login && { login }),
  });
const readings = new Sources();

const held = (over: Parameters<typeof madeHold>[0] = {}, id = 'n1') =>
  madeTarget({ subject: node(id), hold: madeHold(over) });

describe('the card of a plan', () => {
  it('shows every command in the order in which it is sent, what arms the undo first and folded', async () => {
    const { commands, hold } = await card({
      targets: [held(), held({ seconds: 90, text: 'a longer one' }, 'n2')],
    });
    const arm = { host: 'adm9', line: 'arm', folded: true };
    expect(commands).toEqual([arm, { host: 'ctl1', line: 'do n1' }, arm, { host: 'ctl1', line: 'do n2' }]);
    const keep = { host: 'adm9', line: 'disarm' };
    const restore = { host: 'ctl1', line: 'back' };
    // The longest speaks for all.
    expect(hold).toEqual({
      by: 'timer',
      seconds: 90,
      text: 'a longer one',
      keep: [keep, keep],
      restore: [restore, restore],
    });
  });

  it('tells of a hold where any target has one, and of none else', async () => {
    expect((await card({ targets: [madeTarget(), held({}, 'n2')] })).hold?.seconds).toBe(60);
    expect(await card()).not.toHaveProperty('hold');
  });

  it('says on which hosts as whom, those of one login together', async () => {
    const targets = [madeTarget({ steps: ['c2', 'c1', 'sw1'].map((host) => ({ host, argv: ['x'] })) })];
    const login = async (host: string) => (host === 'sw1' ? undefined : 'hpcops');
    expect((await card({ targets }, login)).where).toBe('c[1-2] as hpcops, sw1');
    expect((await card({ targets })).where).toBe('c[1-2],sw1');
  });

  it('names hosts that are only read where the reading is the work, and not else', async () => {
    const target = targetOf({
      steps: [],
      verify: {
        text: '',
        reads: [{ probe: 'a', host: 'h7' }],
        deadlineMs: 1,
        check: () => ({ state: 'yes', text: '' }),
      },
    });
    const targets = [prepareTarget(target, () => undefined)];
    expect(await card({ targets, measures: 'the time it takes' })).toMatchObject({
      where: 'h7',
      measures: 'the time it takes',
    });
    const plain = await card({ targets });
    expect(plain.where).toBe('');
    expect(plain).not.toHaveProperty('measures');
  });

  it('gives the reasons, those for which a guard is exceeded last', async () => {
    const exceeded = [{ guard: '6 blast radius', reason: 'agreed' }];
    expect((await card({ exceeded })).because).toEqual([
      'so it reads',
      'guard 6 blast radius is exceeded: agreed',
    ]);
  });

  it('is of the time of the oldest reading that its guards rest on', async () => {
    const reads = ['h1', 'h2', 'h3'].map((host) => ({ probe: 'a', host }));
    readings.good('a', 'h2', 1, 2_000);
    readings.good('a', 'h3', 1, 1_000);
    const targets = [madeTarget({ guards: [guardOf({ reads })] })];
    expect((await card({ targets })).readAt).toBe(1_000);
    const unread = [madeTarget({ guards: [guardOf({ reads: reads.slice(0, 1) })] })];
    expect(await card({ targets: unread })).not.toHaveProperty('readAt');
    expect(await card()).not.toHaveProperty('readAt');
  });

  it('tells what was checked apart from what was not, each once', async () => {
    const limit = guardOf({ id: '6 blast radius', text: 'at most 3 out', absolute: false });
    const firm = guardOf({ id: '6 quorum', text: 'a majority stays' });
    const blind = guardOf({
      id: '4 ownership',
      text: 'ours',
      absolute: false,
      unchecked: 'nobody can tell whose it is',
    });
    const guards = [limit, firm, blind];
    const targets = [madeTarget({ guards }), madeTarget({ guards, subject: node('n2') })];
    const exceeded = [
      { guard: '8 other', reason: 'why' },
      { guard: '6 blast radius', reason: 'why' },
    ];
    expect(await card({ targets, exceeded })).toMatchObject({
      guards: [
        { id: '6 quorum', text: 'a majority stays' },
        { id: '4 ownership', text: 'ours' },
      ],
      unchecked: [
        { id: '6 blast radius', text: 'exceeded: at most 3 out' },
        { id: '4 ownership', text: 'nobody can tell whose it is' },
      ],
    });
    const one = await card({ targets: [madeTarget({ guards: [blind] })] });
    expect(one.unchecked).toEqual([{ id: '4 ownership', text: 'nobody can tell whose it is' }]);
    const all = await card({ targets: [madeTarget({ guards: [limit, firm] })] });
    expect(all.guards.map(({ id }) => id)).toEqual(['6 blast radius', '6 quorum']);
    expect(all).not.toHaveProperty('unchecked');
  });
});

describe('a target made ready', () => {
  it('holds of its plan what is there, and no word of what is not', () => {
    const bare = prepareTarget(targetOf(), () => undefined);
    expect(bare.undo).toBeNull();
    for (const name of ['object', 'was', 'undoGuards', 'before', 'hold'])
      expect(bare).not.toHaveProperty(name);
    const more = { object: '/a', was: { state: 'up' }, undoGuards: [guardOf()], before: ['x'] };
    const full = prepareTarget(targetOf({ ...more, undo: [], hold: madeHold() }), () => 'stale');
    expect(full).toMatchObject({ ...more, undo: [] });
    expect(full.hold).not.toHaveProperty('failure');
    expect(full.whyStale(judgementOf({ readings, site }))).toBe('stale');
    const failure = { reads: [], explain: () => undefined };
    expect(held({ failure }).hold).toHaveProperty('failure', failure);
  });

  it('sends at most: what arms, the change, what keeps, what restores', () => {
    expect(commandsOf(held()).map(({ script }) => script)).toEqual(['arm', 'do n1', 'disarm', 'back']);
    expect(commandsOf(madeTarget()).map(({ script }) => script)).toEqual(['do n1']);
  });

  it('takes at most its commands, its verification, and 30 s of readings; held, all of the hold besides', () => {
    // 10 s and 3 s of grace, 1 ms to verify.
    expect(targetBoundMs(madeTarget())).toBe(43_001);
    const commands = 1_000 + 2_000 + 4_000 + 3 * 3_000;
    expect(targetBoundMs(held())).toBe(43_001 + 60_000 + commands + 10_000 + 20_000 + 2 * 40_000);
  });
});
