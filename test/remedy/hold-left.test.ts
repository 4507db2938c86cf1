import type { Past } from '../../src/audit/past-runs.ts';
import type { AuditRecord } from '../../src/model/run.ts';
import type { SharedActions } from '../../src/remedy/shared-actions.ts';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { endProof, recordLiveness } from '../../src/remedy/process-stamp.ts';
import { createWorld, node, self, type World } from './world.ts';
import { ARM, CHANGE, isArmed, once, shut, watching, withTimer } from './held.ts';

let world: World;
let timer: ReturnType<typeof withTimer>;
beforeEach(() => {
  world = createWorld(3);
  timer = withTimer(world);
});

const { sent, locks } = watching(() => world);

/** A console makes a change and goes while it is held: the run's name. */
const leftHeld = async (): Promise<string> => {
  const engine = world.engine();
  const run = await shut(
    world,
    engine,
    once(() => void engine.close()),
  );
  await engine.awaitEnd(run);
  return run;
};

describe('a console that goes while a change is held', () => {
  it('leaves the timer armed and the lock in place; the next start waits for the timer and says what is true', async () => {
    const engine = world.engine();
    let closing: Promise<void> | undefined;
    const since = world.clock.mono();
    const run = await shut(
      world,
      engine,
      once(() => {
        closing = engine.close();
      }),
    );
    const view = await engine.awaitEnd(run);
    await closing;
    expect(world.clock.mono() - since).toBeLessThan(30_000);
    expect(view.state).toBe('unknown');
    expect(view.result).toMatch(
      /the console ended while the change was held: the timer on adm9 restores it within \d+ s/,
    );
    expect(isArmed(world.nodes)).toBe(true);
    expect(world.nodes['n1']?.drained).toBe(true);
    expect(locks()).toHaveLength(1);

    const next = world.engine();
    const shown: string[] = [];
    next.onChange(() => shown.push(next.runs()[0]?.state ?? ''));
    const views = await next.recover();
    expect(shown[0]).toBe('running');
    expect(views).toMatchObject([{ id: run, state: 'undone', targets: [{ id: 'n1' }] }]);
    expect(views[0]?.result).toContain('it was restored: n1 is up');
    expect(sent()).toEqual([ARM, CHANGE]);
    expect(locks()).toEqual([]);
    expect(await next.recover()).toEqual([]);
  });

  it('whose timer could not undo it: the next start says so, and why, and offers the undo', async () => {
    const run = await leftHeld();
    timer.dead = true;
    world.nodes['failed'] = { drained: false, reason: 'not authorized' };
    const views = await world.engine().recover();
    expect(views).toMatchObject([{ id: run, state: 'failed' }]);
    expect(views[0]?.result).toContain(
      'it was not restored: n1 is drained; its undo failed: adm9 tells: not authorized; it can be undone: undo:',
    );
  });

  it('nobody else can keep it, and once the timer has undone it colleagues are not held up by it any more', async () => {
    const told = new Map<string, Past>();
    const sharedActions: SharedActions = {
      read: async () => ({ past: [...told.values()] }),
      poll: async () => ({ past: [...told.values()] }),
      tell: async (past, _key, none = false) => {
        if (none) told.delete(`${past.run} ${past.subject}`);
        else told.set(`${past.run} ${past.subject}`, past);
        return undefined;
      },
    };
    const engine = world.engine({ sharedActions });
    const run = await shut(
      world,
      engine,
      once(() => void engine.close()),
    );
    await engine.awaitEnd(run);
    expect([...told.values()]).toMatchObject([{ run, subject: 'node n1' }]);
    const next = world.engine({ sharedActions });
    expect(await next.keep(run, 'keep')).toMatchObject({ refused: { guard: '9 armed undo' } });
    expect(await next.recover()).toMatchObject([{ id: run, state: 'undone' }]);
    expect([...told.values()]).toEqual([]);
    // A console of a colleague, which knows the shared folder only.
    const colleague = world.engine({ sharedActions });
    expect('card' in (await colleague.plan('fake.shut', [{ kind: 'node', id: 'n1' }], {}))).toBe(true);
  });

  it('a timer that never came is found out: still so, and its undo can be had', async () => {
    timer.dead = true;
    const run = await leftHeld();
    const next = world.engine();
    const views = await next.recover();
    expect(views).toMatchObject([{ state: 'failed' }]);
    expect(views[0]?.result).toMatch(/it was not restored: n1 is drained; it can be undone: undo:r-/);
    const undo = await next.plan(`undo:${run}`, [], {});
    if ('refused' in undo) throw new Error(undo.refused.reason);
    expect(undo.card.commands).toEqual([{ host: 'ctl1', line: "scontrol update n1 resume ''" }]);
  });

  it('nothing else is done to the subject while the undo is still to come', async () => {
    await leftHeld();
    const next = world.engine();
    expect(await next.plan('fake.shut', [node('n1')], {})).toMatchObject({
      refused: { guard: '10 unknown', reason: expect.stringContaining('was left while the change was held') },
    });
    expect(existsSync(join(world.folder, 'audit.jsonl'))).toBe(true);
  });
});

