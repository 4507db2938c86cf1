import { stat } from 'node:fs/promises';
import { createPatience } from '../audit/patience.ts';
import type { LogPlace } from './lock-verdict.ts';

const DEADLINE_MS = 2_000;

/**
 * Which audit log this is: a log of that name in another home, or one begun anew beside an old one, does not tell what a run of the old one
 * had begun. Told by its head, which is there before the first record, is written in place, and goes with the log when it is put
 * away. Undefined: there is none, or its disk does not answer.
 */
export const logPlaceOf = async (file: string): Promise<LogPlace | undefined> => {
  if (file === '') return undefined;
  try {
    const { ino, birthtimeNs } = await createPatience()(
      () => stat(`${file}.head`, { bigint: true }),
      DEADLINE_MS,
    );
    return { file, id: `${ino}-${birthtimeNs}` };
  } catch {
    // Whoever can't tell his log takes nothing over.
    return undefined;
  }
};
