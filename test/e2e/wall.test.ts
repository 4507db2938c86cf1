import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startDemo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { isRestored, start, type Session } from './driver.ts';

let session: Session;
afterEach(() => session.close());

test('the wall shows the truth, beats, and ignores every key but Ctrl-C; nothing on the site changes', async () => {
  // The site lives here, so that its hosts can be asked afterwards what they were told.
  const demo = await startDemo({ incident: 'hdfs-lost', log: () => {} });
  session = start(['wall', '--site', demo.siteFile], { columns: 110, rows: 34 });
  await session.until('17 of 18 pass it now');
  await session.until('drained by alice');
  // All but the clock and the age of the data, which go on.
  const picture = (): string =>
    session
      .lines()
      .slice(2)
      .filter((line) => !line.includes('oldest reading'))
      .join('\n');
  const before = picture();
  for (let code = 1; code < 128; code++) if (code !== 3) session.write(String.fromCharCode(code));
  session.write('\u001B[A\u001B[B\u001B[200~resume\u001B[201~');
  const beat = session.lines()[1];
  await session.until((screen) => screen.split('\n')[1] !== beat);
  expect(picture()).toBe(before);
  const calls = await demo.calls();
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.filter((call) => call.mutated)).toEqual([]);
  session.write('\u0003');
  expect(await session.ended()).toMatch(/exit 130\r?\n/);
  expect(isRestored(session)).toBe(true);
  await demo.close();
});

test('the wall needs no keyboard', async () => {
  const folder = emptyFolder('e2e');
  writeFileSync(join(folder, 'empty'), '');
  session = start(['wall', '--demo', '--incident', 'quiet'], {
    columns: 100,
    rows: 30,
    stdin: join(folder, 'empty'),
  });
  await session.until(/all fine since/);
  expect(readdirSync(session.state)).toEqual([]);
  process.kill(session.pid(), 'SIGTERM');
  expect(await session.ended()).toMatch(/exit 143\r?\n/);
});
