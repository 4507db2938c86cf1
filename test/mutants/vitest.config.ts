import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { shellModule } from '../../scripts/shell-text.ts';
import { mutate } from './mutate.ts';

const root = join(import.meta.dirname, '../..');

const shell: Plugin = {
  name: 'shell',
  enforce: 'pre',
  load: (id) => (id.endsWith('.sh') ? shellModule(id) : undefined),
};

const mutants: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  load: (id) => {
    const file = relative(root, id);
    return file.startsWith('src/remedy/') ? mutate(file, readFileSync(id, 'utf8')).code : undefined;
  },
};

/** The tests as they are, over sources that hold all mutants; one worker, whose runner chooses them. */
export default defineConfig({
  root,
  plugins: [shell, mutants],
  test: {
    globalSetup: ['test/helpers/own-tmp.ts', 'test/helpers/shared-folder.ts'],
    execArgv: ['--import', './scripts/shell-hooks.ts'],
    include: ['test/**/*.test.{ts,tsx}'],
    env: { FORCE_COLOR: '0', TZ: 'UTC' },
    runner: join(import.meta.dirname, 'runner.ts'),
    testTimeout: 120_000,
    maxWorkers: 1,
    fileParallelism: false,
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
