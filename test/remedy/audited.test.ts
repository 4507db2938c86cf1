import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPatience } from '../../src/audit/patience.ts';
import { EXPIRES_MS } from '../../src/remedy/plan-card.ts';
import type { RunView } from '../../src/model/run.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { createWorld, node, obey, operator, realTime, self, type World } from './world.ts';
import { fullDisk } from './full-disk.ts';
import { card, refusal, confirm, run } from './acting.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

const records = async () => (await world.parts.audit.read()).records;
const states = (view: RunView) => view.targets.map(({ state }) => state);

describe('guard 14 audit', () => {
  it('the intent is on disk before the first byte is sent, the result after', async () => {
    const seen: string[][] = [];
    world.act = async (script) => {
      seen.push((await records()).map(({ kind, target }) => `${kind} ${target}`));
      return obey(world.nodes, script);
    };
    await run(world.engine(), ['n1', 'n2']);
    expect(seen).toEqual([['intent n1'], ['intent n1', 'result n1', 'intent n2']]);
    expect((await records()).map(({ kind }) => kind)).toEqual(['intent', 'result', 'intent', 'result']);
  });

  const auditAt = (file: string) =>
    createAuditLog({ file, site: 'test', operator, console: self, clock: realTime });

  it.each([
    [
      'a folder that is a file',
      (folder: string) => writeFileSync(join(folder, 'no'), ''),
      'no/audit.jsonl',
      /EEXIST|ENOTDIR/,
    ],
    [
      'a log that is a folder',
      (folder: string) => void mkdirSync(join(folder, 'no')),
      'no',
      /EISDIR|unable to open|ENOTDIR|EEXIST/,
    ],
  ])('nothing is sent on %s, and the badge says why', async (_, prepare, name, why) => {
    prepare(world.folder);
    const audit = auditAt(join(world.folder, name));
    const engine = world.engine({ audit });
    const planned = await engine.plan('fake.resume', [node('n1')], {});
    if ('card' in planned) {
      const view = await confirm(engine, planned.card.id, 'y');
      expect(view).toMatchObject({ state: 'refused', targets: [{ state: 'refused' }] });
      expect(view.targets[0]?.text).toMatch(/^audit log cannot be /);
    } else expect(planned.refused.guard).toBe('14 audit');
    expect(engine.badges()[0]).toMatch(/^actions off: audit log cannot be/);
    expect(engine.badges()[0]).toMatch(why);
    expect(world.sent).toEqual([]);
    const [entry] = await engine.menu([node('n1')]);
    expect(entry).toMatchObject({ available: false });
    expect(entry?.text).toMatch(/^actions off/);
  });

  it('nothing is sent when the disk is full at the moment of the intent', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1', 'n2']);
    const mended = await fullDisk();
    const view = await confirm(engine, id, 'y');
    mended();
    expect(view.state).toBe('refused');
    expect(states(view)).toEqual(['refused', 'not reached']);
    expect(view.targets[0]?.text).toMatch(/^audit log cannot be written: .*ENOSPC.*nothing was sent/);
    expect(engine.badges()[0]).toMatch(/^actions off: audit log cannot be written: ENOSPC/);
    expect(world.sent).toEqual([]);
  });

  it.each([
    [1, 'done', ['intent n1']],
    [3, 'refused', []],
  ])(
    'nothing is sent before the record is on disk on a machine that is late in %i waits for it: %s',
    async (lateWaits, state, onDisk) => {
      const seen: string[] = [];
      world.act = async (script) => {
        seen.push(...(await records()).map(({ kind, target }) => `${kind} ${target}`));
        return obey(world.nodes, script);
      };
      let [waits, write] = [0, (): void => {}];
      const isHeard = new Promise<void>((resolve) => (write = resolve));
      const patience = createPatience(
        async () => {
          expect(world.sent).toEqual([]);
          waits += 1;
          if (waits <= lateWaits) return;
          write();
          await new Promise(() => {});
        },
        () => () => 5_000,
      );
      const { audit } = world.parts;
      const append: typeof audit.append = (entry) =>
        entry.kind === 'intent'
          ? patience(() => isHeard.then(() => audit.append(entry)), 2_000).catch((error: Error) => ({
              ok: false,
              reason: error.message,
            }))
          : audit.append(entry);
      expect((await run(world.engine({ audit: { ...audit, append } }), ['n1'])).state).toBe(state);
      expect(seen).toEqual(onDisk);
      expect(world.sent.length > 0).toBe(onDisk.length > 0);
    },
  );

  it('works again when the disk does', async () => {
    const audit = auditAt(join(world.folder, 'no/audit.jsonl'));
    writeFileSync(join(world.folder, 'no'), '');
    const engine = world.engine({ audit });
    await audit.check();
    expect(await refusal(engine, 'fake.resume', ['n1'])).toMatch(/^14 audit/);
    const { rmSync } = await import('node:fs');
    rmSync(join(world.folder, 'no'));
    expect((await run(engine, ['n1'])).state).toBe('done');
    expect(engine.badges().join()).not.toContain('actions off');
  });
});

describe('guard 15 expiry', () => {
  it('a plan is void after 60 s of the monotonic clock', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.clock.advance(EXPIRES_MS + 1);
    expect(await engine.confirm(id, 'y')).toMatchObject({ refused: { guard: '15 expiry' } });
    expect(world.sent).toEqual([]);
  });

  it('a suspend that only the wall clock saw voids it too', async () => {
    let asleep = 0;
    const clock = { ...world.clock, now: () => world.clock.now() + asleep };
    const engine = world.engine({ clock });
    const { id } = await card(engine, 'fake.resume', ['n1']);
    asleep = 8 * 3_600_000;
    expect(await engine.confirm(id, 'y')).toMatchObject({ refused: { guard: '15 expiry' } });
  });
});
