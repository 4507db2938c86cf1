import { appendFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { TestRunner, type RunnerTask, type RunnerTestCase, type RunnerTestFile } from 'vitest';
import { namedIds } from './named.ts';
import { coverageName, freshCoverage, hashOfFile, Tried, type Coverage } from './state.ts';

/** More looks at mutants than any test takes: one of them goes round for ever. */
const MOST_LOOKS = 3_000_000;
/** A test that takes less is tried on a mutant that outlived its share of tests' time, too: as long again. */
const CHEAP_MS = 300;

/** How often a test that is under way is looked at. */
const TURN_MS = 50;

const {
  FAULTLINE_MUTANTS: folder = '',
  FAULTLINE_MUTANTS_ONLY: only = '',
  FAULTLINE_MUTANTS_BUDGET_MS: budgetMs = '20000',
} = process.env;
/** Of tests' time, for one mutant: what outlives this counts as alive. */
const BUDGET_MS = Number(budgetMs);

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
  private readonly coverage: Coverage = { texts: {}, tests: {}, loading: [] };
  private readonly tried = new Tried(folder);
  private readonly named = namedIds(only.split(','));
  private known: Coverage | undefined;
  private turns: readonly string[] = [];
  private since = 0;
  private file = '';
  private text = '';

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    hits = new Set();
    this.file = relative(process.cwd(), file.filepath);
    this.text = hashOfFile(this.file);
    this.known = freshCoverage(folder, this.file, only.split(','));
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    if (Object.keys(this.coverage.tests).length === 0) this.coverage.loading = [...hits];
    if (!this.known || test.type !== 'test') return;
    const name = nameOf(test);
    const { met = [], ms = 0 } = this.known.tests[name] ?? {};
    this.turns = met.filter(
      (id) =>
        isMine(id) &&
        !this.named.has(id) &&
        !this.tried.killed.has(id) &&
        !this.tried.has(id, this.text, name) &&
        (this.tried.spent.get(id) ?? 0) < (ms < CHEAP_MS ? 2 * BUDGET_MS : BUDGET_MS),
    );
    test.repeats = Math.max(0, this.turns.length - 1);
    if (this.turns.length === 0) test.mode = 'skip';
  }

  override onBeforeTryTask(test: RunnerTask, options: { retry: number; repeats: number }): void {
    super.onBeforeTryTask(test, options);
    this.since = performance.now();
    now.looks = 0;
    hits = new Set();
    now.id = this.turns[options.repeats] ?? '';
    if (now.id !== '') this.note({ begun: now.id, test: nameOf(test), text: this.text });
  }

  /** A mutant that waits for ever is ended after five times as long as the test takes: of our own turns, as a busy machine gives few. */
  runTask = async (test: RunnerTestCase): Promise<void> => {
    const usual = this.known?.tests[nameOf(test)]?.ms;
    const run = TestRunner.getTestFn(test);
    if (usual === undefined) return void (await run());
    const late = Promise.withResolvers<never>();
    let turns = (600 + usual * 5) / TURN_MS;
    const timer = setInterval(() => {
      if (--turns < 0) late.reject(new Error('takes for ever'));
    }, TURN_MS);
    await Promise.race([run(), late.promise]).finally(() => clearInterval(timer));
  };

  override async onAfterRetryTask(
    test: RunnerTestCase,
    options: { retry: number; repeats: number },
  ): Promise<void> {
    const ms = Math.round(performance.now() - this.since);
    const failed = test.result?.state === 'fail';
    if (now.id !== '') {
      this.note({ id: now.id, ms, killed: failed, test: nameOf(test), text: this.text });
      if (test.result?.errors) test.result.errors = [];
    } else if (!this.known && !failed) this.coverage.tests[nameOf(test)] = { ms, met: [...hits] };
    now.id = '';
    await super.onAfterRetryTask(test, options);
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    if (this.known) return;
    const met = Object.values(this.coverage.tests).flatMap((test) => test.met);
    const sources = [...this.coverage.loading, ...met].map((id) => id.split(' ')[0] ?? '');
    for (const text of new Set([this.file, ...sources])) this.coverage.texts[text] = hashOfFile(text);
    writeFileSync(join(folder, coverageName(this.file)), JSON.stringify(this.coverage));
  }

  private note(line: Parameters<Tried['take']>[0]): void {
    this.tried.take(line);
    appendFileSync(join(folder, 'tried.jsonl'), `${JSON.stringify(line)}\n`);
  }
}

/** `FILE > SUITE > ... > NAME`. */
const nameOf = (test: RunnerTask): string => {
  const parts: string[] = [];
  for (let at: RunnerTask | undefined = test; at; at = at.suite) parts.unshift(at.name);
  return [relative(process.cwd(), test.file.filepath), ...parts].join(' > ');
};
