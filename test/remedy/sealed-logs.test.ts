import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readAuditFile } from '../../src/audit/audit-read.ts';
import { sealedLogs } from '../../src/audit/sealed-logs.ts';
import { run } from './acting.ts';
import { sealLog } from './sealing.ts';
import { createWorld, type World } from './world.ts';

let world: World;
let file: string;
beforeEach(() => {
  world = createWorld(6);
  file = join(world.folder, 'audit.jsonl');
});

const seal = (over = {}) => sealLog(file, over);

describe('sealed logs', () => {
  it('are told of: as they were, changed since, gone, and named by no seal', async () => {
    await run(world.engine(), ['n1']);
    for (const one of [1, 2]) {
      rmSync(`${file}.head`);
      await seal({ reason: `reason ${one}` });
    }
    mkdirSync(join(world.folder, 'sealed-9'));
    const told = async () => sealedLogs(file, (await readAuditFile(file)).records);
    expect(await told()).toMatchObject([
      {
        file: join(world.folder, 'sealed-2/audit.jsonl'),
        changed: false,
        text: expect.stringMatching(/by alice: reason 2; it is as it was/),
      },
      { file: join(world.folder, 'sealed-1/audit.jsonl'), changed: false },
      {
        file: join(world.folder, 'sealed-9/audit.jsonl'),
        changed: false,
        text: expect.stringContaining('not in a log'),
      },
    ]);
    writeFileSync(join(world.folder, 'sealed-1/audit.jsonl'), 'x');
    rmSync(join(world.folder, 'sealed-2'), { recursive: true });
    expect(await told()).toMatchObject([
      { changed: true, text: expect.stringContaining('it is gone') },
      { changed: false },
      { changed: false },
    ]);
  });
});
