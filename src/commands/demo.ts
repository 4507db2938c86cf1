import { dropUndefined } from '../kit/known.ts';
import { exit, line, type Io } from './io.ts';
import { requireTerminal, openConsole } from './console.ts';
import type { DemoOptions } from './options.ts';

/** `faultline demo [--incident NAME] [--with FILE] [--list]`: the console on a simulated site, which lives as long as it. */
export const run = async (
  { incident, with: file, list, ...screen }: DemoOptions,
  io: Io,
): Promise<number> => {
  if (list) {
    const { incidents } = await import('../demo/start.ts');
    const known = incidents();
    const widest = Math.max(...known.map(({ name }) => name.length));
    for (const { name, text } of known) line(io.stdout, `${name.padEnd(widest)}  ${text}`);
    return exit.ok;
  }
  requireTerminal(io);
  return openConsole({
    io,
    name: 'demo',
    readOnly: false,
    demo: true,
    screen,
    open: async (log, painted) =>
      (await import('./open-demo.ts')).openDemo({ log, ...dropUndefined({ incident, with: file }) }, painted),
  });
};
