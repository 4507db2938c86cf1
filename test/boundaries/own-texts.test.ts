import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Where texts are made and shown; what reads the words of tools and machines stands in `read`, `simulate` and `transport`. */
const files = globSync([
  '{src/collect,src/commands,src/remedy,components}/**/*.{ts,tsx}',
  'probes/*/{judge,view,act}/**/*.ts',
]).map((path) => path.replaceAll('\\', '/'));

/** Text of somebody else under a name of ours, and whose it is. */
const elses: Readonly<Record<string, string>> = {
  'src/collect/history-open.ts': "SQLite's own words for its error 1",
  'probes/slurm/judge/find-accounting.ts': 'what sacctmgr says of slurmdbd',
};

const taken =
  /\b(?:message|summary|advice)\??\.(?:split|replace|replaceAll|startsWith|endsWith|includes|indexOf|slice|match|search)\(|\.(?:test|exec)\([^()]*\b(?:message|summary|advice)\b/;

const linesOf = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => taken.test(line) && !/^\s*(?:\*|\/\/|\/\*)/.test(line));

/** What failed, the detail and what comes next are parts of a failure (`Said`); findings have subjects and typed values. */
it('no message, summary or advice of ours is taken apart or matched', () => {
  const found = files.flatMap((path) =>
    path in elses ? [] : linesOf(path).map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

it('each exception is one still', () =>
  expect(Object.keys(elses).filter((path) => linesOf(path).length === 0)).toEqual([]));

it('such a line is seen', () => {
  for (const line of [
    "failure?.message.replace(`${host}: `, '')",
    "message.split('; ')[0]",
    '/ reads /.test(one.summary)',
  ])
    expect(taken.test(line), line).toBe(true);
  for (const line of ['lineOf(failure.said)', 'const { message } = failure;', 'text: failure.message,'])
    expect(taken.test(line), line).toBe(false);
});
