import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAuditLog, type AuditLog } from '../../src/remedy/audit-log.ts';
import { sealAuditLog } from '../../src/remedy/audit-seal.ts';
import type { Owner } from '../../src/audit/copied-heads.ts';
import { createHeadCopy } from '../../src/remedy/head-copy.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { refusal, run } from './acting.ts';
import { answer, createWorld, operator, realTime, self, transportsOf, type World } from './world.ts';

let dir: string;
let scripts: string[];
let broken: ReturnType<typeof answer> | undefined;
let folder: string;
beforeEach(() => {
  dir = join(emptyFolder('shared'), "it's shared");
  scripts = [];
  broken = undefined;
  folder = emptyFolder('remedy');
});

/** The shared host: its shell is ours. */
const transports = transportsOf(async ({ script }) => {
  scripts.push(script);
  if (broken) return broken;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'latin1' });
  return answer({ exitCode: status ?? 1, stdout, stderr });
});

const auditOf = (owner: Partial<Owner> = {}, file = join(folder, 'audit.jsonl')): AuditLog =>
  createAuditLog({
    file,
    site: 'test',
    operator,
    console: self,
    clock: realTime,
    copy: createHeadCopy({ host: 'admin1', dir }, transports, realTime, {
      host: 'adm1',
      uid: 1000,
      site: 'test',
      folder: join(file, '..'),
      ...owner,
    }),
  });

const acting = (audit = auditOf()): { world: World; engine: ReturnType<World['engine']> } => {
  const world = createWorld(4, folder);
  return { world, engine: world.engine({ audit }) };
};

/** What is said of the copy. */
const said = (engine: ReturnType<World['engine']>): string =>
  engine
    .badges()
    .filter((badge) => badge.includes('copy'))
    .join();

const copies = (): string[] => readdirSync(join(dir, 'audit-heads')).filter((name) => name.endsWith('.head'));
const copy = (): string => readFileSync(join(dir, 'audit-heads', copies()[0] ?? ''), 'latin1');
const seal = () =>
  sealAuditLog({
    file: join(folder, 'audit.jsonl'),
    site: 'test',
    operator,
    console: self,
    clock: realTime,
    reason: 'r',
    whole: true,
  });

