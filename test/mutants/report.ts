import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutate, type Mutant } from './mutate.ts';
import { Tried, type Coverage } from './state.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = 'docs/mutation.md';
/** Of what is tried, at least so much must be killed. */
const WANTED = 0.9;

/**
 * Prints what came of the mutants of these files, those alive in full; false when too few are killed, or one lives that the
 * document does not name with a reason.
 */
export const report = (folder: string, files: readonly string[], coverage: readonly Coverage[]): boolean => {
  const { killed } = new Tried(folder);
  const met = new Set<string>();
  const loading = new Set<string>();
  for (const { tests, loading: early } of coverage) {
    for (const id of Object.values(tests).flatMap((test) => test.met)) met.add(id);
    for (const id of early) loading.add(id);
  }
  // Cells of a table are padded.
  const document = readFileSync(join(ROOT, DOCUMENT), 'utf8').replaceAll(/ +\|/g, ' |');
  const sum = { tried: 0, killed: 0, loading: 0, unnamed: 0 };
  for (const file of files) {
    const { mutants } = mutate(file, readFileSync(join(ROOT, file), 'utf8'));
    // What runs only while a module is loaded can't be chosen later: constants.
    const all = mutants.filter(({ id }) => met.has(id) || !loading.has(id));
    const alive = all.filter(({ id }) => !killed.has(id));
    sum.loading += mutants.length - all.length;
    sum.tried += all.length;
    sum.killed += all.length - alive.length;
    process.stdout.write(`${file}: ${all.length - alive.length} of ${all.length}\n`);
    for (const one of alive) {
      const named = document.includes(rowOf(file, one));
      if (!named) sum.unnamed += 1;
      process.stdout.write(
        `  ${one.line}${met.has(one.id) ? '' : ' (no test comes here)'}${named ? ' (named)' : ''}: ${one.from}  ->  ${one.to}\n`,
      );
    }
  }
  const share = sum.killed / Math.max(1, sum.tried);
  process.stdout.write(
    `${sum.killed} of ${sum.tried} killed (${(share * 100).toFixed(1)} %), ${sum.unnamed} alive that ${DOCUMENT} does not name; ${sum.loading} constants not tried\n`,
  );
  return share >= WANTED && sum.unnamed === 0;
};

/** How the document names it: a row begins so. */
const rowOf = (file: string, { from, to }: Mutant): string => {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return `| \`${file.replace('src/remedy/', '')}\` | \`${cell(from)}\` | \`${cell(to)}\` |`;
};
