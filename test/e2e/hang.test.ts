import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { startSite, type DemoSite } from '../../src/demo/site.ts';
import type { SimulatedCall } from '../../src/model/simulator.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { spoiled } from '../helpers/spoiled.ts';
import { start, type Session } from './driver.ts';

const poison = pathToFileURL(join(import.meta.dirname, 'poison.ts')).href;

let session: Session | undefined;
let site: DemoSite | undefined;
afterEach(async () => {
  await session?.close();
  await site?.close();
  session = undefined;
  site = undefined;
});

/** On a busy machine the two hundred servers of the site can't all be reached at first, and are tried again later and later. */
const BUSY_MS = 240_000;
const timeout = 3 * BUSY_MS;

/** The demo's site with one host that prints an answer at which no reader ends to this command, until it is healed. */
const poisoned = async (sick: string, word: string): Promise<{ siteFile: string; heal(): void }> => {
  const now = { isPoisoned: true };
  const isSick = (host: string, argv: readonly string[]): boolean =>
    now.isPoisoned && host === sick && argv.includes(word);
  const simulators = spoiled(createSimulators(), (_host, _argv, text) => text).map((simulator) => ({
    ...simulator,
    call: (call: SimulatedCall) =>
      isSick(call.host, call.argv) ? { stdout: 'poisoned-answer\n' } : simulator.call(call),
  }));
  site = await startSite(simulators, 'hdfs-lost');
  return { siteFile: site.siteFile, heal: () => void (now.isPoisoned = false) };
};

const open = (args: readonly string[], mode: 'ended' | 'undying'): Session =>
  start(args, {
    env: { NODE_OPTIONS: `--import ${poison}`, FAULTLINE_POISON: mode },
    columns: 200,
    rows: 50,
  });

test(
  'an answer that no reader ends with: its host is named, the others are shown, and r asks it again at once',
  { timeout },
  async () => {
    const { siteFile, heal } = await poisoned('oss2', 'health_check');
    session = open(['--site', siteFile, '--read-only'], 'ended');
    await session.until(/oss2[^\n]* can't be read: not done within 2 s/, BUSY_MS);
    await session.until('17 of 18 pass it now', BUSY_MS);
    heal();
    await session.type('/oss2');
    await session.keys('Enter', 'r');
    await session.until((screen) => !/oss2[^\n]*can't be read/.test(screen), BUSY_MS);
  },
);

test('what is asked on demand alone, and chokes: r asks it again at once', { timeout }, async () => {
  const { siteFile, heal } = await poisoned('node31', 'dmesg');
  const at = (session = open(['--site', siteFile, '--read-only'], 'ended'));
  const openPage = async (): Promise<void> => {
    await at.keys(':');
    await at.type('host node31');
    await at.keys('Enter');
    await at.until('Kernel errors');
  };
  /** Until the page says so: on a busy machine its host can't be reached at first, and a page holds what was known when it was opened. */
  const untilPage = async (shows: RegExp, again: () => Promise<void>): Promise<void> => {
    for (let tries = 0; tries < 100 && !shows.test(at.screen()); tries += 1) {
      await again();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    expect(at.screen()).toMatch(shows);
  };
  await at.until(/ 1 Slurm /);
  await openPage();
  expect(at.screen()).toContain('asked on demand only');
  await untilPage(/can't be read: not done within 2 s/, () => at.keys('K'));
  heal();
  await at.keys('Esc', 'r');
  await at.until(/asked \d+ sources again/);
  await untilPage(/kernel 6\.1\.0-18-amd64, up \d+ d/, async () => {
    await at.keys('Esc');
    await openPage();
  });
  expect(at.screen()).not.toContain("can't be read");
});

test(
  'a collector that stands still is started again by itself; what it choked on rests and is named, the others are shown',
  { timeout },
  async () => {
    const { siteFile } = await poisoned('oss2', 'health_check');
    session = open(['wall', '--site', siteFile], 'undying');
    await session.until(/oss2[^\n]*made the collector stand still/, BUSY_MS);
    await session.until('17 of 18 pass it now', BUSY_MS);
    expect(session.screen()).not.toContain('collector stopped');
  },
);
