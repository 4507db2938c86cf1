import { defineConfig, type Plugin } from 'vitest/config';
import { shellFile, shellModule } from './scripts/shell-text.ts';

/** Only where nobody watches: `.ci/run` names every test that needed it (docs/decisions/0173). */
const retry = process.env['CI'] === undefined ? 0 : 1;

/** Scripts as text; threads that tests start have it by the hook of `execArgv`. */
const shell: Plugin = {
  name: 'shell',
  enforce: 'pre',
  load: (id) => (shellFile.test(id) ? shellModule(id) : undefined),
};

/** Three suites: `unit` (pure and small), `e2e` (a real terminal on the demo site), `lab` (real daemons; root). */
export default defineConfig({
  plugins: [shell],
  test: {
    globalSetup: ['test/helpers/own-tmp.ts', 'test/helpers/shared-folder.ts'],
    execArgv: ['--import', './scripts/shell-hooks.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          retry,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**', 'test/lab/**', 'test/bench/**'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          env: { FORCE_COLOR: '0', TZ: 'UTC' },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          retry,
          include: ['test/e2e/**/*.test.{ts,tsx}'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // They wait for holds, polls and timers most of their time: two at once leave room for the unit tests and the lab (docs/decisions/0290).
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'lab',
          retry,
          include: ['test/lab/**/*.test.{ts,tsx}'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
