import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { keyOf, sealOf } from '../../src/audit/shared-lines.ts';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import { createSharedActions, type SharedActions } from '../../src/remedy/shared-actions.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { confirm } from './acting.ts';
import { answer, createWorld, lostAnswer, node, transportsOf, type World } from './world.ts';
import { realShWithin } from './real-sh.ts';

const HOUR = 3_600_000;

const realSh = realShWithin(2_000);

describe('guard 13, when what colleagues did can’t be known', () => {
  let world: World;
  let dir: string;
  let file: string;
  beforeEach(() => {
    world = createWorld(3);
    dir = emptyFolder('shared');
    file = join(dir, 'actions.jsonl');
  });

  const actionsOf = (run = realSh): SharedActions =>
    createSharedActions({ host: 'admin1', dir }, transportsOf(run), world.clock);
  const plan = (sharedActions = actionsOf(), set: Record<string, string> = {}, engine?: Engine) =>
    (engine ?? world.engine({ sharedActions })).plan('fake.resume', [node('n1')], set);
  const lineOf = (over: Record<string, unknown> = {}): string =>
    `${JSON.stringify({ run: 'r-bob', verb: 'resume', subject: 'node n2', at: world.clock.now() - HOUR, by: 'bob', ...over })}\n`;
  const at = (hoursAgo: number) => ({ at: world.clock.now() - hoursAgo * HOUR });

  /** Refused with these words, and goes with a typed reason, one class up. */
  const isUnknown = async (said: RegExp, sharedActions = actionsOf()): Promise<void> => {
    const planned = await plan(sharedActions);
    if (!('refused' in planned)) throw new Error('planned');
    expect(planned.refused.guard).toBe('13 cool-down');
    expect(planned.refused.reason).toMatch(
      /^resume of n1: not known whether a colleague did it in the last 24 h: /,
    );
    expect(planned.refused.reason).toMatch(said);
    expect(planned.refused.reason).toMatch(/--set exceed13=/);
    expect(await plan(sharedActions, { exceed13: 'bob was asked' })).toMatchObject({
      card: { danger: 'service' },
    });
  };
  const isKnown = async (): Promise<void> =>
    expect(await plan()).toMatchObject({ card: { danger: 'reversible' } });

  it('a pipe in its place holds nobody up, and is said', async () => {
    execFileSync('mkfifo', [file]);
    await isUnknown(/admin1:.*actions\.jsonl is a fifo, not a file/);
  });

  it('a link in its place is not followed, to be read or written', async () => {
    const other = join(emptyFolder('home'), 'profile');
    writeFileSync(other, '');
    symlinkSync(other, file);
    await isUnknown(/is a symbolic link, not a file/);
    expect(
      await actionsOf().tell({ run: 'r', verb: 'v', subject: 'node n1', at: 1, by: 'bob' }, 'k'),
    ).toMatch(/is not a plain file/);
    expect(execFileSync('cat', [other]).toString()).toBe('');
  });

  it('a folder in its place', async () => {
    mkdirSync(file);
    await isUnknown(/is a directory, not a file/);
  });

  it('a folder that is gone is not one in which nobody wrote', async () => {
    rmSync(dir, { recursive: true });
    await isUnknown(/there is no folder admin1:.*mkdir -m 2770/);
  });

  it.skipIf(process.geteuid?.() !== 0)('a file and a folder that this account may not read', async () => {
    writeFileSync(file, lineOf());
    const asNobody = (request: RunRequest): Promise<RawAnswer> =>
      realSh({
        ...request,
        script: `setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '${request.script.replaceAll("'", `'\\''`)}'`,
      });
    chmodSync(file, 0o600);
    await isUnknown(/ermission denied|0 of \d+ bytes could be read/, actionsOf(asNobody));
    chmodSync(dir, 0o700);
    await isUnknown(/could not be read: .*ermission denied/, actionsOf(asNobody));
  });

  it.each([
    [
      'cut',
      async (request: RunRequest) => ({ ...(await realSh(request)), truncated: true, stdoutBytes: 99 }),
      /the answer was cut at 99 bytes/,
    ],
    ['lost', async () => lostAnswer(), /the connection to admin1 was lost/],
    [
      'that timed out',
      async () => ({ ...lostAnswer(), lost: false, timedOut: true }),
      /admin1 did not answer within 8 s/,
    ],
    [
      'of a host that is away',
      async () => ({
        ...lostAnswer(),
        notConnected: { kind: 'timeout' as const, message: 'admin1 is away' },
      }),
      /admin1 is away/,
    ],
    ['of a banner only', async () => answer({ stdout: 'Welcome\n' }), /could not be read/],
    [
      'that ends with an error',
      async () => answer({ exitCode: 127, stderr: 'sh: stat: not found' }),
      /stat: not found/,
    ],
  ])('an answer %s', async (_, run, said) => {
    writeFileSync(file, lineOf());
    await isUnknown(said, actionsOf(run));
  });

  it.each([
    ['a blank line', '\n'],
    ['a line that is no JSON', 'not json\n'],
    ['half a line, ended by nothing', '{"run":"r-bob","verb":"res'],
    ['a line without its time', '{"run":"r-bob","verb":"resume","subject":"node n1","by":"bob"}\n'],
    ['a name that no console writes', () => lineOf({ by: 'bob\u001b[2J' })],
    ['a run that no console writes', () => lineOf({ run: '../../etc' })],
    ['a subject of no kind', () => lineOf({ subject: 'everything n1' })],
    ['a subject that does not show', () => lineOf({ subject: 'node n1\u202e' })],
  ])('%s may hide an action: counted, with its place', async (_, text) => {
    writeFileSync(file, lineOf() + (typeof text === 'string' ? text : text()));
    await isUnknown(/1 line of admin1:.*actions\.jsonl, the first of them line 2, is no line of a console/);
  });

  it('several are counted', async () => {
    writeFileSync(file, `${lineOf()}\n\nx\n${lineOf({ run: 'r-2' })}`);
    await isUnknown(/3 lines of .*the first of them line 2, are no line/);
  });

  it('is silent about what stands among lines older than a day, in an empty file, and with none', async () => {
    await isKnown();
    writeFileSync(file, '');
    await isKnown();
    writeFileSync(file, `\nhalf\n${lineOf(at(26))}${lineOf({ run: 'r-2' })}`);
    await isKnown();
  });

  it('an old line at the end hides no strange one among new ones', async () => {
    writeFileSync(file, `${lineOf()}half\n${lineOf({ run: 'r-2', ...at(30) })}`);
    await isUnknown(/1 line of/);
  });

  it('a long file is read from its end: known when that reaches back a day, and said when not', async () => {
    const filler = (hoursAgo: number): string =>
      Array.from({ length: 15_000 }, (_, n) => lineOf({ run: `r-${n}`, ...at(hoursAgo) })).join('');
    writeFileSync(file, filler(30));
    appendFileSync(file, lineOf({ subject: 'node n3' }));
    await isKnown();
    // What was done to n1 stands before what is read.
    writeFileSync(file, lineOf({ subject: 'node n1' }) + filler(1));
    await isUnknown(/is longer than what is read of it, and the oldest line read is of the last 24 h/);
  });

  describe('a line that somebody else wrote', () => {
    const mine = (over: Record<string, unknown> = {}): string =>
      lineOf({ subject: 'node n1', seal: sealOf(keyOf('p-1', 'r-bob', 'node n1')), ...over });
    const blocked = async (said: RegExp): Promise<void> => {
      const planned = await plan();
      if (!('refused' in planned)) throw new Error('planned');
      expect(planned.refused).toMatchObject({ guard: '13 cool-down', reason: expect.stringMatching(said) });
    };
    const fresh = { at: 0 };
    beforeEach(() => {
      fresh.at = world.clock.now() - 60_000;
    });

    it.each([
      ['without a key', { none: true }],
      ['with another key', { none: true, key: keyOf('p-2', 'r-bob', 'node n1') }],
      ['with the seal as key', { none: true, key: sealOf(keyOf('p-1', 'r-bob', 'node n1')) }],
      ['by its name', { none: true, by: 'bob' }],
    ])('taking it back %s frees nothing, and whose line it is stands there', async (_, over) => {
      writeFileSync(file, mine(fresh) + lineOf({ subject: 'node n1', by: 'mallory', ...fresh, ...over }));
      await blocked(
        /1 min ago by bob \(run r-bob: a line by (?:mallory|bob) takes it back and does not prove that it may\)/,
      );
    });

    it('a line of an older console has no seal: nobody takes it back', async () => {
      writeFileSync(
        file,
        lineOf({ subject: 'node n1', ...fresh }) + lineOf({ subject: 'node n1', ...fresh, none: true }),
      );
      await blocked(/does not prove that it may/);
    });

    it('with the key of its seal it is taken back; the key of another target is another', async () => {
      writeFileSync(
        file,
        mine(fresh) + mine({ ...fresh, none: true, key: keyOf('p-1', 'r-bob', 'node n1') }),
      );
      await isKnown();
      expect(keyOf('p-1', 'r-bob', 'node n2')).not.toBe(keyOf('p-1', 'r-bob', 'node n1'));
    });

    it('a second line of the run with an old date frees nothing', async () => {
      writeFileSync(file, mine(fresh) + mine({ ...at(50) }));
      await blocked(/1 min ago by bob/);
    });

    it('a date in the future counts as now, and says so', async () => {
      writeFileSync(file, mine({ at: world.clock.now() + 48 * HOUR }));
      await blocked(/0 s ago by bob \(run r-bob: it is dated \d{4}-.*, in the future, and counts as now\)/);
    });

    it('of a run of this log the log knows better: what is forged about it neither frees nor blocks', async () => {
      const sharedActions = actionsOf();
      const engine = world.engine({ sharedActions });
      const planned = await plan(sharedActions, {}, engine);
      if ('refused' in planned) throw new Error(planned.refused.reason);
      await confirm(engine, planned.card.id, planned.card.confirmText);
      writeFileSync(file, '');
      Object.assign(world.nodes['n1'] ?? {}, { drained: true, reason: 'NHC: again' });
      world.clock.advance(10_000);
      await blocked(/ago by alice/);
    });
  });

  it('is read again under the locks: what became unreadable meanwhile refuses before a byte is sent', async () => {
    const sharedActions = actionsOf();
    const engine = world.engine({ sharedActions });
    const planned = await plan(sharedActions, {}, engine);
    if ('refused' in planned) throw new Error(planned.refused.reason);
    appendFileSync(file, 'half');
    const view = await confirm(engine, planned.card.id, planned.card.confirmText);
    expect(view).toMatchObject({
      state: 'refused',
      targets: [{ text: expect.stringContaining('resume of n1: not known') }],
    });
    expect(world.sent).toEqual([]);
  });

  it('the menu asks for the reason once it is known that it is not known', async () => {
    writeFileSync(file, 'half');
    const engine = world.engine({ sharedActions: actionsOf() });
    await engine.readPast();
    const entry = (await engine.menu([node('n1')])).find(({ action }) => action === 'fake.resume');
    expect(entry?.prompts.at(-1)).toMatchObject({
      name: 'exceed13',
      required: true,
      label: expect.stringContaining('Not known what colleagues did'),
    });
  });
});
