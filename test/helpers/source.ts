import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What node is given to run a TypeScript entry of this repository from source, like the scripts of package.json. */
export const fromSource = (entry = 'src/main.ts'): string[] => [
  '--import',
  join(root, 'scripts/shell-hooks.ts'),
  '--import',
  'tsx',
  join(root, entry),
];
