import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { isRestored, start, type Session } from './driver.ts';

let session: Session | undefined;
let demo: Demo | undefined;
afterEach(async () => {
  await session?.close();
  await demo?.close();
  session = undefined;
  demo = undefined;
});

test('a controller that stops answering: said since when, the rows stay and are marked, nothing looks healthy', async () => {
  demo = await startDemo({ incident: 'hdfs-lost', log: () => {} });
  session = start(['--site', demo.siteFile, '--read-only']);
  await session.until('17 of 18 pass it now');
  await session.keys('1', 'Enter');
  await demo.fault('ctl1', 'off');
  await session.until(/shown rows are from \d\d:\d\d:\d\d/);
  await session.until('⏸ node12');
  expect(session.screen()).not.toContain('no nodes out of service');
  expect(session.screen()).not.toContain('all fine');
  await demo.fault('ctl1', 'fine');
  await session.until((screen) => !screen.includes('shown rows are from'));
});

test('a site file that is wrong is said on the ordinary screen: exit 78', async () => {
  const folder = emptyFolder('e2e');
  const file = join(folder, 'site.yaml');
  writeFileSync(file, 'site: x\nhosts:\n  - {names: a, roles: [slurm-controler]}\n');
  session = start(['--site', file]);
  expect(await session.ended()).toMatch(/exit 78\r?\n/);
  expect(isRestored(session)).toBe(true);
  expect(session.output()).not.toContain('\u001B[?1049h');
  expect(session.screen()).toContain('slurm-controller');
});

test('without a site file it says how to make one, names the demo and asks for a host; Enter leaves: exit 0', async () => {
  session = start([], { env: { HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' } });
  await session.until('or Enter to leave');
  await session.keys('Enter');
  expect(await session.ended()).toMatch(/exit 0\r?\n/);
  expect(session.screen()).toContain('faultline demo');
});
