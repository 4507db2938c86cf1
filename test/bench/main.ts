import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { comparedJson, comparedTable, comparePrograms } from './compare.ts';
import { parts, type Part } from './parts.ts';
import { buildHere, programOf, type Program } from './program.ts';
import { kept, table, type Row } from './row.ts';

/**
 * Measures the budgets of docs/design.md and prints them as a table, misses marked; or two programs beside each other. Exit code 0 whatever
 * was missed: the table is for people, figures of a busy machine are no test, so the load is printed with them.
 */
const HELP = `npm run bench [-- PART...]               the budgets, misses marked; six to eight minutes
npm run bench -- compare A B [PART...]   two programs in turn: after B's figures divided by A's
  A and B: a built program (dist/faultline.mjs) or a git revision, which is built
  --without NAME,...  roles and sections that both do without, such as an older program refuses (nfs-client,storage)
  --rounds N          pairs of runs of each part (default 3); six minutes a program and pair for all parts
  --json              the figures as JSON on standard output
parts: ${parts.map(({ name }) => name).join(', ')}`;

class UsageError extends Error {}

const readCommand = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      without: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [first, before, after, ...rest] = positionals;
  const comparing = first === 'compare';
  const names = comparing ? rest : positionals;
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) throw new UsageError(`no such part: ${unknown.join(', ')}`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new UsageError(`--rounds takes a whole number from 1 on`);
  if (comparing && (before === undefined || after === undefined))
    throw new UsageError('compare takes two programs or revisions');
  return {
    ...values,
    rounds,
    chosen: parts.filter(({ name }) => names.length === 0 || names.includes(name)),
    ...(before !== undefined && after !== undefined && comparing && { compare: [before, after] as const }),
  };
};

/** A part that can't be measured is told, and the others go on. */
const attempt = async (part: string, of: string, measure: () => Promise<Row[]>): Promise<Row[]> => {
  console.error(`measuring: ${part}, ${of}`);
  try {
    return await measure();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return [{ what: part, unit: '', limit: 0, note: 'failed' }];
  }
};

const machine = () => ({
  node: process.versions.node,
  cores: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  load: Number(loadavg()[0]?.toFixed(1)),
});

const say = (json: boolean, text: string, data: object): void => {
  const { node, cores, model, load } = machine();
  if (json) console.log(JSON.stringify({ ...machine(), ...data }, undefined, 2));
  else console.log(`node ${node}, ${cores} cores (${model}), load ${load}\n\n${text}`);
};

const measureHere = async (chosen: readonly Part[], json: boolean): Promise<void> => {
  const program = await buildHere();
  const rows: Row[] = [];
  for (const { name, program: measure, modules } of chosen) {
    rows.push(...(await attempt(name, program.name, () => measure(program))));
    if (modules) rows.push(...(await attempt(name, 'modules', modules)));
  }
  const missed = rows.filter((row) => kept(row) === false).length;
  say(json, `${table(rows)}\n\n${missed === 0 ? 'all budgets kept' : `${missed} missed`}`, { rows });
};

const measureBoth = async (
  names: readonly [string, string],
  chosen: readonly Part[],
  { rounds, json, without }: { rounds: number; json: boolean; without: string },
): Promise<void> => {
  const roles = without.split(',');
  const programs: [Program, Program] = [await programOf(names[0], roles), await programOf(names[1], roles)];
  const bars = await comparePrograms(programs, chosen, rounds, (part, program) =>
    attempt(part.name, program.name, () => part.program(program)),
  );
  const [before, after] = programs.map(({ name }) => name);
  say(json, `before: ${before}\nafter:  ${after}\n${rounds} pairs\n\n${comparedTable(bars)}`, {
    before,
    after,
    rounds,
    bars: comparedJson(bars),
  });
};

// What is checked out for it goes with this process, also when it is ended from outside.
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
try {
  const { help, json, rounds, without, chosen, compare } = readCommand();
  if (help) console.log(HELP);
  else if (compare) await measureBoth(compare, chosen, { rounds, json, without });
  else await measureHere(chosen, json);
  process.exit(0);
} catch (error) {
  const usage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  console.error(error instanceof Error ? error.message : error);
  if (usage) console.error(HELP);
  process.exit(usage ? 64 : 1);
}
