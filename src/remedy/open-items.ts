import { subjectKey } from '../model/subject.ts';
import type { Told } from '../audit/told.ts';

/**
 * Whether it is not known what came of it: no result was written, or one that says so (guards 10 and 15). An action that sends
 * no command (a check that only reads) leaves nothing open.
 */
export const isOpen = ({ outcome, detail, closed }: Told): boolean =>
  detail.commands.length > 0 && !closed && (outcome === undefined || outcome === 'unknown');

/** The newest open item of each subject. */
export const openItems = (told: readonly Told[]): ReadonlyMap<string, Told> =>
  new Map(told.filter(isOpen).map((one) => [subjectKey(one.subject), one]));

/**
 * Whether undoing it makes sense: its commands went out and took effect, nobody has undone it, and it is no undo itself. A held
 * change that nothing restored counts: before anything is sent it is read whether it still stands.
 */
export const isUndoable = (one: Told): boolean =>
  (one.outcome === 'done' || (one.outcome === 'failed' && one.detail.hold !== undefined)) &&
  !one.undone &&
  one.detail.undo !== null &&
  one.detail.undoes === undefined;
