import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readPlan } from '../test/e2e/confirm.ts';
import { start, type Session } from '../test/e2e/driver.ts';
import { incidents, type Incident } from '../test/e2e/incident-table.ts';
import { carryOut, Hand, openPlan } from '../test/e2e/play-incident.ts';
import { svgOf } from './picture-svg.ts';

/**
 * Three pictures of each incident of the demo, to be looked at: its first screen, its plan (of a ticket the menu that says what to do by
 * hand) and its end. `npm run picture:incidents [-- --size 80x24] [NAME ...]`; they go to `pictures/`, which is not kept (decision 0652),
 * those of the README by `npm run picture` to `docs/`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: '120x35' }, folder: { type: 'string', default: 'pictures' } },
});
const folder = new URL(`../${values.folder}/`, import.meta.url);
const [columns = 120, rows = 35] = values.size.split('x').map(Number);

/** Whether the first finding is chosen. Where its row is cut, what it says stands below in full, over as many lines as it takes. */
const isChosen = (screen: string, first: RegExp): boolean => {
  const [, row, rest = ''] = /^>(.*)$([^]*)/m.exec(screen) ?? [];
  return (
    row !== undefined && (first.test(row) || (row.includes('…') && first.test(rest.replaceAll(/\s+/g, ' '))))
  );
};

const save = async (session: Session, name: string, what: string): Promise<void> => {
  await session.idle();
  const file = `${name}-${what}.svg`;
  writeFileSync(new URL(file, folder), svgOf(session.picture(), columns, `Incident ${name}: ${what}`));
  process.stdout.write(`${values.folder}/${file}\n`);
};

const cure = async (session: Session, { name, acts = [] }: Incident): Promise<void> => {
  const hand = new Hand(session);
  for (const [at, act] of acts.entries()) {
    if (at > 0) await hand.press('Esc');
    else {
      await openPlan(hand, act);
      await readPlan(session);
      await save(session, name, 'plan');
      await session.keys('Esc');
    }
    await carryOut(hand, act);
  }
};

const fileTicket = async (session: Session, { name }: Incident): Promise<void> => {
  await session.keys('a');
  await session.until('by hand: ');
  await save(session, name, 'plan');
  await session.keys('Y');
  await session.until(/copied for the ticket .*written to/);
};

const unknown = positionals.filter((wanted) => !incidents.some(({ name }) => name === wanted));
if (unknown.length > 0) {
  const known = incidents.map(({ name }) => name).join(', ');
  process.stderr.write(`no incident ${unknown.join(', ')}; known: ${known}\n`);
  process.exit(64);
}
mkdirSync(folder, { recursive: true });
for (const incident of incidents) {
  const { name, first, acts } = incident;
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const session = start(['demo', '--incident', name], { columns, rows });
  try {
    await session.until((screen) => isChosen(screen, first), 240_000);
    await save(session, name, 'first');
    await (acts ? cure : fileTicket)(session, incident);
    await save(session, name, 'end');
  } finally {
    await session.close();
  }
}
