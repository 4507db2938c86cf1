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

/** Lines under the heading of what lives and has no test yet, as `file.ts: what stands there  ->  changed to`: one for each mutant. */
const listedLines = (): string[] => {
  const text = readFileSync(join(ROOT, DOCUMENT), 'utf8').split('## Alive, and no test yet')[1] ?? '';
  return text.split('\n').filter((line) => line.includes('  ->  '));
};

const lineOf = (file: string, { from, to }: Pick<Mutant, 'from' | 'to'>): string =>
  `${file.replace('src/remedy/', '')}: ${from}  ->  ${to}`;

/**
 * Whether the document lists this mutant as alive without a reason: it is tried all the same. Each call takes a line away: of many
 * that read alike (`0  ->  1`) as many may live as there are lines.
 */
export const takeListed = (): ((file: string, mutant: Pick<Mutant, 'from' | 'to'>) => boolean) => {
  const left = listedLines();
  return (file, mutant) => {
    const at = left.indexOf(lineOf(file, mutant));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
};

/** Rows and lines that no mutant of these files has, though they are of one of them: what they are about was changed since. */
export const staleRows = (files: readonly string[]): string[] => {
  const left = new Set([...rows(), ...listedLines()]);
  for (const file of files)
    for (const mutant of mutate(file, readFileSync(join(ROOT, file), 'utf8')).mutants) {
      left.delete(rowOf(file, mutant));
      left.delete(lineOf(file, mutant));
    }
  return [...left].filter((row) =>
    files.some((file) => {
      const name = file.replace('src/remedy/', '');
      return row.startsWith(`| \`${name}\``) || row.startsWith(`${name}: `);
    }),
  );
};
