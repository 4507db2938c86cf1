import { constants } from 'node:os';

/** Signals that end a program with a screen; it leaves in order: terminal restored, demo and threads ended. */
const ending = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

/** Calls back once with the exit code (128 + number) that a shell expects. Gives the function that stops listening. */
export const onEndingSignal = (leave: (code: number) => void): (() => void) => {
  const handlers = ending.map((name) => ({ name, handler: () => leave(128 + constants.signals[name]) }));
  for (const { name, handler } of handlers) process.once(name, handler);
  return () => {
    for (const { name, handler } of handlers) process.off(name, handler);
  };
};
