import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutate, type Mutant } from './mutate.ts';

const ROOT = join(import.meta.dirname, '../..');
export const DOCUMENT = 'docs/mutation.md';

/** Rows of the document's table of what lives with a reason, as far as the reason; cells of a table are padded. */
const rows = (): Set<string> =>
  new Set(
    readFileSync(join(ROOT, DOCUMENT), 'utf8')
      .replaceAll(/ +\|/g, ' |')
      .split('\n')
      .flatMap((line) => /^\| `[^`]+` \| `.*?` \| `.*?` \|(?= \S)/.exec(line)?.[0] ?? []),
  );

const rowOf = (file: string, { from, to }: Mutant): string => {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  return `| \`${file.replace('src/remedy/', '')}\` | \`${cell(from)}\` | \`${cell(to)}\` |`;
};

/** Mutants that the document names with a reason why they live: they are alive without being tried. */
export const namedIds = (files: readonly string[]): Set<string> => {
  const known = rows();
  return new Set(
    files
      .filter((file) => existsSync(join(ROOT, file)))
      .flatMap((file) =>
        mutate(file, readFileSync(join(ROOT, file), 'utf8'))
          .mutants.filter((mutant) => known.has(rowOf(file, mutant)))
          .map(({ id }) => id),
      ),
  );
};

/** Rows that no mutant of these files has, though they are of one of them: what they are about was changed since. */
export const staleRows = (files: readonly string[]): string[] => {
  const left = rows();
  for (const file of files)
    for (const mutant of mutate(file, readFileSync(join(ROOT, file), 'utf8')).mutants)
      left.delete(rowOf(file, mutant));
  return [...left].filter((row) =>
    files.some((file) => row.startsWith(`| \`${file.replace('src/remedy/', '')}\``)),
  );
};
