import { readFile } from 'node:fs/promises';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { confirmPlan } from './confirm.ts';
import { start, type Session } from './driver.ts';

let session: Session;
afterEach(() => session.close());

test('stuck-lock: the finding names holder and cause, two keys reach the first rung, its confirmation frees the lock', async () => {
  session = start(['demo', '--incident', 'stuck-lock'], { columns: 200, rows: 50 });
  await session.until(
    /> *✖ gluster +home0: stale lock of gl1 on gl3 since \d\d:\d\d; any volume command on gl1 clears it/,
  );
  await session.until(/home0 +gl1 on gl3, 6 min, orphan .*3\/3/);
  await session.keys('a');
  await session.until('> free the lock');
  expect(session.screen()).toContain('this version has no timer that ends a lock');
  await session.keys('Right');
  await session.until('no glusterd is stopped');
  await session.keys('Enter');
  await session.until('Free the lock of home0');
  expect(session.screen()).toContain(
    "sh -c 'gluster volume statedump home0 || gluster volume statedump home0'",
  );
  expect(session.screen()).toContain('gl1 itself does not hold it any more');
  await confirmPlan(session, 'home0');
  await session.until('home0 is free on gl3');
  await session.keys('Esc');
  await session.until((screen) => !/✖ gluster +home0: stale lock/.test(screen) && /home0 +free/.test(screen));
  const [file = ''] = await Array.fromAsync(glob(join(session.state, '**/audit*.jsonl')));
  const records = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; action?: string; target?: string; outcome?: string });
  expect(records.filter(({ kind }) => kind !== 'note')).toMatchObject([
    { kind: 'intent', action: 'gluster.free-lock' },
    { kind: 'result', action: 'gluster.free-lock', outcome: 'done' },
  ]);
});
