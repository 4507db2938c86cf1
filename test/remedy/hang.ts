import type { Past } from '../../src/audit/past-runs.ts';
import type { SharedActions } from '../../src/remedy/shared-actions.ts';
import { answer, obey, type World } from './world.ts';

export const TIMED_OUT = 'slurm_update error: Socket timed out on send/recv operation';

/**
 * A daemon that stops answering at the first command: its client gives up with exit 1, the request lies in the queue, and readings
 * fail until it goes on. `goOn`: it does what waited, unless the queue was lost.
 */
export const hangs = (world: World): { goOn(carriesOut?: boolean): void } => {
  const waiting: string[] = [];
  let hung = true;
  world.act = (script) => {
    if (!hung) return obey(world.nodes, script);
    waiting.push(script);
    world.broken = { kind: 'timeout', message: 'ctl1 does not answer' };
    return answer({ exitCode: 1, stderr: `${TIMED_OUT}\n` });
  };
  return {
    goOn: (carriesOut = true) => {
      hung = false;
      world.broken = undefined;
      if (carriesOut) for (const script of waiting) obey(world.nodes, script);
    },
  };
};

/** The lines that colleagues see. */
export const colleagues = (): SharedActions & { lines(): string[] } => {
  const told = new Map<string, Past>();
  const key = ({ run, subject }: Past): string => `${run} ${subject}`;
  return {
    read: async () => ({ past: [...told.values()] }),
    poll: async () => ({ past: [...told.values()] }),
    tell: async (past, _key, none = false) => {
      if (none) told.delete(key(past));
      else told.set(key(past), past);
      return undefined;
    },
    lines: () => [...told.values()].map(({ subject }) => subject),
  };
};
