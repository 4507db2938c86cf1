import { chmodSync, chownSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import { card, confirm, refusal, run } from './acting.ts';
import { forge, type Change } from './forge.ts';
import { createWorld, fakeAction, node, realTime, type World } from './world.ts';

/** The logged undo with something else in its first command. */
const undoWith =
  (over: { script?: string; host?: string }): Change =>
  (detail) => {
    const [first, ...rest] = z.array(z.looseObject({})).parse(detail['undo']);
    detail['undo'] = [{ ...first, ...over }, ...rest];
  };

const SAME = "scontrol update n1 drain 'NHC: mount lost'";

describe('an undo by a log that fits its hashes and was written by somebody else', () => {
  let world: World;
  let id: string;
  let later: Engine;
  beforeEach(async () => {
    world = createWorld();
    id = (await run(world.engine(), ['n1'])).id;
    world.sent.length = 0;
    later = world.engine();
  });

  /** The log is another one by the time at which the next console looks: this one would know what it wrote itself. */
  const forged = (
    ...change: Parameters<typeof forge> extends [string, ...infer Rest] ? Rest : never
  ): void => {
    const { audit, operator, console } = world.parts;
    forge(audit.file, ...change);
    world.parts.audit = createAuditLog({
      file: audit.file,
      site: 'test',
      operator,
      console,
      clock: realTime,
    });
    later = world.engine();
  };

  it('is what its action makes, when nothing was changed: no difference is told, the class is the action’s', async () => {
    const shown = await card(later, `undo:${id}`, []);
    expect(shown).toMatchObject({ danger: 'reversible', title: 'Undo: resume n1', confirmText: 'y' });
    expect(shown.commands.map(({ line }) => line)).toEqual([SAME]);
    expect(shown.because).toHaveLength(1);
  });

  it('a forged command is shown as the old one, never sent, and wants one class more', async () => {
    forged(undoWith({ script: 'rm -rf /scratch' }));
    const shown = await card(later, `undo:${id}`, []);
    expect(shown.commands.map(({ line }) => line)).toEqual([SAME]);
    expect(shown.because).toEqual([
      expect.stringContaining(`run ${id}`),
      expect.stringContaining('differs from the one that version 0.0.0 wrote down'),
      'n1: old ctl1: rm -rf /scratch',
      `n1: new ctl1: ${SAME}`,
    ]);
    expect(shown).toMatchObject({ danger: 'service', confirmText: 'n1' });
    expect((await confirm(later, shown.id, 'n1')).state).toBe('done');
    expect(world.sent.map(({ script }) => script)).toEqual([SAME]);
  });

  it('a forged host is shown, never asked', async () => {
    forged(undoWith({ host: 'mgmt1' }));
    const shown = await card(later, `undo:${id}`, []);
    expect(shown.commands.map(({ host }) => host)).toEqual(['ctl1']);
    expect(shown.because).toContain(`n1: old mgmt1: ${SAME}`);
  });

  it('a hostile line among the logged ones is shown with what is in it', async () => {
    forged(undoWith({ script: 'echo \u001b[2Jall well' }));
    const { because } = await card(later, `undo:${id}`, []);
    expect(because.join('\n')).toContain('echo');
    expect(because.join('\n')).not.toContain('\u001b');
  });

  it('a forged class, title or verb changes nothing; lock groups are never fewer than the action’s', async () => {
    const access = fakeAction({ danger: 'access' });
    const actionSets = [{ system: 'fake', actions: [access] }];
    forged((detail) =>
      Object.assign(detail, { danger: 'reversible', title: 'Nothing at all', verb: 'look', lockGroups: [] }),
    );
    const engine = world.engine({ actionSets });
    expect(await card(engine, `undo:${id}`, [])).toMatchObject({
      danger: 'access',
      title: 'Undo: resume n1',
      confirmText: 'undo n1',
    });
    expect((await engine.menu([node('n1')])).at(-1)).toMatchObject({
      danger: 'access',
      title: 'undo "resume n1"',
    });
    const held = await world.parts.locks.take('partition batch', {
      purpose: 'bob',
      holdMs: 60_000,
      run: 'r-bob',
      judge: async () => ({ may: 'wait', why: '' }),
    });
    expect(held.state).toBe('taken');
    const shown = await card(engine, `undo:${id}`, []);
    world.clock.advance(2_000);
    await expect(confirm(engine, shown.id, 'undo n1')).rejects.toThrow(/12 lock/);
    expect(world.sent).toEqual([]);
  });

  it.each([
    ['of another node', { kind: 'node', id: 'n2' }, /its record is of n1/],
    ['of another kind', { kind: 'host', id: 'n1' }, /n1 is a host, not a node/],
  ])('a forged target %s is refused', async (_, subject, said) => {
    forged((detail) => Object.assign(detail, { subject }));
    expect(await refusal(later, `undo:${id}`, [])).toMatch(said);
  });

  it.each([
    ['the site does not know', 'n99', /5 targets: node n99 is not known to the site/],
    ['that stands for many', 'n[1-3]', /5 targets: .* is a pattern or a list/],
  ])('a whole record of a target %s is refused, with what was logged as text', async (_, other, said) => {
    const change: Change = (detail, record) => {
      detail['subject'] = { kind: 'node', id: other };
      record.target = other;
    };
    forged(change, ['intent', 'result']);
    const text = await refusal(later, `undo:${id}`, []);
    expect(text).toContain(`as it was logged: ctl1: ${SAME}`);
    expect(text).toMatch(said);
  });

  it('a whole record of another target of the site is no undo: that target is not as the run left it', async () => {
    const change: Change = (detail, record) => {
      detail['subject'] = { kind: 'node', id: 'n2' };
      record.target = 'n2';
    };
    forged(change, ['intent', 'result']);
    expect(await refusal(later, `undo:${id}`, [])).toMatch(
      /3 plan is stale: n2 is no longer as the run left it/,
    );
  });

  it('a forged value makes another command, which is shown beside the logged one', async () => {
    forged((detail) => Object.assign(detail, { was: { reason: 'bob: RMA' } }));
    const shown = await card(later, `undo:${id}`, []);
    expect(shown.commands.map(({ line }) => line)).toEqual(["scontrol update n1 drain 'bob: RMA'"]);
    expect(shown.because).toContain(`n1: old ctl1: ${SAME}`);
    expect(shown.danger).toBe('service');
  });

  it('values of another shape count as not recorded', async () => {
    forged((detail) => Object.assign(detail, { was: ['$(reboot)'] }));
    const shown = await card(later, `undo:${id}`, []);
    expect(shown.commands.map(({ line }) => line)).toEqual(["scontrol update n1 drain 'not recorded'"]);
    expect(shown.because).toContain('n1: its old reason was not recorded');
  });

  it('a log of an older version, without values, can still be undone: both are shown, what is made now is sent', async () => {
    forged((detail, record) => {
      delete detail['was'];
      record.console = { ...record.console, version: '0.1.0' };
    });
    const shown = await card(later, `undo:${id}`, []);
    expect(shown.because).toEqual([
      expect.stringContaining(`run ${id}`),
      'n1: its old reason was not recorded',
      expect.stringContaining('differs from the one that version 0.1.0 wrote down'),
      `n1: old ctl1: ${SAME}`,
      "n1: new ctl1: scontrol update n1 drain 'not recorded'",
    ]);
    expect((await confirm(later, shown.id, shown.confirmText)).state).toBe('done');
    expect(world.nodes['n1']).toEqual({ drained: true, reason: 'not recorded' });
  });

  it('another action is another undo, by its own rules: here the node does not read as that action leaves it', async () => {
    forged((_, record) => (record.action = 'fake.drain'));
    expect(await refusal(later, `undo:${id}`, [])).toMatch(
      /3 plan is stale: n1 is no longer as the run left it/,
    );
  });

  it.each([
    ['that this version does not have', [], /this version has no action fake.resume/],
    [
      'without an undo in this version',
      [{ ...fakeAction(), undoOf: undefined }],
      /fake.resume has no undo in this version/,
    ],
  ])('of an action %s is refused, and the commands stand there as text', async (_, actions, said) => {
    const sets = [{ system: 'fake', actions: actions.map(({ undoOf: _undo, ...rest }) => rest) }];
    const text = await refusal(world.engine({ actionSets: sets }), `undo:${id}`, []);
    expect(text).toMatch(said);
    expect(text).toContain(`to be done by hand if you want it, as it was logged: ctl1: ${SAME}`);
    expect(world.sent).toEqual([]);
    const entry = (await world.engine({ actionSets: sets }).menu([node('n1')])).at(-1);
    if (entry?.action.startsWith('undo:')) expect(entry.available).toBe(false);
  });

  it('one run with two actions was changed', async () => {
    const both = (await run(world.engine(), ['n2', 'n3'])).id;
    let first = true;
    forged((_, record) => {
      if (record.run === both && first) {
        record.action = 'fake.drain';
        first = false;
      }
    });
    expect(await refusal(later, `undo:${both}`, [])).toMatch(/14 audit: run \S+ has several actions/);
  });

  it('what the undo is made of is looked at once more before a byte is sent', async () => {
    const base = fakeAction();
    let reason = 'NHC: mount lost';
    const moving = {
      ...base,
      undoOf: () => ({ steps: [{ host: 'ctl1', argv: ['scontrol', 'update', 'n1', 'drain', reason] }] }),
    };
    const engine = world.engine({ actionSets: [{ system: 'fake', actions: [moving] }] });
    const shown = await card(engine, `undo:${id}`, []);
    reason = 'other';
    expect(await confirm(engine, shown.id, shown.confirmText)).toMatchObject({
      state: 'refused',
      targets: [{ text: expect.stringContaining('would hold other commands now') }],
    });
    expect(world.sent).toEqual([]);
  });

  describe('who may write the state folder', () => {
    const file = (): string => world.parts.audit.file;
    it.each([
      ['the folder', () => dirname(file()), 0o775],
      ['the log', file, 0o660],
      ['the head', () => `${file()}.head`, 0o602],
    ])('others: %s, refused with the chmod', async (_, path, mode) => {
      chmodSync(path(), mode);
      expect(await refusal(later, `undo:${id}`, [])).toMatch(
        new RegExp(`14 audit: .*${path()} can be written by others .*chmod .*${path()}`),
      );
      chmodSync(path(), 0o700);
      expect('id' in (await card(later, `undo:${id}`, []))).toBe(true);
    });

    it.skipIf(process.geteuid?.() !== 0)('another account: refused', async () => {
      chownSync(file(), 4711, 4711);
      expect(await refusal(later, `undo:${id}`, [])).toMatch(/14 audit: .* 4711/);
    });

    it('readers are no writers', async () => {
      chmodSync(dirname(file()), 0o755);
      chmodSync(file(), 0o644);
      expect('id' in (await card(later, `undo:${id}`, []))).toBe(true);
    });
  });
});
