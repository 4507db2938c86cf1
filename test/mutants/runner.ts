import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TestRunner, type RunnerTask, type RunnerTestCase, type RunnerTestFile } from 'vitest';
import { coverageName, coverageSchema, tried, type Coverage } from './state.ts';

/** More looks at mutants than any test takes: one of them goes round for ever. */
const MOST_LOOKS = 3_000_000;
/** Of tests' time, for one mutant: what outlives this counts as alive. */
const BUDGET_MS = 20_000;

const { FAULTLINE_MUTANTS: folder = '', FAULTLINE_MUTANTS_ONLY: only = '' } = process.env;

const now = { id: '', looks: 0 };
let hits = new Set<string>();
const isMine = (id: string): boolean => only.split(',').some((file) => id.startsWith(`${file} `));

Object.assign(globalThis, {
  mutant: (id: string): boolean => {
    if (now.id === '') hits.add(id);
    else if (++now.looks > MOST_LOOKS) throw new Error('a mutant goes round for ever');
    return id === now.id;
  },
});

/**
 * Runs each test once as it is and notes which mutants it meets, or, when that was noted, once more for each of them that is still
 * alive: a test that fails then has killed it. Hooks run around each as around a test that is repeated.
 */
export default class MutantRunner extends TestRunner {
  private readonly coverage: Coverage = { tests: {}, loading: [] };
  private known: Coverage | undefined;
  private turns: readonly string[] = [];
  private since = 0;
  private path = '';

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    hits = new Set();
    this.path = join(folder, coverageName(relative(process.cwd(), file.filepath)));
    this.known = existsSync(this.path)
      ? coverageSchema.parse(JSON.parse(readFileSync(this.path, 'utf8')))
      : undefined;
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    if (Object.keys(this.coverage.tests).length === 0) this.coverage.loading = [...hits];
    if (!this.known || test.type !== 'test') return;
    const { killed, spent } = tried(folder);
    const met = this.known.tests[nameOf(test)]?.met ?? [];
    this.turns = met.filter((id) => isMine(id) && !killed.has(id) && (spent.get(id) ?? 0) < BUDGET_MS);
    test.repeats = Math.max(0, this.turns.length - 1);
    if (this.turns.length === 0) test.mode = 'skip';
  }

  override onBeforeTryTask(test: RunnerTask, options: { retry: number; repeats: number }): void {
    super.onBeforeTryTask(test, options);
    this.since = performance.now();
    now.looks = 0;
    hits = new Set();
    now.id = this.turns[options.repeats] ?? '';
    if (now.id !== '') this.note({ begun: now.id });
  }

  /** A mutant that waits for ever is ended after five times as long as the test takes. */
  runTask = async (test: RunnerTestCase): Promise<void> => {
    const usual = this.known?.tests[nameOf(test)]?.ms;
    const run = TestRunner.getTestFn(test);
    if (usual === undefined) return void (await run());
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('takes for ever')), 1500 + usual * 5);
    await Promise.race([run(), late.promise]).finally(() => clearTimeout(timer));
  };

  override async onAfterRetryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ): Promise<void> {
    const ms = Math.round(performance.now() - this.since);
    const failed = test.result?.state === 'fail';
    if (now.id !== '') {
      this.note({ id: now.id, ms, killed: failed, test: nameOf(test) });
      if (test.result?.errors) test.result.errors = [];
    } else if (!this.known && !failed) this.coverage.tests[nameOf(test)] = { ms, met: [...hits] };
    now.id = '';
    await super.onAfterRetryTask(test, options);
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    if (!this.known) writeFileSync(this.path, JSON.stringify(this.coverage));
  }

  private note(line: object): void {
    appendFileSync(join(folder, 'tried.jsonl'), `${JSON.stringify(line)}\n`);
  }
}

const nameOf = (test: RunnerTask): string => {
  const parts: string[] = [];
  for (let at: RunnerTask | undefined = test; at; at = at.suite) parts.unshift(at.name);
  return parts.join(' > ');
};
