import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromSource } from '../helpers/source.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the program without a terminal. */
export const faultline = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> => {
  const built = process.env['FAULTLINE_PROGRAM'];
  const program = built ? [join(root, built)] : fromSource();
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...program, ...args],
      { cwd: root, env: { ...process.env, ...env } },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
};
