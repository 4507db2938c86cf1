import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Which mutants each test meets, and how long it takes; which are met while its file is loaded. */
export const coverageSchema = z.object({
  tests: z.record(z.string(), z.object({ ms: z.number(), met: z.array(z.string()) })),
  loading: z.array(z.string()),
});
export type Coverage = z.infer<typeof coverageSchema>;

/** The file of what a test file meets, by its path from the top. */
export const coverageName = (test: string): string => `${test.replaceAll('/', '-')}.json`;

const lineSchema = z.union([
  z.object({ begun: z.string() }),
  z.object({ id: z.string(), ms: z.number(), killed: z.boolean(), test: z.string() }),
]);

/** What came of the mutants so far: who killed it, how long it was tried, and the one that was begun last and never ended. */
export const tried = (
  folder: string,
): { killed: ReadonlyMap<string, string>; spent: ReadonlyMap<string, number>; open: string | undefined } => {
  const path = join(folder, 'tried.jsonl');
  const killed = new Map<string, string>();
  const spent = new Map<string, number>();
  let open: string | undefined;
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  for (const text of lines.filter((line) => line !== '')) {
    const line = lineSchema.parse(JSON.parse(text));
    if ('begun' in line) {
      open = line.begun;
      continue;
    }
    open = undefined;
    spent.set(line.id, (spent.get(line.id) ?? 0) + line.ms);
    if (line.killed) killed.set(line.id, line.test);
  }
  return { killed, spent, open };
};
