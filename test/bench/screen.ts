import { openTerminal, type Terminal } from '../smoke/terminal.ts';
import type { Program } from './program.ts';

/** A built program in a terminal of 200x50. */
export const openScreen = (program: Program, args: readonly string[], env: NodeJS.ProcessEnv): Terminal =>
  openTerminal([program.file, ...args], { ...env, COLORTERM: 'truecolor' });

/** Ends the console as a person does; kills it when it does not go within 5 s. */
export const quit = async (screen: Terminal): Promise<void> => {
  screen.type('\u0003');
  await new Promise((resolve) => setTimeout(resolve, 100));
  screen.type('\u0003');
  const timer = setTimeout(() => screen.kill(), 5000);
  await screen.ended;
  clearTimeout(timer);
};

/** Works with a console and ends it, also when the work fails: one that is left would go into what is measured next. */
export const withScreen = async (
  screen: Terminal,
  work: (screen: Terminal) => Promise<void>,
): Promise<void> => {
  try {
    await work(screen);
  } finally {
    await quit(screen);
  }
};
