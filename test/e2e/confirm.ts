import type { Session } from './driver.ts';

/** The dialog takes no key for 300 ms after it opened, and a key of the last 700 ms counts as held. */
const DEAF_MS = 800;

/** A choice of the menu that went to a better remedy by itself takes no Enter for half a second. */
const MOVED_MS = 600;

/** The chosen line of an open menu, once Enter is taken for it. */
export const settleChoice = async (session: Session, chosen: RegExp): Promise<void> => {
  await session.until(chosen);
  await new Promise((resolve) => setTimeout(resolve, MOVED_MS));
  await session.until(chosen);
};

/** Leaves by `q` and `y`, and gives what the shell said: two keys that a busy program reads in one piece are a paste, which leaves nothing. */
export const leave = async (session: Session): Promise<string> => {
  await session.keys('q');
  await session.until('Leave faultline?');
  await session.keys('y');
  return session.ended();
};

/** An open plan once it takes keys: what will run was on the screen to its end, an access action is armed. Gives the pages that it took. */
export const readPlan = async (session: Session): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, DEAF_MS));
  let pages = 0;
  for (; pages < 12 && /more command lines?: ↓/.test(session.screen()); pages++) await session.keys('PgDn');
  await session.until('pastes and held keys do nothing here');
  return pages;
};

/** Confirms an open plan: `y`, or with the text that it wants. */
export const confirmPlan = async (session: Session, typed?: string): Promise<void> => {
  await readPlan(session);
  if (typed === undefined) {
    await session.keys('y');
    return;
  }
  await session.type(typed);
  await session.until(`Enter: ${typed}_`);
  await session.keys('Enter');
};
