import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, mutate } from './mutate.ts';
import { DOCUMENT, namedIds, staleRows, takeListed } from './named.ts';
import { hashOfFile, Tried, type Coverage } from './state.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Of what is tried, at least so much must be killed. */
const WANTED = 0.9;

/** One hash for many files: what a verdict is about. */
const hashOfAll = (files: readonly string[]): string => hashOf(files.toSorted().map(hashOfFile).join(' '));

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * Prints what came of the mutants of these files, those alive in full; false when too few are killed, when one lives that the document
 * names neither with a reason nor in its list, and when it names one that is not there any more.
 */
export const report = (
  folder: string,
  files: readonly string[],
  coverage: readonly Coverage[],
  tests: readonly string[],
): boolean => {
  const { killed } = new Tried(folder);
  const met = new Set<string>();
  const loading = new Set<string>();
  for (const { tests: each, loading: early } of coverage) {
    for (const id of Object.values(each).flatMap((test) => test.met)) met.add(id);
    for (const id of early) loading.add(id);
  }
  const named = namedIds(files);
  const isListed = takeListed();
  const sum = { tried: 0, killed: 0, loading: 0, unnamed: 0, low: 0 };
  for (const file of files) {
    const { mutants } = mutate(file, readFileSync(join(ROOT, file), 'utf8'));
    // What runs only while a module is loaded can't be chosen later: constants.
    const all = mutants.filter(({ id }) => met.has(id) || !loading.has(id));
    const alive = all.filter(({ id }) => !killed.has(id));
    sum.loading += mutants.length - all.length;
    sum.tried += all.length;
    sum.killed += all.length - alive.length;
    if (alive.length > all.length * (1 - WANTED)) sum.low += 1;
    print(`${file}: ${all.length - alive.length} of ${all.length}`);
    for (const { id, line, from, to } of alive) {
      const how = named.has(id) ? ' (named)' : isListed(file, { from, to }) ? ' (listed)' : '';
      if (how === '') sum.unnamed += 1;
      print(`  ${line}${met.has(id) ? '' : ' (no test comes here)'}${how}: ${from}  ->  ${to}`);
    }
  }
  const stale = staleRows(files);
  for (const row of stale) print(`${DOCUMENT} names what is not there: ${row}`);
  const share = sum.killed / Math.max(1, sum.tried);
  print(
    `${sum.killed} of ${sum.tried} killed (${(share * 100).toFixed(1)} %), ${sum.unnamed} alive that ${DOCUMENT} does not name; ${sum.low} files under ${WANTED * 100} %; ${sum.loading} constants not tried`,
  );
  print(
    `of ${files.length} files ${hashOfAll(files)} by ${coverage.length} of ${tests.length} test files ${hashOfAll(tests)}`,
  );
  return share >= WANTED && sum.unnamed === 0 && stale.length === 0;
};
