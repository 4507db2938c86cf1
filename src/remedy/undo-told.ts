import type { Hold } from '../model/action.ts';
import { readLive } from './live.ts';
import type { EngineParts } from './parts.ts';

const LIMIT_MS = 10_000;

/**
 * What an armed undo tells of its own failure, to be put behind what was read; empty where it tells of none. Asked for its words only:
 * nobody waits long for them, and they decide nothing. Never throws.
 */
export const undoTold = async (
  parts: Pick<EngineParts, 'reader' | 'clock'>,
  failure: Hold['failure'],
): Promise<string> => {
  if (failure === undefined) return '';
  const { judgement } = await readLive(parts, failure.reads, { limitMs: LIMIT_MS });
  try {
    const told = failure.told(judgement);
    return told === undefined ? '' : `; its undo failed: ${told}`;
  } catch (error) {
    return `; what its undo tells could not be judged: ${error instanceof Error ? error.message : String(error)}`;
  }
};
