import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { shellText } from '../../scripts/shell-text.ts';
import { emptyFolder } from '../helpers/folder.ts';

/** What hosts have for `sh`: Debian, embedded, Red Hat. Each is called `sh` here, as there. */
export const shells = ['dash', 'busybox', 'bash'].filter((name) => existsSync(`/usr/bin/${name}`));

/** What a script printed and how it ended; null: by a signal. */
export interface Said {
  said: string;
  complaints: string;
  status: number | string | null;
}

/** Waits until what goes on without us has come so far. */
export const until = async (isSo: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 800 && !isSo(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 25));
  expect(isSo()).toBe(true);
};

/** Folders of the host that are the test's own here. */
const moved = ['/var/', '/run/'];

/**
 * A host with this shell as its `sh`: programs that this machine lacks are stand-ins, folders below /var and /run are its own. `more`:
 * other folders that are its own, like `/proc/net/`.
 */
export class ScriptHost {
  readonly root = emptyFolder('script-host');
  private readonly own: RegExp;
  private system = '/usr/sbin:/usr/bin:/sbin:/bin';

  constructor(shell: string, more: readonly string[] = []) {
    this.own = new RegExp(`(?<![\\w/*])(?=${[...moved, ...more].join('|')})`, 'g');
    mkdirSync(join(this.root, 'bin'));
    mkdirSync(this.path('/var/tmp'), { recursive: true });
    symlinkSync(`/usr/bin/${shell}`, join(this.root, 'bin/sh'));
  }

  /** Where a path of the host lies. */
  path(path: string): string {
    return `${this.root}${path}`;
  }

  file(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  text(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  /** A program in its PATH; in the body paths of the host are its own, too. */
  program(name: string, body: string): void {
    writeFileSync(join(this.root, 'bin', name), `#!/bin/sh\n${this.inOwn(body)}\n`);
    chmodSync(join(this.root, 'bin', name), 0o755);
  }

  /** A host without these programs, whether or not this machine has them. */
  lack(...names: readonly string[]): void {
    const folder = join(this.root, 'system');
    mkdirSync(folder);
    for (const from of ['/usr/bin', '/usr/sbin'])
      for (const name of readdirSync(from))
        if (!names.includes(name) && !existsSync(join(folder, name)))
          symlinkSync(join(from, name), join(folder, name));
    this.system = folder;
  }

  /** What a script says, as `sh -s -- ARGUMENT...` gets it; paths are those of the host. */
  run(script: string, ...words: readonly string[]): Promise<Said> {
    return this.runText(shellText(script), ...words);
  }

  runText(text: string, ...words: readonly string[]): Promise<Said> {
    const plain = (printed: string): string => printed.replaceAll(this.root, '');
    const env = {
      PATH: `${join(this.root, 'bin')}:${this.system}`,
      LC_ALL: 'C',
      HOME: this.root,
    };
    return new Promise((resolve) => {
      const child = execFile(
        join(this.root, 'bin/sh'),
        ['-s', '--', ...words],
        { env, timeout: 25_000, maxBuffer: 64_000_000 },
        (error, stdout, stderr) =>
          resolve({
            said: plain(stdout),
            complaints: plain(stderr),
            status: error === null ? 0 : (error.code ?? null),
          }),
      );
      child.stdin?.end(this.inOwn(text));
    });
  }

  private inOwn(text: string): string {
    return text.replaceAll(this.own, this.root);
  }
}
