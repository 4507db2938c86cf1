import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runProgram } from '../smoke/terminal.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/** What is measured: a built program. */
export interface Program {
  /** As it was named. */
  name: string;
  /** `dist/faultline.mjs` of a build. */
  file: string;
  /** Roles that no host of its site has, and sections that its site file has not. */
  without: readonly string[];
}

/** The program of this checkout, built anew. */
export const buildHere = async (): Promise<Program> => ({
  name: 'this checkout',
  file: await build(REPOSITORY),
  without: [],
});

/**
 * The built program that `name` is a file of, else that of a git revision: built in a folder of its own, with the packages that its lock
 * file names. The folder goes when this process ends. Throws when it is neither, or can't be built.
 */
export const programOf = async (name: string, without: readonly string[]): Promise<Program> => {
  if (statSync(name, { throwIfNoEntry: false })?.isFile()) return { name, file: resolve(name), without };
  const found = spawnSync(
    'git',
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
    {
      cwd: REPOSITORY,
      encoding: 'utf8',
    },
  );
  if (found.status !== 0)
    throw new Error(`${name} is neither a built program (dist/faultline.mjs) nor a git revision`);
  const revision = found.stdout.trim();
  return { name: `${name} (${revision.slice(0, 7)})`, file: await build(checkOut(revision)), without };
};

const checkOut = (revision: string): string => {
  const parent = mkdtempSync(join(tmpdir(), 'faultline-bench-'));
  const folder = join(parent, 'tree');
  process.once('exit', () => {
    spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: REPOSITORY });
    rmSync(parent, { recursive: true, force: true });
  });
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, revision], { cwd: REPOSITORY });
  const lock = (tree: string): string => readFileSync(join(tree, 'package-lock.json'), 'utf8');
  const here = join(REPOSITORY, 'node_modules');
  if (existsSync(here) && lock(folder) === lock(REPOSITORY)) symlinkSync(here, join(folder, 'node_modules'));
  else
    execFileSync('npm', ['ci', '--no-fund', '--no-audit', '--silent'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return folder;
};

const build = async (tree: string): Promise<string> => {
  const { code, stderr } = await runProgram([join(tree, 'scripts/build.ts')], process.env, tree);
  if (code !== 0) throw new Error(`the build of ${tree} failed (exit ${code}): ${stderr}`);
  return join(tree, 'dist/faultline.mjs');
};
