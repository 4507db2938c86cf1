import type { Guard, GuardResult } from '../model/action.ts';
import type { Judgement } from '../model/system.ts';
import { count } from '../text/units.ts';

/**
 * What a guard says of these readings. Its "ok" counts only when all that it reads is of now and whole: a table of which a line was
 * not understood may lack just the row that would have spoken against it. Never throws: a guard that can't be checked is not met.
 */
export const checkGuard = (guard: Guard, live: Judgement): GuardResult => {
  try {
    const said = guard.check(live);
    const unread = said.ok ? unreadOf(guard, live) : undefined;
    return unread === undefined ? said : { ok: false, text: `not known whether ${guard.text}: ${unread}` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, text: `not known whether ${guard.text}: it could not be checked: ${why}` };
  }
};

const unreadOf = ({ reads, ownRow }: Guard, { readings }: Judgement): string | undefined => {
  for (const { probe, host } of reads) {
    const source = readings.source(probe, host);
    if (source?.state !== 'fresh' || source.good === undefined)
      return source?.failure?.message ?? `${host} gave no fresh answer to ${probe}`;
    const odd = source.good.notUnderstood;
    if (odd > 0 && !ownRow)
      return `${count(odd, 'line')} of what ${host} answered to ${probe} ${odd === 1 ? 'was' : 'were'} not understood`;
  }
  return undefined;
};
