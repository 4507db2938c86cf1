import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { readPlan } from './confirm.ts';
import { start, type Session } from './driver.ts';
import { incidents, type Incident } from './incident-table.ts';
import { carryOut, Hand, openPlan, rowOf } from './play-incident.ts';

/** The text that went to the clipboard last. */
const copied = (session: Session): string => {
  const bytes = session.output().split('\u001B]52;c;').at(-1)?.split('\u0007')[0] ?? '';
  return Buffer.from(bytes, 'base64').toString();
};

const cure = async (session: Session, { first, acts = [], end }: Incident): Promise<Hand> => {
  const hand = new Hand(session);
  for (const [at, act] of acts.entries()) {
    if (at > 0) await hand.press('Esc');
    await carryOut(hand, act);
  }
  await session.keys('Esc');
  const row = rowOf(end ?? first);
  await session.until((screen) => row.test(screen) === (end !== undefined));
  return hand;
};

/** As far as the plan, which is not confirmed: the same keys lead there as at the other size. Gives the pages that it takes. */
const reach = async (session: Session, { acts: [act] = [] }: Incident): Promise<number> => {
  if (act === undefined) return 0;
  await openPlan(new Hand(session), act);
  const pages = await readPlan(session);
  await session.keys('Esc');
  await session.until('cancelled: nothing was sent to any host');
  return pages;
};

/** Key presses at both sizes: the plan is only read at the wide one. */
const countCure = async (session: Session, incident: Incident): Promise<readonly [number, number]> => {
  const pages = await reach(session, incident);
  await narrow(session);
  const hand = await cure(session, incident);
  return [hand.count - hand.pages + pages, hand.count];
};

const countTicket = async (session: Session, incident: Incident): Promise<readonly [number, number]> => {
  const wide = await fileTicket(session, incident);
  await narrow(session);
  return [wide, await fileTicket(session, incident)];
};

const narrow = async (session: Session): Promise<void> => {
  await session.resize(80, 24);
  await session.until(/^>/m);
};

const fileTicket = async (session: Session, { first, contact = '' }: Incident): Promise<number> => {
  const hand = new Hand(session);
  await hand.press('a');
  await session.until('by hand: ');
  // Nothing is chosen where nothing helps, and the contact stands beside what to do.
  expect(session.screen()).not.toMatch(/│ > /);
  expect(session.screen()).toContain(`contact: ${contact}`);
  await hand.press('Y');
  await session.until(/copied for the ticket .*written to/);
  const ticket = copied(session);
  expect(ticket).toMatch(first);
  for (const text of [contact, '### Evidence']) expect(ticket).toContain(text);
  await session.keys('Esc');
  return hand.count;
};

/** The row of an incident in docs/incidents.md: how it ends, and its counts. */
const documented = (name: string): readonly string[] => {
  const text = readFileSync(new URL('../../docs/incidents.md', import.meta.url), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\``));
  return (row ?? '').split('|').map((cell) => cell.trim());
};

const counts: string[] = [];
afterAll(() => {
  console.log(['incident           ends in 200x50  80x24', ...counts].join('\n'));
});

describe('every incident of the demo comes to its end in at most 8 key presses', () => {
  test.each(incidents)('$name', { timeout: 600_000 }, async (incident) => {
    const { name, first, acts } = incident;
    const session = start(['demo', '--incident', name], { columns: 200, rows: 50 });
    try {
      await session.until(new RegExp(`^>.*(?:${first.source})`, 'm'), 240_000);
      const both = await (acts ? countCure : countTicket)(session, incident);
      const end = acts ? 'cure' : 'ticket';
      counts.push([name.padEnd(18), end.padEnd(7), ...both.map((one) => String(one).padStart(6))].join(' '));
      expect(Math.max(...both)).toBeLessThanOrEqual(8);
      expect(documented(name).slice(2, 5)).toEqual([end, ...both.map(String)]);
    } finally {
      await session.close();
    }
  });
});
