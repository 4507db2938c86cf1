import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { inkPatch } from './ink-patch.ts';
import { bundledPackages, licenceTexts } from './licences.ts';
import { shellFile, shellModule } from './shell-text.ts';
import { startPatch } from './start-patch.ts';

/**
 * The bundle, in `dist` or in the folder that is named: one file per entry, shared chunks beside them in the same folder
 * (`src/threads/entry.ts` finds workers next to the chunk that asks for them). Its `meta.json` says which module went where:
 * tests read from it that the read-only program holds no remedy code.
 */
const threads = ['thread', 'worker', 'worker-readonly', 'demo-worker', 'parse-worker'];
const entries = ['faultline', ...threads.map((name) => `threads/${name}`)].map((name) => `src/${name}.ts`);
const missing = entries.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`no such entry: ${missing.join(', ')}`);

/** Ink asks for it in development only, but as a static import: external would fail at run time. */
const noDevtools: Plugin = {
  name: 'no-devtools',
  setup: (hooks) => {
    hooks.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'stub' }));
    hooks.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: 'export default {};' }));
  },
};

/** Scripts as text. */
const shell: Plugin = {
  name: 'shell',
  setup: (hooks) => {
    hooks.onLoad({ filter: shellFile }, ({ path }) => ({ contents: shellModule(path), loader: 'js' }));
  },
};

/** Bundled CommonJS asks for these three, which ESM does not have. */
const banner = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n');

const folder = process.argv[2] ?? 'dist';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const result = await build({
  entryPoints: entries.map((file) => ({ in: file, out: basename(file, '.ts') })),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  jsx: 'automatic',
  minify: true,
  metafile: true,
  legalComments: 'external',
  define: { 'process.env.NODE_ENV': '"production"' },
  // ssh2 requires both inside try/catch and falls back to plain JavaScript.
  external: ['cpu-features', '*.node'],
  plugins: [noDevtools, shell, inkPatch, startPatch],
  banner: { js: banner },
  logLevel: 'warning',
});
writeFileSync(`${folder}/meta.json`, JSON.stringify(result.metafile));
const packages = bundledPackages(Object.keys(result.metafile.inputs));
writeFileSync(`${folder}/LICENCES.txt`, licenceTexts(packages));
const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
process.stdout.write(`${folder}: ${entries.length} entries, ${(bytes / 1024).toFixed(0)} KiB\n`);
