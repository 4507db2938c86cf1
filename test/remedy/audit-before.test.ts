import { spawn } from 'node:child_process';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readAuditFile } from '../../src/audit/audit-read.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { refusal, run } from './acting.ts';
import { leaveOpen, sealLog } from './sealing.ts';
import { createWorld, operator, realTime, self, type World } from './world.ts';

let world: World;
let file: string;
beforeEach(() => {
  world = createWorld(6);
  file = join(world.folder, 'audit.jsonl');
});

const seal = () => sealLog(file);

const fresh = (): World => createWorld(6, world.folder);

describe('a log of the version before', () => {
  /** As that version leaves it: a head of one line, no second copy. */
  const asBefore = (): void => {
    const head = readFileSync(`${file}.head`, 'latin1').split('\n')[0];
    writeFileSync(`${file}.head`, `${head}\n`);
    rmSync(join(world.folder, 'begun.jsonl'));
  };

  it('is accepted, once, with what is open in it', async () => {
    await leaveOpen(world);
    asBefore();
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    expect(await refusal(world.engine(), 'fake.resume', ['n3'])).toMatch(/^10 unknown/);
    expect(readFileSync(`${file}.head`, 'latin1')).toMatch(/^\d{12} [0-9a-f]{64}\n\d{12} [0-9a-f]{64}\n$/);
    truncateSync(file);
    expect(await seal()).toMatchObject({ open: ['fake.resume on n3'] });
  });

  it.each([
    ['made and never written: both files empty', '', ''],
    ['killed while it made them: no head yet', '', undefined],
  ])('%s', async (_, log, head) => {
    writeFileSync(file, log);
    if (head !== undefined) writeFileSync(`${file}.head`, head);
    writeFileSync(`${file}.lock`, '');
    expect((await run(world.engine(), ['n1'])).state).toBe('done');
  });

  it('killed between its first record and the head of it', async () => {
    await world.parts.audit.append({ kind: 'note', detail: {} });
    rmSync(join(world.folder, 'begun.jsonl'));
    truncateSync(`${file}.head`);
    expect((await run(world.engine(), ['n1'])).state).toBe('done');
    expect((await readAuditFile(file)).problems).toEqual([]);
  });

  it.each([
    [
      'a bit of it changed',
      () => writeFileSync(file, readFileSync(file, 'latin1').replace('alice', 'alicf')),
    ],
    ['its head gone', () => rmSync(`${file}.head`)],
    ['it was emptied', () => truncateSync(file)],
    ['it is gone', () => rmSync(file)],
    ['its last line is gone', () => writeFileSync(file, `${readFileSync(file, 'latin1').split('\n')[0]}\n`)],
  ])('is refused when %s', async (_, change) => {
    await run(world.engine(), ['n1']);
    asBefore();
    change();
    expect(await refusal(fresh().engine(), 'fake.resume', ['n5'])).toMatch(
      /^14 audit: the audit log is damaged/,
    );
  });

  it('a console of it that still runs may go on writing: its head leaves the second line behind', async () => {
    await run(world.engine(), ['n1']);
    const point = readFileSync(`${file}.head`, 'latin1').split('\n')[1];
    await run(world.engine(), ['n2']);
    const line = readFileSync(`${file}.head`, 'latin1').split('\n')[0];
    writeFileSync(`${file}.head`, `${line}\n${point}\n`);
    expect((await run(fresh().engine(), ['n4'])).state).toBe('done');
  });
});

describe('a folder where nothing was begun', () => {
  it('gets a new log, also when only history and events lie there', async () => {
    for (const name of ['history.db', 'events.jsonl']) writeFileSync(join(world.folder, name), '');
    expect((await run(world.engine(), ['n1'])).state).toBe('done');
  });

  it.each(['the head', 'the head and the lock'])(
    'is still new when it was left with %s alone',
    async (what) => {
      const audit = createAuditLog({ file, site: 'test', operator, console: self, clock: realTime });
      expect(await audit.check()).toBeUndefined();
      rmSync(join(dirname(file), 'begun.jsonl'));
      if (what === 'the head') rmSync(`${file}.lock`);
      expect((await run(fresh().engine(), ['n1'])).state).toBe('done');
    },
  );

  it('a head that names nothing yet is no excuse once it was written', async () => {
    await run(world.engine(), ['n1']);
    rmSync(file);
    writeFileSync(`${file}.head`, '');
    expect(await refusal(fresh().engine(), 'fake.resume', ['n5'])).toMatch(/^14 audit/);
  });
});

it('a process that is killed while it writes leaves nothing that must be sealed, in a new folder and in an old one', async () => {
  const child = new URL('./audit-child.ts', import.meta.url).pathname;
  for (const ms of [0, 150, 250, 350, 450]) {
    const writing = spawn(process.execPath, [child, file, '2000'], { stdio: 'ignore' });
    await new Promise((resolve) => setTimeout(resolve, ms));
    writing.kill('SIGKILL');
    await new Promise((resolve) => writing.on('exit', resolve));
    expect(await fresh().parts.audit.check()).toBeUndefined();
  }
});
