import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashOf } from './mutate.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Which mutants each test meets, and how long it takes; which are met while its file is loaded. `texts`: the hash of the test file
 * and of each source it meets, by path.
 */
export const coverageSchema = z.object({
  texts: z.record(z.string(), z.string()),
  tests: z.record(z.string(), z.object({ ms: z.number(), met: z.array(z.string()) })),
  loading: z.array(z.string()),
});
export type Coverage = z.infer<typeof coverageSchema>;

/** The file of what a test file meets, by its path from the top. */
export const coverageName = (test: string): string => `${test.replaceAll('/', '-')}.json`;

/** What a test file meets, as noted; undefined when it was never noted, or its text is another by now, or that of one of these files. */
export const freshCoverage = (
  folder: string,
  test: string,
  files: readonly string[],
): Coverage | undefined => {
  const path = join(folder, coverageName(test));
  if (!existsSync(path)) return undefined;
  const coverage = coverageSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const isAsNoted = Object.entries(coverage.texts).every(
    ([of, hash]) => (of !== test && !files.includes(of)) || hashOfFile(of) === hash,
  );
  return isAsNoted ? coverage : undefined;
};

export const hashOfFile = (path: string): string => {
  const full = join(ROOT, path);
  return existsSync(full) ? hashOf(readFileSync(full, 'utf8')) : '';
};

/** `test`: its file and names; `text`: the hash of that file. */
const lineSchema = z.union([
  z.object({ begun: z.string(), test: z.string(), text: z.string() }),
  z.object({ id: z.string(), ms: z.number(), killed: z.boolean(), test: z.string(), text: z.string() }),
]);
export type Line = z.infer<typeof lineSchema>;

/** The one that was begun last and has not ended. Looked for every few seconds: of a file of megabytes only its last line is parsed. */
export const readOpen = (folder: string): Extract<Line, { begun: string }> | undefined => {
  const path = join(folder, 'tried.jsonl');
  const last = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) : undefined;
  const line = last ? lineSchema.parse(JSON.parse(last)) : undefined;
  return line && 'begun' in line ? line : undefined;
};

const fileOfTest = (test: string): string => test.split(' > ')[0] ?? '';

/** What came of the mutants so far. */
export class Tried {
  /** By which test, whose file is still as it was then: another one may let it live. */
  readonly killed = new Map<string, string>();
  /** Milliseconds of tests' time. */
  readonly spent = new Map<string, number>();
  private readonly pairs = new Set<string>();
  private readonly hashes = new Map<string, string>();

  constructor(folder: string) {
    const path = join(folder, 'tried.jsonl');
    const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
    for (const text of lines.filter((line) => line !== '')) this.take(lineSchema.parse(JSON.parse(text)));
  }

  take(line: Line): void {
    if ('begun' in line) return;
    this.spent.set(line.id, (this.spent.get(line.id) ?? 0) + line.ms);
    this.pairs.add(`${line.id} ${line.text} ${line.test}`);
    if (line.killed && this.hashOfTest(line.test) === line.text) this.killed.set(line.id, line.test);
  }

  /** Whether this test, of a file with this hash, has outlived it already. */
  has(id: string, text: string, test: string): boolean {
    return this.pairs.has(`${id} ${text} ${test}`);
  }

  private hashOfTest(test: string): string {
    const file = fileOfTest(test);
    const hash = this.hashes.get(file) ?? hashOfFile(file);
    this.hashes.set(file, hash);
    return hash;
  }
}
