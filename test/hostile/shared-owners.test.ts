import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../src/collect/shared/folder.ts';
import { oddOwners, ownersScript } from '../../src/collect/shared/owners.ts';
import { localMemory } from '../../src/collect/shared/local.ts';
import { createShared } from '../../src/collect/shared/shared.ts';
import { runScript } from '../../src/demo/shell/run.ts';
import { newShell } from '../../src/demo/shell/shell.ts';
import { SHARED, World } from '../../src/demo/world.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import { createFakeClock } from '../collect/helpers/fake-clock.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { answer, transportsOf } from '../remedy/world.ts';
import { shellsHere } from './shells-here.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot)
  process.stdout.write('not root: no files of other accounts are made, those tests are left out\n');

const GROUP = 54_321;

/** Programs of a machine with two accounts that this one has not: alice is in the group, eve is not. */
const accounts = emptyFolder('accounts');
const program = (name: string, body: string): void => {
  writeFileSync(join(accounts, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(accounts, name), 0o755);
};
program(
  'id',
  `case "$*" in -u) echo 0 ;; "-G alice") echo 7 ${GROUP} 9 ;; "-G eve") echo 7 9 ;; *) exit 1 ;; esac`,
);
program('stat', '/usr/bin/stat "$@" | sed \'s/^1111 UNKNOWN$/1111 alice/;s/^2222 UNKNOWN$/2222 eve/\'');
const env = { ...process.env, PATH: `${accounts}:${process.env['PATH']}` };

describe.each(shellsHere)('whose files lie in the shared folder, by %s', (shell, ...args) => {
  const run = ({ script }: RunRequest): Promise<RawAnswer> =>
    new Promise((resolve) =>
      execFile(shell, [...args, '-c', script], { timeout: 20_000, env }, (error, stdout, stderr) =>
        resolve(answer({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })),
      ),
    );
  const odd = (dir: string) => createFolder({ host: 'adm', dir }, transportsOf(run)).findOddOwners();
  const folderOf = (owners: Readonly<Record<string, number>>): string => {
    const dir = join(emptyFolder('owners'), 'a b');
    mkdirSync(join(dir, 'locks'), { recursive: true });
    chmodSync(dir, 0o2770);
    if (isRoot) chownSync(dir, 0, GROUP);
    for (const [name, uid] of Object.entries(owners)) {
      writeFileSync(join(dir, name), '');
      chownSync(join(dir, name), uid, GROUP);
    }
    return dir;
  };

  it.runIf(isRoot)('root’s, the folder’s owner’s and those of its group are no news', async () => {
    const dir = folderOf({
      'events.jsonl': 1111,
      'locks/a.lock': 1111,
      'consoles.jsonl': 0,
      'actions.jsonl': 3333,
    });
    chownSync(dir, 3333, GROUP);
    expect(await odd(dir)).toEqual([]);
  });

  it.runIf(isRoot)('those of others are told with whose they are, also among the locks', async () => {
    expect(await odd(folderOf({ 'events.jsonl': 2222, 'locks/a.lock': 4444 }))).toEqual([
      `events.jsonl is of eve (2222), who is not in its group UNKNOWN: see what it says and who made it`,
      'locks/a.lock is of number 4444, which is no account there: see what it says and who made it',
    ]);
  });

  it.runIf(isRoot)(
    'many accounts are a number, and a name with a line’s end makes no line of its own',
    async () => {
      const names = Array.from({ length: 30 }, (_, at) => [`f${at}`, 50_000 + at] as const);
      const told = await odd(folderOf({ ...Object.fromEntries(names), 'a\nof 0 root hpc b': 40_000 }));
      expect(told).toHaveLength(4);
      expect(told?.[0]).toMatch(/^a is of number 40000,/);
      expect(told?.[3]).toBe('files of 17 more accounts that are not in its group');
    },
  );

  it('a folder that everybody may write to is told', async () => {
    const dir = folderOf({});
    chmodSync(dir, 0o2777);
    expect(await odd(dir)).toEqual([
      'everybody on its host may write there (mode 2777): sudo chmod 2770 there, then see whose files they are',
    ]);
  });

  it.runIf(isRoot)(
    'a console says it, once it is so and no longer; what is written there is read all the same',
    async () => {
      const dir = folderOf({ 'events.jsonl': 2222 });
      const clock = createFakeClock(1_700_000_000_000);
      const shared = createShared({
        folder: createFolder({ host: 'adm', dir }, transportsOf(run)),
        local: localMemory(),
        writer: { who: 'alice', from: 'adm1 1 x' },
        readOnly: false,
        clock,
        log: () => {},
        makeId: () => 'i',
      });
      await shared.readNow();
      expect(shared.problems()).toEqual([
        expect.stringMatching(/^shared folder: events\.jsonl is of eve \(2222\), who is not in its group/),
      ]);
      expect(await shared.add({ kind: 'note', subject: { kind: 'node', id: 'n1' }, text: 'x' })).toEqual({
        where: 'shared',
      });
      chownSync(join(dir, 'events.jsonl'), 1111, GROUP);
      await shared.readNow();
      expect(shared.problems()).toHaveLength(1);
      await clock.advance(11 * 60_000);
      await shared.readNow();
      expect(shared.problems()).toEqual([]);
    },
  );
});

describe('an answer about owners', () => {
  const told = (stdout: string, exitCode = 0) => oddOwners({ exitCode, stdout: Buffer.from(stdout) });

  it('that does not end is not one in which all is right', () => {
    expect(told('')).toBeUndefined();
    expect(told('of 2222 eve hpc events.jsonl\n')).toBeUndefined();
    expect(told('end\n', 1)).toBeUndefined();
    expect(told('end\n')).toEqual([]);
  });

  it('that holds what nobody knows shows it, and no name that is not plain', () => {
    expect(told('odd \u001b[2J\nend\n')).toEqual(['odd ^[[2J']);
    expect(told('of 2222 eve hpc a\u202eb\nend\n')).toEqual([
      'a file whose name is not plain is of eve (2222), who is not in its group hpc: see what it says and who made it',
    ]);
  });

  it('is understood of the demo’s hosts, on which nobody else has files', async () => {
    const world = new World(createSimulators(), Date.now);
    const said = { out: '', err: '' };
    const into = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
      said[stream] += typeof text === 'string' ? text : Buffer.from(text).toString();
    };
    const streams = { input: { text: '' }, out: into('out'), err: into('err') };
    const shell = newShell(world.outside(SHARED.host, 'root'));
    expect(await runScript(ownersScript(SHARED.dir), shell, streams, new AbortController().signal)).toBe(0);
    expect(said).toEqual({ out: 'end\n', err: '' });
  });

  it('quotes the folder', () => expect(ownersScript("it's")).toContain(`set -- 'it'\\''s'\n`));
});
