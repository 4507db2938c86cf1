import { makeSafe } from '../text/safe.ts';
import { count } from '../text/units.ts';
import type { EngineParts } from './parts.ts';

interface About {
  run: string;
  /** `the lock on lag Po98 could not be released`. */
  what: string;
}

/** Something that was left undone. Of one key the last counts. */
export interface Unfinished extends About {
  key: string;
  /** Tries once more; gives the reason when it still does not go. */
  attempt(): Promise<string | undefined>;
}

/**
 * What this console owes its colleagues: a lock that it could not release, a line that it could not write. The operator is told, the
 * audit log has it, and it is tried again.
 */
export interface Later {
  /** Tells of it; gives the words for the run's result. */
  tell(about: About, problem: string): Promise<string>;
  /** The same, and keeps it to be tried again. */
  keep(one: Unfinished, problem: string): Promise<string>;
  /** It was done by other means, or something newer counts. */
  forget(key: string): void;
  /** In order, until one still does not go: what is in its way is in the way of all, and each may take seconds. Never rejects. */
  retry(): Promise<void>;
  badges(): readonly string[];
}

export const createLater = ({ audit, log }: Pick<EngineParts, 'audit' | 'log'>): Later => {
  const waiting = new Map<string, Unfinished & { problem: string }>();
  let retrying: Promise<void> | undefined;

  const write = async (run: string, text: string): Promise<void> => {
    log(`run ${run}: ${text}`);
    const written = await audit.append({ kind: 'note', run, detail: { text } });
    if (!written.ok) log(`run ${run}: ${written.reason}`);
  };
  const tell = async ({ run, what }: About, problem: string, then = ''): Promise<string> => {
    const text = `${what}: ${problem}${then}`;
    await write(run, text);
    return text;
  };
  const tryAll = async (): Promise<void> => {
    for (const one of waiting.values()) {
      const problem = await one.attempt().catch((error: unknown) => String(error));
      // Something newer may have taken its place meanwhile.
      if (waiting.get(one.key) !== one) continue;
      if (problem !== undefined) {
        one.problem = problem;
        log(`run ${one.run}: still: ${one.what}: ${problem}`);
        return;
      }
      waiting.delete(one.key);
      await write(one.run, `done now: ${one.what}`);
    }
  };

  return {
    tell: (about, problem) => tell(about, problem),
    keep: async (one, problem) => {
      waiting.delete(one.key);
      waiting.set(one.key, { ...one, problem });
      return tell(one, problem, '; this console tries again');
    },
    forget: (key) => void waiting.delete(key),
    retry: () => (retrying ??= tryAll().finally(() => (retrying = undefined))),
    badges: () => {
      const [first] = waiting.values();
      if (first === undefined) return [];
      const more = waiting.size > 1 ? ` (and ${count(waiting.size - 1, 'more thing', 'more things')})` : '';
      return [makeSafe(`${first.what}: ${first.problem}; tried again${more}`, 400)];
    },
  };
};
