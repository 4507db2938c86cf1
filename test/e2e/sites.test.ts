import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { leave } from './confirm.ts';
import { isRestored, start, type Session } from './driver.ts';

let demos: readonly [Demo, Demo];
let session: Session | undefined;

beforeAll(async () => {
  demos = await Promise.all([
    startDemo({ incident: 'hdfs-lost', nodes: 32, log: () => {} }),
    startDemo({ incident: 'quiet', nodes: 8, log: () => {} }),
  ]);
});
afterEach(async () => {
  await session?.close();
  session = undefined;
});
afterAll(async () => {
  for (const demo of demos) await demo.close();
});

/** A configuration folder with two sites, and one whose file is wrong. */
const configFolder = (): string => {
  const config = emptyFolder('e2e');
  const sites = join(config, 'faultline/sites');
  mkdirSync(sites, { recursive: true });
  for (const [index, name] of ['north', 'south'].entries()) {
    const text = readFileSync(demos[index]?.siteFile ?? '', 'utf8').replace(/^site: .*$/m, `site: ${name}`);
    writeFileSync(join(sites, `${name}.yaml`), text, { mode: 0o600 });
  }
  writeFileSync(join(sites, 'wrong.yaml'), 'site: wrong\nhotss: []\n', { mode: 0o600 });
  return config;
};

const goTo = async (name: string): Promise<void> => {
  await session?.keys(':');
  // At once: key by key a busy board is waited for each time.
  session?.write(`site ${name}`);
  await session?.until(`:site ${name}_`);
  await session?.keys('Enter');
};

const onSite = (name: string): Promise<void> | undefined =>
  session?.until((screen) => screen.split('\n')[0]?.includes(name) === true);

test(':site goes on with another site of the folder and back; one that is wrong leaves it where it was', async () => {
  session = start(['--site', 'north', '--read-only'], { env: { XDG_CONFIG_HOME: configFolder() } });
  await session.until('17 of 18 pass it now');
  await goTo('south');
  await onSite('south');
  await session.until(/1 Slurm ─+ 8 nodes/);
  expect(session.lines()[0]).not.toContain('north');
  expect(session.screen()).toContain('read-only');

  await goTo('-');
  await onSite('north');
  await goTo('wrong');
  await session.until(/not on wrong: 2 mistakes \(:log\), first .*wrong\.yaml:1:1: hosts is missing/);
  await onSite('north');
  expect(await leave(session)).toMatch(/exit 0\r?\n/);
  expect(isRestored(session)).toBe(true);
}, 600_000);

test('a wall of several sites has a line for each; one that is wrong is told in its own', async () => {
  const names = ['north', 'south', 'wrong'].flatMap((name) => ['--site', name]);
  session = start(['wall', ...names], { env: { XDG_CONFIG_HOME: configFolder() }, columns: 120, rows: 24 });
  await session.until(/^ {2}north +\d+ (?:CRITICAL|WARNINGS?) +.*17 of 18 pass it now/m);
  await session.until(/^ {2}south +ALL FINE/m);
  await session.until(/^ {2}wrong +NOT KNOWN +.*hosts is missing/m);
  expect(session.screen()).toContain('3 sites: ');
  for (const demo of demos)
    expect((await demo.calls()).filter((call) => call.mutated && call.host.startsWith('node'))).toEqual([]);
  session.write('\u0003');
  expect(await session.ended()).toMatch(/exit 130\r?\n/);
  expect(isRestored(session)).toBe(true);
});

test('a wall of sites of which none can be used says why, and draws nothing', async () => {
  session = start(['wall', '--site', 'wrong', '--site', 'wrong'], {
    env: { XDG_CONFIG_HOME: configFolder() },
  });
  const text = await session.ended();
  expect(text).toContain('hosts is missing');
  expect(text).toMatch(/exit 78\r?\n/);
});
