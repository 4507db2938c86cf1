import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readTasks } from '../../probes/lustre/ask/probe-tasks.ts';
import type { TaskKind } from '../../probes/lustre/readings-tasks.ts';
import { cancelStep, startStep } from '../../probes/lustre/act/task-script.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { answerOf } from '../helpers/answer.ts';
import { siteOf } from '../helpers/judging.ts';
import type { Step } from '../../src/model/action.ts';

const site = siteOf([]);
let root: string;
let tasks: string;
let mount: string;

/** Stand-ins: a file is on the OST while its name ends with `.ost7`; one named `open` is skipped. */
const tools = {
  lfs: `#!/bin/sh
if [ "$1" = fid2path ]; then echo "u1/a b"; exit 0; fi
[ -e "$2/hang" ] && sleep 60
[ -e "$2/broken" ] && { echo "lfs find: cannot open" >&2; exit 1; }
case "$*" in *--maxdepth*) exec find "$2" -maxdepth 1 -type f -name '*.ost7' -print0;; *) exec find "$2" -type f -name '*.ost7' -print0;; esac`,
  lfs_migrate: `#!/bin/sh
[ -n "$SLOW" ] && sleep "$SLOW"
xargs -0 -r -n 1 sh -c 'case $1 in */open*) echo "$1: in use, skipped" >&2;; *) mv "$1" "\${1%.ost7}.ost8" && echo "$1: done";; esac' sh`,
};

beforeEach(() => {
  root = emptyFolder('drain');
  tasks = join(root, 'faultline-tasks');
  mount = join(root, 'scratch');
  mkdirSync(join(root, 'bin'));
  for (const [name, text] of Object.entries(tools)) {
    writeFileSync(join(root, 'bin', name), text);
    chmodSync(join(root, 'bin', name), 0o755);
  }
  for (const folder of ['u1', 'u2/deep', 'u3']) mkdirSync(join(mount, folder), { recursive: true });
  for (let at = 0; at < 45; at++)
    writeFileSync(join(mount, ['u1', 'u2/deep', 'u3'][at % 3] ?? '', `f ${at}.ost7`), '');
  writeFileSync(join(mount, 'top.ost7'), '');
  writeFileSync(join(mount, "u1/it's\nodd.ost7"), '');
});

/** Runs a step as a host would, its task folder moved into the test's own. */
const run = (step: Step, env: Record<string, string> = {}): Promise<{ code: number; stderr: string }> =>
  new Promise((resolve) => {
    if (!('argv' in step)) throw new Error('a step for a device');
    const [program = '', ...words] = step.argv;
    const child = execFile(
      program,
      words,
      { env: { ...process.env, PATH: `${join(root, 'bin')}:${process.env['PATH']}`, ...env } },
      (error, _out, stderr) => resolve({ code: error ? Number(error.code) : 0, stderr }),
    );
    child.stdin?.end((step.stdin ?? '').replaceAll('/var/tmp', root));
  });

const start = (kind: TaskKind, target: string, env?: Record<string, string>) =>
  run(startStep(site, { host: 'login1', mount }, kind, target), env);

const fileOf = (kind: TaskKind, target: string): string => join(tasks, `lustre-${kind}-${target}.task`);

const state = (kind: TaskKind, target: string, now = Math.floor(Date.now() / 1000)) => {
  const file = fileOf(kind, target);
  if (!existsSync(file)) return undefined;
  const files = [file, file.replace(/task$/, 'beat')].filter((one) => existsSync(one));
  const stdout = `now=${now}\n${files.map((one) => `==> ${one} <==\n${readFileSync(one, 'utf8')}`).join('\n')}`;
  const { value, notUnderstood } = readTasks(answerOf(stdout));
  expect(notUnderstood).toBe(0);
  return value.tasks[0];
};

