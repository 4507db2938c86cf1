import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start, type Session } from './driver.ts';

const drained = '17 of 18 pass it now';

/** The bytes that went to the clipboard last. */
const copied = (session: Session): string => {
  const parts = session.output().split('\u001B]52;c;');
  return Buffer.from((parts.at(-1) ?? '').split('\u0007')[0] ?? '', 'base64').toString();
};

describe('the night’s tools on the demo site', () => {
  let session: Session;
  beforeAll(async () => {
    session = start(['demo', '--incident', 'hdfs-lost'], { columns: 200, rows: 50 });
    await session.until(drained);
  });
  afterAll(() => session.close());

  test('A acknowledges: why and for how long are asked, the strip counts it; A again takes it back', async () => {
    await session.keys('0', 'g', 'A');
    await session.until('why it may wait');
    await session.keys('Enter', 'Enter');
    expect(session.screen()).toContain('why it may wait: required');
    await session.type('mount is being repaired');
    await session.keys('Enter');
    await session.type('x');
    await session.keys('Enter');
    await session.until('is not a time of 1 min or more');
    await session.keys('Backspace', 'Enter');
    await session.until('written to the shared folder');
    await session.until(/1 acked/);
    await session.until(/· acked by \S+ until .*mount is being repaired/);
    await session.keys('0', 'G');
    await session.keys('/');
    await session.type('HDFS');
    await session.keys('Enter', 'A');
    await session.until('Take the acknowledgement back');
    await session.keys('Enter');
    await session.until((screen) => !screen.includes('1 acked'));
    await session.keys('/', 'Esc', 'g');
  });

  test('N notes on a row: the row is marked, its details show it', async () => {
    await session.keys('0', 'g', 'N');
    await session.until('the note');
    await session.type('called the vendor');
    await session.keys('Enter', 'Enter');
    await session.until('written to the shared folder');
    await session.until(/^>!\+/m);
    await session.keys('Enter');
    await session.until(/called the vendor/);
    await session.keys('Esc');
  });

  test('C shows what changed, notes among it', async () => {
    await session.keys('C');
    await session.until('newest first');
    expect(session.screen()).toMatch(/\d\d:\d\d:\d\d +note .*called the vendor/);
    expect(session.screen()).toMatch(/ack .*mount is being repaired/);
    await session.keys('Esc');
  });

  test('a host has its page, with its kernel on demand', async () => {
    await session.keys(':');
    await session.type('host node31');
    await session.keys('Enter');
    await session.until('not asked yet: asked on demand only');
    await session.keys('K');
    await session.until(/kernel 6\.1\.0-18-amd64, up \d+ d/);
    await session.keys('Esc');
  });

  test(':user leads to nodes', async () => {
    await session.keys(':');
    await session.type('user nobody-here');
    await session.keys('Enter');
    await session.until(/nobody-here runs on none|which jobs run where is not known/);
    await session.keys('Esc');
  });

  test('w watches a pane, and once more ends it', async () => {
    await session.keys('1', 'w');
    await session.until(/watching Slurm until .*\d\d:\d\d/);
    await session.keys('w');
    await session.until('Slurm is no longer watched');
    await session.keys('0');
  });

  test('Y puts the finding on the clipboard and into a file', async () => {
    await session.keys('g', 'Y');
    await session.until('and written to');
    const text = copied(session);
    expect(text).toMatch(/^## `node\[12-28,31\] drained by the health check/);
    expect(text).toContain('called the vendor');
    expect(text).toMatch(/### `slurm\.\S+` on `ctl1`/);
    const site = readdirSync(join(session.state, 'faultline'))[0] ?? '';
    const folder = join(session.state, 'faultline', site, 'tickets');
    const [file = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
  });

  test('! shows the host, opens a shell there, writes so, and reads the host again', async () => {
    await session.keys('1', '/');
    await session.type('node140');
    await session.keys('Enter', '!');
    await session.until('ssh node140');
    await session.keys('Enter');
    await session.until('demo@node140', 15_000);
    await session.idle();
    session.write('exit\r');
    await session.until(/back from node140: asked \d+ of its sources again/, 15_000);
    expect(session.onAlternateScreen()).toBe(true);
    await session.keys('L');
    await session.until(/shell opened +node140/, 8_000);
    await session.keys('Esc', '/', 'Esc', '0');
  });
});
