import { readPlan, settleChoice } from './confirm.ts';
import type { Session } from './driver.ts';
import type { Act } from './incident-table.ts';

/** Key presses up to the dialog, and one for each whole confirmation (docs/design.md, Danger classes). */
export class Hand {
  count = 0;
  /** Of these: pages of what will run that did not fit. */
  pages = 0;
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.count += 1;
      await this.session.keys(key);
    }
  }

  /** A plan is read to the end of what will run, and what it wants is typed. */
  async confirm(typed: string | undefined): Promise<void> {
    const pages = await readPlan(this.session);
    this.count += 1 + pages;
    this.pages += pages;
    if (typed === undefined) await this.session.keys('y');
    else await this.type(typed);
  }

  async type(text: string): Promise<void> {
    await this.session.type(text);
    await this.session.until(`${text}_`);
    await this.session.keys('Enter');
  }
}

/** On the first screen of a plan, at every size. */
const labels = ['will run', 'users', 'undo', 'checked'];

/** The chosen line of the menu when it can be had: its danger class stands at its end. */
const CHOSEN = /│ > .*(?:reversible|service|access) +│/;

/** A disk that does not answer in time under the load of other suites refuses the plan: no fault of the keys, so they are pressed anew. */
const BUSY = 'this machine is too busy';

/** From the row to the open plan. */
export const openPlan = async (hand: Hand, act: Pick<Act, 'chosen' | 'down' | 'plan'>): Promise<void> => {
  const { session } = hand;
  const { count } = hand;
  for (let tries = 0; ; tries++) {
    await choosePlan(hand, act);
    await session.until((screen) => screen.includes(act.plan) || screen.includes(BUSY));
    if (tries > 5 || !session.screen().includes(BUSY)) break;
    await session.keys('Esc');
    hand.count = count;
  }
  for (const label of labels) await session.until(new RegExp(`│ ${label} `));
};

const choosePlan = async (hand: Hand, { chosen, down = 0 }: Pick<Act, 'chosen' | 'down'>): Promise<void> => {
  const { session } = hand;
  await hand.press('a');
  // What is chosen can be had: whatever it rests on was read.
  await settleChoice(session, CHOSEN);
  if (down > 0) await hand.press(...Array.from({ length: down }, () => 'Down'));
  await session.until((screen) => chosen.test(CHOSEN.exec(screen)?.[0] ?? ''));
  await hand.press('Enter');
};

export const carryOut = async (hand: Hand, act: Act): Promise<void> => {
  const { session } = hand;
  await openPlan(hand, act);
  await hand.confirm(act.typed);
  if (act.keep) {
    await session.until(act.keep);
    hand.count += 1;
    await hand.type('keep');
  }
  await session.until(act.verified);
};

/** A finding that is open: what was cured has another sign. */
export const rowOf = ({ source }: RegExp): RegExp => new RegExp(`^[> ][✖!·] .*(?:${source})`, 'm');
