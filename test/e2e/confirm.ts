import type { Session } from './driver.ts';

/** The dialog takes no key for 300 ms after it opened, and a key of the last 700 ms counts as held. */
const DEAF_MS = 800;

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
