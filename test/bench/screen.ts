import { join } from 'node:path';
import { openTerminal, runProgram, type Terminal } from '../smoke/terminal.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/** The bundled program in a terminal. */
export const openScreen = (args: readonly string[], env: NodeJS.ProcessEnv): Terminal =>
  openTerminal([join(REPOSITORY, 'dist/faultline.mjs'), ...args], { ...env, COLORTERM: 'truecolor' });

/** Ends the console as a person does; kills it when it does not go within 5 s. */
export const quit = async (screen: Terminal): Promise<void> => {
  screen.type('\u0003');
  await new Promise((resolve) => setTimeout(resolve, 100));
  screen.type('\u0003');
  const timer = setTimeout(() => screen.kill(), 5000);
  await screen.ended;
  clearTimeout(timer);
};

/** Builds the bundle; throws when that fails. */
export const buildBundle = async (): Promise<void> => {
  const { code, stderr } = await runProgram([join(REPOSITORY, 'scripts/build.ts')], process.env, REPOSITORY);
  if (code !== 0) throw new Error(`the build failed (exit ${code}): ${stderr}`);
};
