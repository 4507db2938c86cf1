import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { start, type Session } from '../test/e2e/driver.ts';
import { svgOf } from './picture-svg.ts';

/** Pictures of the running program for the README, as SVG: `npm run picture`. Those of incidents: `scripts/picture-incidents.ts`. */
const folder = new URL('../docs/', import.meta.url);
const save = (name: string, session: Session, columns: number, title: string): void => {
  writeFileSync(new URL(name, folder), svgOf(session.picture(), columns, title));
  process.stdout.write(`docs/${name}\n`);
};

mkdirSync(folder, { recursive: true });
const size = { columns: 160, rows: 45 };
const board = start(['demo'], size);
await board.until('node[78-100] lost together');
await board.until((screen) => !screen.includes('waiting for'));
await board.until('17 of 18 pass it now');
await board.until('suspect nfs-sw1 te1/12');
await board.idle();
save('board.svg', board, size.columns, 'The board of faultline on the demo site');
await board.close();

const dialog = start(['demo', '--incident', 'hdfs-lost'], size);
await dialog.until('17 of 18 pass it now');
await dialog.until('drained by alice');
await dialog.keys('Space', 'Space', 'a');
await dialog.until('> resume');
await dialog.keys('Enter');
await dialog.until('Resume 17 nodes');
save('confirm.svg', dialog, size.columns, 'The dialog before 17 nodes are resumed');
await dialog.close();

const wall = start(['wall', '--demo'], { columns: 110, rows: 30 });
await wall.until('node[78-100] lost together');
await wall.until('17 of 18 pass it now');
await wall.until('core3 te3/46');
await wall.idle();
save('wall.svg', wall, 110, 'The wall display');
await wall.close();

const matrix = start(['demo', '--incident', 'bimodal'], { columns: 130, rows: 34 });
await matrix.until('slows wn-d-03 → wn-d-04');
await matrix.keys('5');
await matrix.until((screen) => /from wn-d-03 .*2\.3!\/9\.5/.test(screen) && /to wn-d-06/.test(screen));
await matrix.idle();
save('matrix.svg', matrix, 130, 'The pair matrix of iperf, one pair bimodal in one direction');
await matrix.close();

const links = start(['demo', '--incident', 'sfp'], size);
await links.until('suspect nfs-sw1 te1/12');
await links.keys('2', 'Enter');
// The matrix is traffic: it is run as a person runs it, by r on the marked clients and the words that the dialog wants.
while (!/^> +node1 /m.test(links.screen())) await links.keys('Down');
await links.keys('Space', 'Space', 'Space', 'Space', 'r');
await links.until('Run the jumbo matrix');
for (let page = 0; page < 12 && !/type "[^"]+" and Enter: _ *│/.test(links.screen()); page++)
  await links.keys('PgDn');
const wanted = /type "([^"]+)"/.exec(links.screen())?.[1] ?? '';
// A dialog takes no key in its first moments, and what comes in one piece is a paste.
await setTimeout(1500);
for (const [at, key] of [...wanted].entries()) {
  await links.keys(key);
  await links.until(`${wanted.slice(0, at + 1)}_`);
}
await links.keys('Enter');
await links.until('done, verified');
await links.keys('Esc', 'g');
await links.until((screen) => /lead this way lose packets/.test(screen));
await links.idle();
save('switches.svg', links, size.columns, 'The link that damages frames, its verdict, and the jumbo matrix');
await links.close();
