import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
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
    return /^src\/remedy\/.*\.ts$/.test(file) ? mutate(file, readFileSync(id, 'utf8')).code : undefined;
  },
};

const order = (process.env['FAULTLINE_MUTANTS_ORDER'] ?? '').split(',');
const placeOf = ({ moduleId }: TestSpecification): number => order.indexOf(relative(root, moduleId));

/** As they are named: the cheap ones first. */
class AsNamed extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((a, b) => placeOf(a) - placeOf(b)));
  }
}

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
    sequence: { sequencer: AsNamed },
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
