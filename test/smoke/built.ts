import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { newHome, openTerminal, runProgram, type Terminal } from './terminal.ts';

/** The bundle, copied to a folder with nothing else in it, and a private state folder. */
export interface Built {
  program: string;
  run(...args: string[]): ReturnType<typeof runProgram>;
  screen(...args: string[]): Terminal;
  remove(): void;
}

export const openBuilt = (): Built => {
  const { folder, env, remove } = newHome();
  cpSync(join(import.meta.dirname, '../../dist'), join(folder, 'dist'), { recursive: true });
  const program = join(folder, 'dist/faultline.mjs');
  return {
    program,
    run: (...args) => runProgram([program, ...args], env, folder),
    screen: (...args) => openTerminal([program, ...args], env, folder),
    remove,
  };
};
