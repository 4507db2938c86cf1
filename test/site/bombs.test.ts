import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { emptyFolder } from '../helpers/folder.ts';

/**
 * The program ends its reading by the clock, and begins anew where it had less than half a core: with less core time than the first of
 * these, s, or more than the second, something else had the machine for a while.
 */
const STARVED = 3;
const BEGUN_ANEW = 10;

/** Opens a site file in a process of its own, as often as it was starved of its core; says what the user would read. */
const load = (text: string): string => {
  const folder = emptyFolder('bombs');
  const file = join(folder, 'site.yaml');
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  for (let tries = 1; ; tries++) {
    const { said, seconds } = loadOnce(file, folder);
    const isStarved =
      said.includes('could not be read within') && (seconds < STARVED || seconds >= BEGUN_ANEW);
    if (!isStarved || tries === 20)
      return `${said.replaceAll(file, 'site.yaml')}\n${seconds < BEGUN_ANEW ? 'in time' : 'too late'}\n`;
  }
};

/** Ended by the core time that it takes, never by the clock: other work on the machine says nothing of it. */
const loadOnce = (file: string, folder: string): { said: string; seconds: number } => {
  const script = `
    import { openSite } from '${process.cwd()}/src/commands/open-site.ts';
    const began = process.cpuUsage();
    const said = await openSite({ site: ${JSON.stringify(file)} }, { env: process.env }).then(() => 'loaded', (error) => error.lines?.join('\\n') ?? 'no site error: ' + error.stack);
    const { user, system } = process.cpuUsage(began);
    console.log(JSON.stringify({ said: said.slice(0, 20_000), seconds: (user + system) / 1e6 }));`;
  const hooks = join(process.cwd(), 'scripts/shell-hooks.ts');
  const argv = [process.execPath, '--import', hooks, '--input-type=module', '--eval', script];
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: folder };
  const { stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -t 60; exec "$@"', 'sh', ...argv], {
    encoding: 'utf8',
    env,
  });
  if (!stdout.startsWith('{')) return { said: `ended at its limit: ${stdout}${stderr}`, seconds: 60 };
  return z.object({ said: z.string(), seconds: z.number() }).parse(JSON.parse(stdout));
};

const times = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

const hosts = (names: string): string => `hosts:\n  - names: "${names}"\n    roles: []\n`;

const bombs: Readonly<Record<string, readonly [text: string, says: string]>> = {
  'millions of names': [hosts('n[1-9999999]'), 'stands for more than 100000 names'],
  'millions of names by products': [hosts('a[1-999]b[1-999]c[1-999]'), 'stands for more than 100000 names'],
  'millions of names in many entries': [
    `hosts:\n${times(60, (at) => `  - names: "a${at}x[1-99999]"\n    roles: []\n`)}`,
    'with this entry the file names more than 100000 hosts',
  ],
  'millions of names that are none': [
    `hosts:\n${times(60, () => '  - names: "-ax[1-99999]"\n    roles: []\n')}`,
    'with this entry the file names more than 100000 hosts',
  ],
  'deep lists': [`hosts: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`, 'not valid YAML'],
  'deep maps': [`hosts: ${'{a: '.repeat(50_000)}1${'}'.repeat(50_000)}\n`, 'not valid YAML'],
  'aliases of aliases': [
    `a: &a0 [x,x,x,x,x,x,x,x,x]\n${times(12, (at) => `b${at}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(',')}]\n`)}`,
    'Excessive alias count',
  ],
  'a hundred thousand keys': [times(100_000, (at) => `k${at}: 1\n`), 'could not be read within 4 s'],
};

describe('a site file that would take for ever ends in an error', () => {
  it.each(Object.entries(bombs))('%s', { timeout: 900_000 }, (_, [text, says]) => {
    const said = load(`site: x\n${text}`);
    expect(said).toContain(says);
    expect(said).toMatch(/^site\.yaml[:0-9]*: /);
    expect(said).toMatch(/\nin time\n$/);
  });

  it.each([
    ['10,000 hosts by one expression', hosts('n[00001-10000]')],
    [
      '2,000 hosts in entries of their own',
      `hosts:\n${times(2000, (at) => `  - names: n${at}\n    roles: []\n`)}`,
    ],
  ])('%s are loaded', { timeout: 900_000 }, (_, text) =>
    expect(load(`site: x\n${text}`)).toMatch(/^loaded\nin time\n$/),
  );
});
