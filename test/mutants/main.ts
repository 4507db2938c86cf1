import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { namedIds } from './named.ts';
import { report } from './report.ts';
import { freshCoverage, readOpen, Tried, type Coverage, type Line } from './state.ts';

/** A test that shows nothing for this long hangs on the mutant that it began last. */
const SILENT_MS = 120_000;
const ROOT = join(import.meta.dirname, '../..');

/** Test files of one start of vitest: a start takes seconds, and reads all sources anew. */
const BATCH = 24;

const USAGE = `usage: npm run test:mutants -- [--minutes N] [--budget SECONDS] [--tests NAME,...] [--state DIR] [--report] [FILE...]

Changes one place of src/remedy at a time and sees whether a test fails: of test/remedy, and those elsewhere that
import something of src/remedy. FILE: only mutants of these, as src/remedy/guards.ts: tests that import one of them come first.
--tests: only by test files whose names, or paths, begin so. --minutes: ends by then; what is not finished goes on at the next start;
of sources and tests that were changed since, only what meets the change is run anew.
--budget: of tests' time for one mutant, 20 s unless said: what outlives it counts as alive.
--report: shows what came of it so far. --state: where that stands, /tmp/faultline-mutants unless said.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '600' },
    budget: { type: 'string', default: '20' },
    tests: { type: 'string', default: '' },
    state: { type: 'string', default: '/tmp/faultline-mutants' },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const folder = values.state;
const until = Date.now() + Number(values.minutes) * 60_000;
const files = positionals.length > 0 ? positionals : globSync('src/remedy/*.ts', { cwd: ROOT }).toSorted();

/** Counted as alive without being tried. */
const named = namedIds(files);

/** Runs tests over the mutants; false when it had to be ended. */
const vitest = (tests: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const args = [
      'vitest',
      'run',
      '--config',
      'test/mutants/vitest.config.ts',
      '--reporter',
      'dot',
      ...tests,
    ];
    const child = spawn('npx', args, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        FAULTLINE_MUTANTS: folder,
        FAULTLINE_MUTANTS_ONLY: files.join(','),
        FAULTLINE_MUTANTS_BUDGET_MS: String(Number(values.budget) * 1000),
        FAULTLINE_MUTANTS_ORDER: tests.join(','),
      },
    });
    let ended = true;
    const end = (): void => {
      ended = false;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const watch = setInterval(() => {
      const path = join(folder, 'tried.jsonl');
      const changed = existsSync(path) ? statSync(path).mtimeMs : Date.now();
      const silent = Date.now() - changed > SILENT_MS && readOpen(folder) !== undefined;
      if (silent || Date.now() > until) end();
    }, 5000);
    // It is in a group of its own: nobody else ends it.
    const stop = (): void => {
      end();
      process.exit(130);
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
    child.on('close', () => {
      clearInterval(watch);
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(ended);
    });
  });

const wanted = values.tests.split(',');
const elsewhere = globSync('test/{audit,commands,hostile,night,text}/*.test.ts', { cwd: ROOT }).filter(
  (path) => /from '[./]*(?:src\/)?remedy\//.test(readFileSync(join(ROOT, path), 'utf8')),
);
const tests = [...globSync('test/remedy/*.test.ts', { cwd: ROOT }), ...elsewhere].toSorted();
const chosen = tests.filter((test) =>
  wanted.some((name) => test.startsWith(name) || basename(test).startsWith(name)),
);

/** What a test takes, on average. */
const costOf = ({ tests: each }: Coverage): number => {
  const all = Object.values(each);
  return all.reduce((sum, { ms }) => sum + ms, 0) / Math.max(1, all.length);
};

/** Whether a test of this file meets one that is alive and that it has not outlived yet. */
const hasWork = (tried: Tried, test: string, { tests: each, texts }: Coverage): boolean => {
  const isLeft = (id: string, name: string): boolean =>
    !named.has(id) &&
    !tried.killed.has(id) &&
    !tried.has(id, texts[test] ?? '', name) &&
    (tried.spent.get(id) ?? 0) < 2000 * Number(values.budget) &&
    files.includes(id.split(' ')[0] ?? '');
  return Object.entries(each).some(([name, { met }]) => met.some((id) => isLeft(id, name)));
};

/** Whether a test file imports one of the files that are mutated. */
const isOwn = (test: string): boolean => {
  const text = readFileSync(join(ROOT, test), 'utf8');
  return files.some((file) => text.includes(`remedy/${basename(file)}'`));
};

const run = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const stale = chosen.filter((one) => !freshCoverage(folder, one, files));
  for (let at = 0; at < stale.length && Date.now() < until; at += BATCH) {
    const batch = stale.slice(at, at + BATCH);
    process.stderr.write(`what is met by ${batch.map((test) => basename(test)).join(' ')}\n`);
    await vitest(batch);
  }
  const known = chosen.flatMap((test) => {
    const coverage = freshCoverage(folder, test, files);
    return coverage ? [{ test, coverage, cost: costOf(coverage) - (isOwn(test) ? 1e6 : 0) }] : [];
  });
  let left = known.toSorted((a, b) => a.cost - b.cost);
  for (;;) {
    const tried = new Tried(folder);
    left = left.filter(({ test, coverage }) => hasWork(tried, test, coverage));
    if (left.length === 0 || Date.now() > until) return;
    const batch = left.slice(0, BATCH).map(({ test }) => test);
    left = left.slice(BATCH);
    while (!(await vitest(batch)) && Date.now() < until) hangs();
    const names = batch.map((test) => basename(test)).join(' ');
    process.stderr.write(`${names} killed ${new Tried(folder).killed.size - tried.killed.size}\n`);
  }
};

/** Of the one that was begun last, nothing more was heard. */
const hangs = (): void => {
  const open = readOpen(folder);
  if (open === undefined) return;
  const { begun: id, test, text } = open;
  const line: Line = { id, ms: SILENT_MS, killed: true, test, text };
  appendFileSync(join(folder, 'tried.jsonl'), `${JSON.stringify(line)}\n`);
};

if (values.help) process.stdout.write(USAGE);
else {
  if (!values.report) await run();
  const known = tests.flatMap((test) => freshCoverage(folder, test, files) ?? []);
  process.exitCode = report(folder, files, known, tests) ? 0 : 1;
}