const ended = async (kind: TaskKind, target: string) => {
  for (let tries = 0; tries < 300; tries++) {
    const now = state(kind, target);
    if (now?.endedAt !== undefined) return now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never ended: ${JSON.stringify(state(kind, target))}`);
};

const left = (): string[] =>
  readdirSync(mount, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ost7'));

describe('the script of a drain, run by a real sh', () => {
  it('moves every file, whatever its name, and proves it with two empty lists', async () => {
    expect(await start('drain', 'scratch-OST0007')).toMatchObject({ code: 0 });
    expect(await ended('drain', 'scratch-OST0007')).toMatchObject({
      kind: 'drain',
      state: 'done',
      done: 47,
      skipped: 0,
      empty: 2,
      pass: 3,
      total: 0,
      mount,
    });
    expect(left()).toEqual([]);
  });

  it('is stuck when only skipped files remain, and keeps their names', async () => {
    writeFileSync(join(mount, 'u3/open.ost7'), '');
    await start('drain', 'scratch-OST0007');
    const end = await ended('drain', 'scratch-OST0007');
    expect(end).toMatchObject({ state: 'stuck', done: 47, total: 1 });
    expect(readFileSync(join(end.work ?? '', 'skipped.txt'), 'utf8')).toContain(
      'u3/open.ost7: in use, skipped',
    );
    expect(left()).toEqual(['u3/open.ost7']);
  });

  it('a list that failed in one directory is no proof: failed, with the reason', async () => {
    writeFileSync(join(mount, 'u2/broken'), '');
    await start('drain', 'scratch-OST0007');
    expect(await ended('drain', 'scratch-OST0007')).toMatchObject({
      state: 'failed',
      result: 'lfs find: cannot open',
      empty: 0,
    });
  });

  it('runs once: a second start is refused while it runs; cancelling ends it, a new start goes on', async () => {
    await start('drain', 'scratch-OST0007', { SLOW: '0.5' });
    expect(await start('drain', 'scratch-OST0007')).toMatchObject({ code: 4, stderr: 'it runs already\n' });
    expect(await run(cancelStep(site, 'login1', 'drain', 'scratch-OST0007'))).toMatchObject({ code: 0 });
    expect(await ended('drain', 'scratch-OST0007')).toMatchObject({ state: 'cancelled' });
    await start('drain', 'scratch-OST0007');
    expect(await ended('drain', 'scratch-OST0007')).toMatchObject({ state: 'done' });
    expect(left()).toEqual([]);
  });

  it('gives a sign of life of its own; a list counts its directories', async () => {
    await start('list', 'scratch-OST0007');
    await ended('list', 'scratch-OST0007');
    const now = state('list', 'scratch-OST0007');
    expect(now).toMatchObject({ listing: { dirs: 3, of: 3, found: 46 } });
    expect(now?.silentS).toBeLessThan(60);
  });

  it('a killed worker is seen by its silence, and a new start goes on with what is left', async () => {
    await start('drain', 'scratch-OST0007', { SLOW: '30' });
    await expect.poll(() => state('drain', 'scratch-OST0007')?.silentS).toBeDefined();
    const pid = Number(/^pid=(\d+)$/m.exec(readFileSync(fileOf('drain', 'scratch-OST0007'), 'utf8'))?.[1]);
    process.kill(-pid, 'SIGKILL');
    const later = Math.floor(Date.now() / 1000) + 600;
    expect(state('drain', 'scratch-OST0007', later)).toMatchObject({ state: expect.stringMatching(/ing$/) });
    expect(state('drain', 'scratch-OST0007', later)?.silentS).toBeGreaterThan(500);
    expect(await run(cancelStep(site, 'login1', 'drain', 'scratch-OST0007'))).toMatchObject({ code: 0 });
    expect(state('drain', 'scratch-OST0007')).toMatchObject({ state: 'cancelled' });
    expect(await start('drain', 'scratch-OST0007')).toMatchObject({ code: 0 });
    expect(await ended('drain', 'scratch-OST0007')).toMatchObject({ state: 'done' });
  });

  it('a list that hangs is cancelled at once, not behind its last directory', async () => {
    writeFileSync(join(mount, 'u2/hang'), '');
    await start('list', 'scratch-OST0007');
    expect(await run(cancelStep(site, 'login1', 'list', 'scratch-OST0007'))).toMatchObject({ code: 0 });
    expect(await ended('list', 'scratch-OST0007')).toMatchObject({ state: 'cancelled' });
  });

  it('runs under systemd-run where there is one, so that a logout does not end it', async () => {
    const log = join(root, 'systemd');
    const stand = join(root, 'bin', 'systemd-run');
    writeFileSync(
      stand,
      `#!/bin/sh\necho "$*" >>"${log}"\nwhile [ "\${1#--}" != "$1" ]; do shift; done\nsetsid "$@" &\n`,
    );
    chmodSync(stand, 0o755);
    await start('list', 'scratch-OST0007');
    expect(await ended('list', 'scratch-OST0007')).toMatchObject({ state: 'done', total: 47 });
    expect(readFileSync(log, 'utf8')).toMatch(/--unit=faultline-lustre-\d+-\d+ .* sh .*\/run\.sh main list/);
  });

  it('lists without moving; names a FID', async () => {
    await start('list', 'scratch-OST0007');
    const end = await ended('list', 'scratch-OST0007');
    expect(end).toMatchObject({ state: 'done', total: 47, done: 0 });
    expect(readFileSync(join(end.work ?? '', 'list'), 'utf8').split('\0')).toHaveLength(48);
    expect(left()).toHaveLength(47);
    await start('fid', '[0x200000401:0x5:0x0]');
    expect(await ended('fid', '[0x200000401:0x5:0x0]')).toMatchObject({ state: 'done', result: 'u1/a b' });
  });

  it('cancelling what is not there says so', async () => {
    expect(await run(cancelStep(site, 'login1', 'drain', 'scratch-OST0001'))).toMatchObject({
      code: 1,
      stderr: 'no such task\n',
    });
  });
});
