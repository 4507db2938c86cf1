import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programArgs } from '../helpers/source.ts';

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
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...programArgs(), ...args],
      { cwd: root, env: { ...process.env, ...env } },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
};
