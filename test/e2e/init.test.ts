import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { start, type Session } from './driver.ts';

let demo: Demo;
let session: Session | undefined;

beforeAll(async () => {
  demo = await startDemo({ incident: 'quiet', nodes: 8, log: () => {} });
});
afterEach(async () => {
  await session?.close();
  session = undefined;
});
afterAll(() => demo.close());

/** `faultline init` in a terminal of a person whose home has no site file. */
const init = (config: string, ...words: readonly string[]): Session => {
  session = start(['init', ...words, '--ssh-config', join(demo.folder, 'ssh_config')], {
    env: { XDG_CONFIG_HOME: config },
    rows: 120,
  });
  return session;
};

test('asks, is answered yes and no, writes what it knows, and the console opens on it without a word more', async () => {
  const config = emptyFolder('e2e');
  const place = join(config, 'faultline/site.yaml');
  const own = init(config, 'ctl1');
  await own.until('It would ask 1 host over SSH');
  await own.until('Ask them? [y/N]');
  expect(own.screen()).toMatch(/ctl1 +named on the command line/);
  expect(own.screen()).toContain('scontrol show config');
  expect((await demo.calls()).filter(({ host }) => host === 'ctl1')).toEqual([]);
  own.write('y\r');
  await own.until(/node\[1-8\] +Slurm node[\s\S]*Ask them\?/);
  expect(existsSync(place)).toBe(false);
  own.write('no\r');
  const text = await own.ended();
  expect(text).toContain(`written: ${place}`);
  expect(text).toContain('nothing to mend');
  expect(text).toContain('not looked at, as there was no yes: node[1-8]');
  expect((await demo.calls()).filter(({ host }) => host.startsWith('node'))).toEqual([]);
  expect(text).toMatch(/Next: faultline\r?\n/);
  expect(text).toMatch(/exit 0\r?\n/);
  expect(readFileSync(place, 'utf8')).toContain('# not asked, as there was no yes: node[1-8]');
  await own.close();

  session = start([], { env: { XDG_CONFIG_HOME: config } });
  await session.until(/8 nodes|nodes? in|all fine|nothing/i);
  expect(session.onAlternateScreen()).toBe(true);
});

test('Ctrl-C leaves nothing behind', async () => {
  const config = emptyFolder('e2e');
  const own = init(config, 'ctl1');
  await own.until('Ask them? [y/N]');
  // As from the key, but to the program alone: the shell around it goes on and tells how it ended.
  process.kill(own.pid(), 'SIGINT');
  const text = await own.ended();
  expect(text).toContain('interrupted: nothing was written');
  expect(text).toMatch(/exit 130\r?\n/);
  expect(readdirSync(config)).toEqual([]);
});

test('the end of the input is no yes', async () => {
  const config = emptyFolder('e2e');
  const own = init(config, 'ctl1');
  await own.until('Ask them? [y/N]');
  own.write('\u0004');
  const text = await own.ended();
  expect(text).toContain('nothing was written');
  expect(text).toMatch(/exit 1\r?\n/);
  expect(readdirSync(config)).toEqual([]);
});

test('the very first start says how to begin, and asks for a host that knows the cluster', async () => {
  session = start([], { env: { XDG_CONFIG_HOME: emptyFolder('e2e') } });
  await session.until('Which host knows your cluster');
  expect(session.screen()).toContain('faultline init ctl1');
  expect(session.screen()).toContain('faultline demo');
  session.write('\r');
  expect(await session.ended()).toMatch(/exit 0\r?\n/);
});