type Read = Awaited<ReturnType<World['parts']['audit']['read']>>;

const asOlder = (record: AuditRecord): AuditRecord => {
  const { writesChange: _, ...hold } = (record.detail['hold'] ?? {}) as Record<string, unknown>;
  return record.kind === 'intent' ? { ...record, detail: { ...record.detail, hold } } : record;
};

describe('a console that is killed while a change is held', () => {
  const killed = (place: string): Promise<string> =>
    new Promise((resolve) => {
      const script = new URL('./hold-child.ts', import.meta.url).pathname;
      execFile(process.execPath, [script, world.folder, place], (error, stdout, stderr) =>
        resolve(error?.signal ?? (stdout || stderr)),
      );
    });

  it.each([
    // The arming is written down before the change is sent.
    ['intent', false, 'undone', /it was never changed: its console ended before .* armed: n1 is up/],
    // So is the change itself, before its first byte.
    [
      'armed',
      false,
      'undone',
      /it was never changed: its console ended before the change was sent: n1 is up/,
    ],
    ['change', false, 'undone', /it is as before; the log does not say whether it was changed.*: n1 is up/],
    ['changed', true, 'undone', /it was restored: n1 is up/],
    ['held', true, 'undone', /it was restored: n1 is up/],
  ] as const)(
    'at "%s": the next start waits for the timer and reports',
    async (place, drained, state, text) => {
      expect(await killed(place)).toBe('SIGKILL');
      // The child's clock went on, this world's stood still.
      world.clock.advance(Math.max(0, Date.now() - world.clock.now()));
      world.nodes['n1'] = { drained, reason: '' };
      world.nodes['timer'] = { drained: true, reason: 'n1' };
      Object.assign(timer, { id: 'n1', at: world.clock.mono() + 59_000 });
      const next = world.engine({
        liveness: recordLiveness(self),
        proofOfEnd: endProof(self),
      });
      expect(locks()).toHaveLength(1);
      const views = await next.recover();
      expect(views).toMatchObject([{ state }]);
      expect(views[0]?.result).toMatch(text);
      expect(locks()).toEqual([]);
      expect((await world.parts.audit.read()).problems).toEqual([]);
      expect(await next.recover()).toEqual([]);
    },
  );

  it.each<[string, (read: Read) => Read]>([
    [
      'older versions, which did not write the change',
      (read) => ({
        ...read,
        records: read.records.map(asOlder).filter(({ detail }) => detail['phase'] !== 'change'),
      }),
    ],
    ['a damaged log', (read) => ({ ...read, problems: [{ line: 3, text: 'not a record' }] })],
  ])('of %s is not told that it was never changed', async (_, change) => {
    expect(await killed('armed')).toBe('SIGKILL');
    world.clock.advance(Math.max(0, Date.now() - world.clock.now()) + 120_000);
    world.nodes['n1'] = { drained: false, reason: '' };
    const { audit } = world.parts;
    const next = world.engine({
      liveness: recordLiveness(self),
      audit: { ...audit, read: async (full) => change(await audit.read(full)) },
    });
    expect((await next.recover())[0]?.result).toMatch(/the log does not say whether it was changed/);
  });

  it('after it was asked to keep and it did: kept, and can be undone', async () => {
    expect(await killed('keep')).toBe('SIGKILL');
    world.nodes['n1'] = { drained: true, reason: '' };
    const views = await world.engine({ liveness: recordLiveness(self) }).recover();
    expect(views).toMatchObject([{ state: 'done' }]);
    expect(views[0]?.result).toMatch(/kept: n1 stays drained; it can be undone: undo:r-/);
  });

  it('without a kill the child keeps it', async () => {
    expect(await killed('nowhere')).toBe('done');
    expect(await world.engine().recover()).toEqual([]);
  });
});
