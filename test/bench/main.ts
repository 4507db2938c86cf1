import { cpus, loadavg } from 'node:os';
import { bigSiteRows, idleRows, startRows } from './console.ts';
import { largeRows } from './large.ts';
import { parseRows } from './parse.ts';
import { pollRows } from './poll.ts';
import { table, type Row } from './row.ts';
import { buildBundle } from './screen.ts';

/**
 * Measures the budgets of docs/design.md and prints them as a table, misses marked. Takes six to eight minutes; other
 * work on the machine shows in the figures, so the load is printed with them. Exit code 0 whatever was missed: the table is
 * for people, figures of a busy machine are no test.
 */
const parts: Readonly<Record<string, () => Promise<Row[]> | Row[]>> = {
  start: startRows,
  idle: idleRows,
  'big site': bigSiteRows,
  large: largeRows,
  poll: pollRows,
  parse: parseRows,
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}; there are: ${Object.keys(parts).join(', ')}`);
  process.exit(64);
}

console.log(
  `node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), load ${loadavg()[0]?.toFixed(1)}`,
);
await buildBundle();
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.error(`measuring: ${name}`);
  try {
    rows.push(...(await measure()));
  } catch (error) {
    rows.push({ what: name, budget: '-', measured: 'not measured', ok: false });
    console.error(error instanceof Error ? error.message : error);
  }
}
console.log(`\n${table(rows)}\n`);
const missed = rows.filter(({ ok }) => ok === false).length;
console.log(missed === 0 ? 'all budgets kept' : `${missed} missed`);
process.exit(0);
