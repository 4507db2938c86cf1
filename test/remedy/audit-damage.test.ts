import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAuditFile } from '../../src/audit/audit-read.ts';
import { sealAuditLog } from '../../src/remedy/audit-seal.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { refusal, run } from './acting.ts';
import type { Damage } from './damage-log.ts';
import { contentDamages } from './damage.ts';
import { placeDamages } from './damage-place.ts';
import { createWorld, lostAnswer, obey, operator, realTime, self, type World } from './world.ts';

const isRoot = process.geteuid?.() === 0;
const canMount = ((): boolean => {
  if (!isRoot) return false;
  const folder = emptyFolder('mount');
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  }
})();

/** A night's log: n1, n2 and n4 were resumed; of n3 it is not known what came of it. */
let night: string;
const LINES = 8;
const NODES = 6;
beforeAll(async () => {
  night = join(emptyFolder('night'), 'site');
  mkdirSync(night, { mode: 0o700 });
  const world = createWorld(NODES, night);
  const engine = world.engine();
  for (const id of ['n1', 'n2', 'n4']) expect((await run(engine, [id])).state).toBe('done');
  world.act = () => {
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    return lostAnswer();
  };
  expect((await run(engine, ['n3'])).state).toBe('unknown');
  expect((await readAuditFile(join(night, 'audit.jsonl'))).lines).toBe(LINES);
});

const mounted: string[] = [];
afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync('umount', [folder]);
});

const begin = (needs?: Damage['needs']): { world: World; file: string } => {
  const above = emptyFolder('damage');
  if (needs === 'disk') {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', above]);
    mounted.push(above);
  }
  const folder = join(above, 'site');
  cpSync(night, folder, { recursive: true });
  return { world: createWorld(NODES, folder), file: join(folder, 'audit.jsonl') };
};

const seal = (file: string, whole = false) =>
  sealAuditLog({ file, site: 'test', operator, console: self, clock: realTime, reason: 'tried', whole });

/** What lies in the log's folder, to see that a refusal changes nothing of it. */
const evidence = (file: string): string => {
  const one = (name: string): string => {
    try {
      return readFileSync(name, 'latin1');
    } catch (error) {
      return String(error);
    }
  };
  // A pipe has no end.
  const isPipe =
    existsSync(file) && readdirSync(dirname(file), { withFileTypes: true }).some((e) => e.isFIFO());
  return isPipe ? '' : [file, `${file}.head`].map(one).join('|');
};

/** Of a target whose outcome is not known nothing is done while it can't be read, and what else there is works. */
const actsAgain = async (world: World): Promise<void> => {
  const engine = world.engine();
  const broken = { kind: 'connect', message: 'ctl1 is unreachable' } as const;
  world.broken = broken;
  expect(await refusal(engine, 'fake.resume', ['n3'])).toMatch(
    /^10 unknown: outcome unknown: fake.resume on n3/,
  );
  expect(world.sent).toEqual([]);
  world.broken = undefined;
  world.act = (script) => obey(world.nodes, script);
  expect((await run(engine, ['n5'])).state).toBe('done');
};

const all = [...contentDamages(LINES), ...placeDamages];

it('is a table of at least 100', () => expect(all.length).toBeGreaterThanOrEqual(100));

describe('guard 14: after a change to the log the next act', () => {
  it.each(all)('is refused: $name', async ({ change, says, mend, needs }) => {
    if ((needs === 'root' && !isRoot) || (needs === 'disk' && !canMount)) return;
    const { world, file } = begin(needs);
    // One console has read it before, another comes after.
    const running = world.engine();
    expect(await refusal(running, 'fake.resume', ['n5'])).toBe('planned');
    const fresh = begin(needs);
    for (const [engine, at, of] of [
      [running, file, world],
      [fresh.world.engine(), fresh.file, fresh.world],
    ] as const) {
      change(at);
      const before = evidence(at);
      const said = await refusal(engine, 'fake.resume', ['n5']);
      expect(said).toMatch(/^14 audit: /);
      expect(said).toContain(dirname(at));
      expect(said).toMatch(says);
      expect(said).toMatch(mend ? /./ : /faultline audit seal --file \S+ --reason "why"/);
      expect(engine.badges()[0]).toMatch(/^actions off: /);
      expect(await refusal(engine, 'fake.resume', ['n5'])).toMatch(/^14 audit: /);
      expect(of.sent).toEqual([]);
      expect(evidence(at)).toBe(before);
      if (mend) mend(at);
      else expect(await seal(at)).toMatchObject({ open: expect.arrayContaining(['fake.resume on n3']) });
    }
    expect((await readAuditFile(fresh.file)).problems).toEqual([]);
    await actsAgain(fresh.world);
  });
});
