import { asciiJson } from '../audit/audit-line.ts';
import { sealOf } from '../audit/shared-lines.ts';
import type { Past } from '../audit/past-runs.ts';
import { actionsFile, createSharedPast, DEADLINE_MS, type SharedPast } from '../audit/shared-past.ts';
import type { Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { addLine, folderProblem } from '../text/shared-folder.ts';

/** What all consoles of the site have done lately: one JSON line per action in the shared folder. Never throws. */
export interface SharedActions extends SharedPast {
  /**
   * Before it is begun, sealed by its key (`keyOf`); `none` afterwards, when nothing came of it, with the key itself. Gives the reason
   * when it was not written.
   */
  tell(past: Past, key: string, none?: boolean): Promise<string | undefined>;
}

/** `>>` appends whole short lines, and the group of the folder may write the file. */
export const createSharedActions = (
  shared: { host: string; dir: string },
  transports: Transports,
  clock: Pick<Clock, 'mono' | 'now'>,
): SharedActions => ({
  ...createSharedPast(shared, transports, clock),
  tell: async (past, key, none = false) => {
    const text = asciiJson({ ...past, ...(none ? { none: true, key } : { seal: sealOf(key) }) });
    const script = addLine(shared.dir, actionsFile(shared.dir), text);
    const answer = await transports
      .transportTo(shared.host)
      .run({ script, deadlineMs: DEADLINE_MS, fresh: true });
    if (answer.exitCode === 0) return undefined;
    return folderProblem(answer, shared, { doing: 'written', deadlineMs: DEADLINE_MS });
  },
});
