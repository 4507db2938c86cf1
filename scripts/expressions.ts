import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allExpressions, keyOf, verdictOf, type Verdicts } from '../test/hostile/expressions.ts';

/** Checks every expression that has no verdict yet and writes the list that the tests go by. Takes up to a minute for each. */
const TIMEOUT_MS = 60_000;

const list = join(import.meta.dirname, '../test/hostile/expressions.json');
const known = JSON.parse(readFileSync(list, 'utf8')) as Verdicts;
const linear = new Set(known.linear);
const quadratic = new Set(known.quadratic);
const next = { linear: [] as string[], quadratic: [] as string[], undecided: {} as Record<string, string> };
for (const expression of allExpressions()) {
  const key = keyOf(expression);
  const why = known.undecided[key];
  const verdict = linear.has(key)
    ? 'linear'
    : quadratic.has(key)
      ? 'quadratic'
      : why === undefined
        ? verdictOf(expression, TIMEOUT_MS)
        : 'undecided';
  if (verdict === 'undecided') next.undecided[key] = why ?? '';
  else if (verdict === 'worse') {
    process.exitCode = 1;
    process.stderr.write(`worse than quadratic, to be mended: ${key} (${expression.files.join(', ')})\n`);
  } else next[verdict].push(key);
}
for (const [key, why] of Object.entries(next.undecided))
  if (why === '') process.stderr.write(`undecided, say in ${list} why it does no harm: ${key}\n`);
writeFileSync(
  list,
  `${JSON.stringify({ ...next, linear: next.linear.toSorted(), quadratic: next.quadratic.toSorted() }, null, 2)}\n`,
);
