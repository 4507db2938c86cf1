import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { startSite, type DemoSite } from '../../src/demo/site.ts';
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

/** The demo's site with one Lustre server that gives an answer at which no reader ends, until it is healed. */
const poisoned = async (): Promise<{ siteFile: string; heal(): void }> => {
  const now = { isPoisoned: true };
  const simulators = spoiled(createSimulators(), (host, argv, text) =>
    now.isPoisoned && host === 'oss2' && argv.includes('health_check')
      ? `poisoned-answer ${String(text)}`
      : text,
  );
  site = await startSite(simulators, 'hdfs-lost');
  return { siteFile: site.siteFile, heal: () => void (now.isPoisoned = false) };
};

const open = (args: readonly string[], mode: 'ended' | 'undying'): Session =>
  start(args, {
    env: { NODE_OPTIONS: `--import ${poison}`, FAULTLINE_POISON: mode },
    columns: 200,
    rows: 50,
  });

test('an answer that no reader ends with: its host is named, the others are shown, and r asks it again at once', async () => {
  const { siteFile, heal } = await poisoned();
  session = open(['--site', siteFile, '--read-only'], 'ended');
  await session.until(/oss2[^\n]* can't be read: not done within 2 s/);
  await session.until('17 of 18 pass it now');
  heal();
  await session.type('/oss2');
  await session.keys('Enter', 'r');
  await session.until((screen) => !/oss2[^\n]*can't be read/.test(screen));
});

test('a collector that stands still is started again by itself; what it choked on rests and is named, the others are shown', async () => {
  const { siteFile } = await poisoned();
  session = open(['wall', '--site', siteFile], 'undying');
  await session.until(/oss2[^\n]*made the collector stand still/, 240_000);
  await session.until('17 of 18 pass it now');
  expect(session.screen()).not.toContain('collector stopped');
});