describe('the copy of the head in the shared folder', () => {
  it('names the last record after each run, in one small file of this console’s', async () => {
    const { engine } = acting();
    await run(engine, ['n1']);
    expect(copies()).toEqual([expect.stringMatching(/^adm1\+1000\+test\+[0-9a-f]{8}\.head$/)]);
    expect(copy()).toMatch(/^000000000002 [0-9a-f]{64} \d{13}\n$/);
    await run(engine, ['n2']);
    expect(copy()).toMatch(/^000000000004 /);
    expect(copies()).toHaveLength(1);
    expect(said(engine)).toBe('');
  });

  it('another host, account, site or state folder has another file; names that lead elsewhere stay in the folder', async () => {
    for (const owner of [{}, { host: '../../x' }, { uid: 7 }, { site: 'a/b' }, { folder: '/else' }])
      await run(acting(auditOf(owner)).engine, ['n1']).catch(() => undefined);
    const audit = auditOf({ host: '../../x', site: "a/b'; rm -rf /" });
    await audit.append({ kind: 'note', detail: {} });
    await audit.publish();
    expect(copies()).toContainEqual(expect.stringMatching(/^\.\._\.\._x\+1000\+a_b___rm_-rf__\+/));
    expect(new Set(copies()).size).toBe(copies().length);
  });

  it.each([
    [
      'with all that was in its folder',
      (state: string) => readdirSync(state).forEach((name) => rmSync(join(state, name), { recursive: true })),
    ],
    [
      'and an older one put back, whole, with its head',
      (state: string, old: Map<string, string>) => {
        rmSync(join(state, 'begun.jsonl'));
        for (const [name, text] of old) writeFileSync(join(state, name), text, 'latin1');
      },
    ],
  ])('tells that the log was removed %s', async (_, remove) => {
    await run(acting().engine, ['n1']);
    const old = new Map(
      ['audit.jsonl', 'audit.jsonl.head', 'begun.jsonl'].map((name) => [
        name,
        readFileSync(join(folder, name), 'latin1'),
      ]),
    );
    await run(acting().engine, ['n2']);
    const known = copy();
    remove(folder, old);
    const { world, engine } = acting();
    expect(await refusal(engine, 'fake.resume', ['n3'])).toMatch(
      /^14 audit: the audit log is damaged: .*admin1:.*audit-heads knows of its record 4 of .*it was cut, removed or replaced; if that is right: faultline audit seal --file \S+ --whole --reason "why"/,
    );
    expect(engine.badges()[0]).toMatch(/^actions off: the audit log is damaged/);
    await engine.recover();
    expect(await refusal(engine, 'fake.resume', ['n3'])).toMatch(/^14 audit/);
    // Neither a refusal nor a start may write over the evidence.
    expect(copy()).toBe(known);
    expect(world.sent).toEqual([]);
    await seal();
    expect((await run(acting().engine, ['n3'])).state).toBe('done');
    expect(copy()).toMatch(/^000000000003 /);
  });

  it('tells that the log was chained anew with another content', async () => {
    await run(acting().engine, ['n1']);
    writeFileSync(
      join(dir, 'audit-heads', copies()[0] ?? ''),
      copy().replace(/ [0-9a-f]{64} /, ` ${'a'.repeat(64)} `),
    );
    expect(await refusal(acting().engine, 'fake.resume', ['n2'])).toMatch(
      /^14 audit: .*knows of its record 2 .*it ends with record 2/,
    );
  });

  it('an older copy is none: another console wrote later', async () => {
    await run(acting().engine, ['n1']);
    const before = copy();
    await run(acting().engine, ['n2']);
    writeFileSync(join(dir, 'audit-heads', copies()[0] ?? ''), before);
    expect((await run(acting().engine, ['n3'])).state).toBe('done');
  });

  it.each([
    [
      'the folder takes nothing',
      () => {
        mkdirSync(dir);
        writeFileSync(join(dir, 'audit-heads'), '');
      },
      /did not take the copy of the audit log's head: admin1: .*audit-heads/,
    ],
    [
      'the host does not answer',
      () => {
        broken = answer({ timedOut: true, exitCode: 1 });
      },
      /was not read: admin1 did not answer within 8 s/,
    ],
  ])('is told, and is no reason to refuse, when %s', async (_, spoil, says) => {
    spoil();
    const { engine } = acting();
    expect((await run(engine, ['n1'])).state).toBe('done');
    expect(said(engine)).toMatch(says);
  });

  it('nonsense, a folder or a pipe in its place is told and not believed', async () => {
    await run(acting().engine, ['n1']);
    const at = join(dir, 'audit-heads', copies()[0] ?? '');
    for (const text of ['', 'x', `${'9'.repeat(12)} ${'a'.repeat(64)}\n`, 'a'.repeat(1_000_000)]) {
      writeFileSync(at, text);
      const { engine } = acting();
      expect(await refusal(engine, 'fake.resume', ['n2'])).toBe('planned');
      expect(said(engine)).toMatch(/it is no copy of a head/);
    }
    rmSync(at);
    mkdirSync(at);
    const { engine } = acting();
    expect(await refusal(engine, 'fake.resume', ['n2'])).toBe('planned');
    expect(said(engine)).toMatch(/was not read/);
  });

  it('is one constant script each, whatever stands in the log', async () => {
    await run(acting().engine, ['n1']);
    const [read, write] = [scripts[0], scripts.at(-1)];
    expect(read).toMatch(/^set -- [^\n]+\.head'\ntest -e [^']+$/);
    expect(write).toMatch(/^set -- [^\n]* '\d{12} [0-9a-f]{64} \d{13}' '\{[^\n]*\}'\n/);
  });
});

/** Nobody else's link is followed: the copy is put in place by `mv`, which replaces a link and not what it points at. */
it('replaces a link in its place', async () => {
  await run(acting().engine, ['n1']);
  const at = join(dir, 'audit-heads', copies()[0] ?? '');
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'mine');
  chmodSync(victim, 0o600);
  rmSync(at);
  symlinkSync(victim, at);
  await run(acting().engine, ['n2']);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(copy()).toMatch(/^000000000004 /);
});
