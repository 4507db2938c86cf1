import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { decodeLine, sha256 } from '../../src/audit/audit-line.ts';
import { readAuditFile } from '../../src/audit/audit-read.ts';
import { card, confirm, refusal, run } from './acting.ts';
import { leaveOpen, sealLog } from './sealing.ts';
import { createWorld, node, obey, type World } from './world.ts';

let world: World;
let file: string;
beforeEach(() => {
  world = createWorld(6);
  file = join(world.folder, 'audit.jsonl');
});

const seal = (over = {}) => sealLog(file, over);

const first = () => {
  const record = decodeLine(readFileSync(file, 'latin1').split('\n')[0] ?? '');
  if (typeof record === 'string') throw new Error(record);
  return record;
};

const fresh = (): World => createWorld(6, world.folder);

describe('audit seal', () => {
  it('puts log and head away as they are, and the first record of the new log tells of it', async () => {
    await run(world.engine(), ['n1']);
    await leaveOpen(world);
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
    writeFileSync(file, bytes);
    const head = readFileSync(`${file}.head`, 'latin1');
    const sealed = await seal();
    expect(sealed).toMatchObject({
      folder: join(world.folder, 'sealed-1'),
      open: expect.arrayContaining(['fake.resume on n3']),
    });
    expect(readFileSync(join(world.folder, 'sealed-1', 'audit.jsonl'))).toEqual(bytes);
    expect(readFileSync(join(world.folder, 'sealed-1', 'audit.jsonl.head'), 'latin1')).toBe(head);
    expect(first()).toMatchObject({
      seq: 1,
      kind: 'sealed',
      operator: 'alice',
      site: 'test',
      detail: {
        reason: 'the disk was restored',
        file: 'sealed-1/audit.jsonl',
        sha256: sha256(bytes),
        bytes: bytes.length,
        records: 3,
        head,
        wrong: [{ line: 1 }, { line: 2 }],
      },
    });
    expect((await readAuditFile(file)).problems).toEqual([]);
  });

  it('leaves a log that is whole alone, unless asked to', async () => {
    await run(world.engine(), ['n1']);
    const before = readFileSync(file);
    expect(await seal()).toEqual({ whole: 2 });
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(join(world.folder, 'sealed-1'))).toBe(false);
    expect(await seal({ whole: true })).toMatchObject({ problems: [], open: [] });
    expect(first()).toMatchObject({ kind: 'sealed', detail: { wrong: [], sha256: sha256(before) } });
  });

  it('a line that a crash cut short is no reason to seal', async () => {
    await run(world.engine(), ['n1']);
    writeFileSync(file, '{"seq":3,', { flag: 'a' });
    expect(await seal()).toEqual({ whole: 2 });
    expect(await refusal(world.engine(), 'fake.resume', ['n5'])).toBe('planned');
  });

  it('writes over nothing: the next number is taken', async () => {
    await run(world.engine(), ['n1']);
    mkdirSync(join(world.folder, 'sealed-1'));
    writeFileSync(join(world.folder, 'sealed-2'), 'mine');
    rmSync(`${file}.head`);
    expect(await seal()).toMatchObject({ folder: join(world.folder, 'sealed-3') });
    expect(readFileSync(join(world.folder, 'sealed-2'), 'utf8')).toBe('mine');
  });

  it('what was done lately goes along: guard 13 counts it, and the menu undoes it', async () => {
    await run(world.engine(), ['n1']);
    rmSync(`${file}.head`);
    await seal();
    const after = fresh();
    Object.assign(after.nodes, { n1: { drained: true, reason: 'NHC: again' } });
    expect(await refusal(after.engine(), 'fake.resume', ['n1'])).toMatch(/^13 cool-down/);
    after.nodes['n1'] = { drained: false, reason: '' };
    const [, , undo] = await after.engine().menu([node('n1')]);
    expect(undo).toMatchObject({ title: 'undo "resume n1"', available: true });
  });

  it('what is open goes along from seal to seal, also when the new log is lost at once', async () => {
    await leaveOpen(world);
    truncateSync(file);
    expect(await seal()).toMatchObject({ open: ['fake.resume on n3'] });
    rmSync(file);
    rmSync(`${file}.head`);
    expect(await seal()).toMatchObject({ open: ['fake.resume on n3'] });
    expect(await seal({ whole: true })).toMatchObject({ open: ['fake.resume on n3'] });
    const after = fresh();
    after.nodes['n3'] = { drained: false, reason: '' };
    const views = await after.engine().recover();
    expect(views).toMatchObject([{ state: 'done', targets: [{ id: 'n3' }] }]);
    expect(await fresh().engine().recover()).toEqual([]);
    expect((await readAuditFile(file)).records.map(({ kind }) => kind)).toEqual(['sealed', 'recovered']);
    rmSync(`${file}.head`);
    expect(await seal()).toMatchObject({ open: [] });
  });

  it('a seal that was cut short is gone through again, with all that the log held', async () => {
    await leaveOpen(world);
    rmSync(join(world.folder, 'begun.jsonl'));
    mkdirSync(join(world.folder, 'sealed-1'));
    for (const name of ['audit.jsonl', 'audit.jsonl.head'])
      renameSync(join(world.folder, name), join(world.folder, 'sealed-1', name));
    expect(await refusal(fresh().engine(), 'fake.resume', ['n5'])).toMatch(
      /^14 audit: .*the log and its head are gone.*sealed-1/,
    );
    expect(await seal()).toMatchObject({ open: ['fake.resume on n3'] });
    expect(await refusal(fresh().engine(), 'fake.resume', ['n5'])).toBe('planned');
  });

  it('a console that runs meanwhile goes on in the new log: what it has in hand gets its result there', async () => {
    const engine = world.engine();
    let sealing: Promise<unknown> = Promise.resolve();
    world.act = async (script) => {
      sealing = seal({ whole: true });
      await sealing;
      return obey(world.nodes, script);
    };
    expect((await run(engine, ['n1'])).state).toBe('done');
    const { records, problems } = await readAuditFile(file);
    expect(problems).toEqual([]);
    expect(records.map(({ kind }) => kind)).toEqual(['sealed', 'result']);
    expect(records[0]?.detail['carried']).toMatchObject([{ kind: 'intent', target: 'n1' }]);
    expect(await fresh().engine().recover()).toEqual([]);
  });

  it('the menu of a running console says why nothing can be done, and offers it again after the seal', async () => {
    const engine = world.engine();
    await run(engine, ['n1']);
    truncateSync(file);
    const entry = async () => (await engine.menu([node('n5')]))[0];
    expect(await entry()).toMatchObject({
      available: false,
      text: expect.stringMatching(/^actions off: .*the log is empty/),
    });
    await seal();
    expect(await entry()).toMatchObject({ available: true });
    expect(engine.badges().join()).not.toContain('actions off');
  });

  it('a plan of before is refused when the log was replaced before it was confirmed', async () => {
    const engine = world.engine();
    await run(engine, ['n1']);
    const { id } = await card(engine, 'fake.resume', ['n5']);
    truncateSync(file);
    await expect(confirm(engine, id, 'y')).rejects.toThrow(/^14 audit: .*the log is empty/);
    expect(world.sent).toHaveLength(1);
  });

  it('a console notices a log that is whole and not the one that it read', async () => {
    const engine = world.engine();
    await run(engine, ['n1']);
    const other = createWorld(3);
    await run(other.engine(), ['n2']);
    for (const name of ['audit.jsonl', 'audit.jsonl.head', 'begun.jsonl'])
      writeFileSync(join(world.folder, name), readFileSync(join(other.folder, name)));
    expect(await refusal(engine, 'fake.resume', ['n5'])).toMatch(
      /^14 audit: .*what this console read or wrote before is no longer in it/,
    );
    expect(await refusal(fresh().engine(), 'fake.resume', ['n5'])).toBe('planned');
  });

  it('of two processes that seal at once one does; records of others are all in one log or the other', async () => {
    await run(world.engine(), ['n1']);
    rmSync(`${file}.head`);
    const both = await Promise.all([seal(), seal()]);
    expect(both.map((one) => 'whole' in one).sort()).toEqual([false, true]);
    const child = new URL('./audit-child.ts', import.meta.url).pathname;
    const writing = promisify(execFile)(process.execPath, [child, file, '30']);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await seal({ whole: true });
    await writing;
    const now = await readAuditFile(file);
    const before = await readAuditFile(join(world.folder, 'sealed-2', 'audit.jsonl'));
    expect([now.problems, before.problems]).toEqual([[], []]);
    const notes = [...before.records, ...now.records].filter(({ kind }) => kind === 'note');
    expect(notes.map(({ detail }) => detail['at'])).toEqual(Array.from({ length: 30 }, (_, at) => at));
  });
});
