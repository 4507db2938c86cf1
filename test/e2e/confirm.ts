import type { Session } from './driver.ts';

/** The dialog takes no key for 300 ms after it opened. */
const DEAF_MS = 400;

/** An open plan once it takes keys: what will run was on the screen to its end, an access action is armed. */
export const readPlan = async (session: Session): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, DEAF_MS));
  for (let page = 0; page < 12 && /more command lines?: ↓/.test(session.screen()); page++)
    await session.keys('PgDn');
  await session.until('pastes and held keys do nothing here');
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
