import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What node is given to run a TypeScript entry of this repository from source, like the scripts of package.json. */
export const fromSource = (entry = 'src/main.ts'): string[] => [
  '--import',
  join(root, 'scripts/shell-hooks.ts'),
  '--import',
  'tsx',
  join(root, entry),
];

/** What node is given to run the program: what `$FAULTLINE_PROGRAM` names (`dist/faultline.mjs`), which starts in half the time, else from source. */
export const programArgs = (): string[] => {
  const built = process.env['FAULTLINE_PROGRAM'];
  return built ? [resolve(root, built)] : fromSource();
};
