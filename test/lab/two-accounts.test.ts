import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../src/collect/clock.ts';
import { createSharedStore } from '../../src/remedy/lock-shared.ts';
import { systems } from '../../src/registries/systems.ts';
import { loadSite } from '../../src/site/load.ts';
import { createTransports } from '../../src/transport/pool.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { programArgs } from '../helpers/source.ts';
import { openTerminal, runProgram, type Terminal } from '../smoke/terminal.ts';
import { freePort } from './ports.ts';
import { end, livingPid, run, until } from './processes.ts';
import { newKey, sshdSettings, writeReach } from './ssh-files.ts';

const repository = join(import.meta.dirname, '../..');
const problem =
  process.getuid?.() === 0 ? undefined : 'it makes two accounts for as long as it runs: run it as root';
if (problem !== undefined) process.stderr.write(`two accounts: skipped: ${problem}\n`);

const group = `fl${process.pid}`;
const accounts = [`${group}a`, `${group}b`] as const;
/** Where the site's host has its shared folder, made as README says: `install -d -m 2770 -g GROUP DIR`. */
const place = { address: '127.77.5.11', port: 0 };

/** A dialog's field takes what it is sent after it was drawn. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));

const write = async (screen: Terminal, ...pieces: readonly string[]): Promise<void> => {
  for (const piece of pieces) {
    screen.type(piece);
    await pause();
  }
};

/** Rights of one account on a path, by its own shell. */
const may = (account: string, test: string): boolean => {
  try {
    execFileSync('setpriv', [`--reuid=${account}`, `--regid=${group}`, '--clear-groups', 'sh', '-c', test], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
};

/** Copies of audit heads are each operator's own, and nobody else's to change (docs/decisions/0355). */
const isOwn = (path: string): boolean => path.startsWith('audit-heads/');

describe.skipIf(problem !== undefined)('a shared folder of two accounts in one group', () => {
  const folder = emptyFolder('accounts');
  const shared = join(folder, 'shared');
  const pidFile = join(folder, 'sshd.pid');
  const siteOf = (account: string): string => join(folder, `${account}.yaml`);
  const envOf = (account: string): NodeJS.ProcessEnv => ({
    ...process.env,
    XDG_STATE_HOME: join(folder, `${account}.state`),
  });

  /** A login shell after whose start-up files nothing is for anybody else: what the program makes is so by its own doing. */
  const strictShell = join(folder, 'strict-shell');

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    writeFileSync(strictShell, '#!/bin/sh\numask 077\nexec /bin/sh "$@"\n', { mode: 0o755 });
    run('groupadd', [group]);
    for (const account of accounts)
      run('useradd', [
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '-g',
        group,
        '-s',
        strictShell,
        account,
      ]);
    // An account without a password is locked: sshd wants one that nobody can type.
    for (const account of accounts) run('usermod', ['-p', '*', account]);
    run('install', ['-d', '-m', '2770', '-g', group, shared]);
    const [clientKey, hostKey] = [join(folder, 'id_ed25519'), join(folder, 'host_key')];
    newKey(clientKey, 'lab');
    const key = newKey(hostKey, 'adm');
    const keys = join(folder, 'authorized_keys');
    copyFileSync(`${clientKey}.pub`, keys);
    chmodSync(keys, 0o644);
    place.port = await freePort((port) => [{ address: place.address, port }]);
    const config = join(folder, 'sshd_config');
    writeFileSync(
      config,
      `Port ${place.port}\nListenAddress ${place.address}\nHostKey ${hostKey}\nPidFile ${pidFile}\nAuthorizedKeysFile ${keys}\n${sshdSettings()}`,
    );
    mkdirSync('/run/sshd', { recursive: true });
    run('/usr/sbin/sshd', ['-f', config]);
    await until('sshd of adm', () => livingPid(pidFile) !== undefined);
    for (const account of accounts) {
      const sshConfig = join(folder, `${account}.ssh_config`);
      const knownHosts = join(folder, 'known_hosts');
      writeReach({
        sshConfig,
        knownHosts,
        clientKey,
        port: place.port,
        hosts: [{ name: 'adm', address: place.address, key }],
        user: account,
      });
      writeFileSync(
        siteOf(account),
        `site: accounts\nsshConfig: ${sshConfig}\nshared: {host: adm, dir: ${shared}}\nhosts:\n  - {names: adm, roles: [switch-helper, nic], platform: linux}\n`,
        { mode: 0o600 },
      );
    }
  }, 60_000);
  afterAll(async () => {
    await end(pidFile);
    for (const account of accounts) run('userdel', [account]);
    if (readFileSync('/etc/group', 'utf8').includes(`${group}:`)) run('groupdel', [group]);
  });

  /** Every file and folder below the shared one. */
  const left = (): string[] => readdirSync(shared, { recursive: true, encoding: 'utf8' }).toSorted();

  const note = (account: string, text: string) => {
    const given = [
      '--set',
      'part=cleaned',
      '--set',
      `text=${text}`,
      '--confirm',
      'y',
      '--site',
      siteOf(account),
    ];
    return runProgram(
      [...programArgs(), 'act', 'switch.note', 'adm:lo', ...given],
      envOf(account),
      repository,
    );
  };

  const consoleOf = (account: string): Terminal =>
    openTerminal([...programArgs(), '--site', siteOf(account)], envOf(account), repository);

  it('takes what each of the two writes after the other: journal, actions, locks', async () => {
    for (const [account, text] of [
      [accounts[0], 'first'],
      [accounts[1], 'second'],
      [accounts[0], 'third'],
    ] as const) {
      const { code, stdout, stderr } = await note(account, text);
      expect(code, stdout + stderr).toBe(0);
      expect(stderr).not.toMatch(/denied|not permitted/i);
    }
    const journal = readFileSync(join(shared, 'switch-journal.jsonl'), 'utf8');
    expect([...journal.matchAll(/"text":"(\w+)"/g)].map(([, text]) => text)).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('so it does of two consoles: presence, and a note of each by keys', async () => {
    const screens = accounts.map(consoleOf);
    try {
      for (const screen of screens) await screen.until(/readings failed/, 90_000);
      for (const screen of screens) await screen.until(/with \S+ on /, 90_000);
      for (const screen of screens) {
        await write(screen, '0', 'g', 'N');
        await screen.until(/the note/);
        await write(screen, 'power supply is ordered', '\r', '\r');
        await screen.until(/written to the shared folder/);
      }
    } finally {
      for (const screen of screens) screen.kill();
    }
  });

  it('and of locks: each makes one, sees the other one and can remove it', async () => {
    const stores = await Promise.all(
      accounts.map(async (account) => {
        const { site } = await loadSite(siteOf(account), { systems });
        if (!site.shared) throw new Error('the site has a shared folder');
        const transports = createTransports({ site, clock: realClock, log: () => {}, env: process.env });
        let ids = 0;
        return {
          transports,
          store: createSharedStore(site.shared, transports, () => `${account}${(ids += 1)}`),
        };
      }),
    );
    for (const [own, other] of [stores, stores.toReversed()].map((list) => list.map(({ store }) => store))) {
      expect(await own?.put('lag core3:po98', 'mine')).toEqual({ state: 'made' });
      expect(await other?.put('lag core3:po98', 'yours')).toMatchObject({ state: 'held', text: 'mine' });
      expect(await other?.remove('lag core3:po98', 'mine')).toBeUndefined();
    }
    expect(await stores[0]?.store.put('lag core3:po99', 'stays')).toEqual({ state: 'made' });
    for (const { transports } of stores) await transports.close();
  });

  it('and every file and folder that they leave there can be read and added to by the other', () => {
    const paths = left();
    expect(paths).toEqual(
      expect.arrayContaining([
        'actions.jsonl',
        'consoles.jsonl',
        'events.jsonl',
        'locks',
        'switch-journal.jsonl',
      ]),
    );
    const owners = new Set(paths.map((path) => statSync(join(shared, path)).uid));
    expect(owners.size).toBe(2);
    for (const path of paths.filter((one) => !isOwn(one))) {
      const at = join(shared, path);
      const what = statSync(at).isDirectory()
        ? 'test -r "$1" -a -w "$1" -a -x "$1"'
        : 'test -r "$1" -a -w "$1"';
      for (const account of accounts)
        expect(may(account, what.replaceAll('"$1"', `'${at}'`)), `${account}: ${path}`).toBe(true);
    }
    // Copies of heads are read by everybody in the group.
    for (const path of paths.filter(isOwn))
      for (const account of accounts)
        expect(may(account, `test -r '${join(shared, path)}'`), path).toBe(true);
  });
});
