import { createRequire, registerHooks } from 'node:module';
import { getAsset } from 'node:sea';
import { isMainThread } from 'node:worker_threads';

/**
 * What the single executable begins with, and each of its threads. Modules of the bundle are read out of the file that runs: nothing is
 * unpacked, so no folder has to be found, trusted, or kept from those who tidy /tmp (docs/decisions/0650).
 */

/** Where the files of the bundle seem to lie. There is no such folder. */
const INSIDE = 'file:///faultline.packed/';

/** Node begins the executable with a CommonJS script, which may import only what Node brings; a module may import anything. */
const STEP = `${INSIDE}start.cjs`;
const stepText = `void import(${JSON.stringify(`${INSIDE}faultline.mjs`)});`;

const formatOf = (url: string): 'commonjs' | 'module' => (url.endsWith('.cjs') ? 'commonjs' : 'module');

const textOf = (url: string): string =>
  url === STEP ? stepText : getAsset(url.slice(INSIDE.length), 'utf8');

registerHooks({
  resolve: (specifier, context, next) => {
    const isInside = specifier.startsWith(INSIDE);
    const isBeside = specifier.startsWith('./') && context.parentURL?.startsWith(INSIDE) === true;
    if (!isInside && !isBeside) return next(specifier, context);
    const url = new URL(specifier, context.parentURL).href;
    return { url, format: formatOf(url), shortCircuit: true };
  },
  load: (url, context, next) =>
    url.startsWith(INSIDE)
      ? { format: formatOf(url), source: textOf(url), shortCircuit: true }
      : next(url, context),
});

// Threads begin with this same script as a module, and start threads themselves; `src/threads/entry.ts` looks here.
const thread = `data:text/javascript,${encodeURIComponent(getAsset('packed-thread.mjs', 'utf8'))}`;
Reflect.set(globalThis, Symbol.for('faultline.packedThread'), thread);

if (isMainThread) createRequire('/')(STEP);
else {
  // With a file Node puts its path here, and what begins next counts on that.
  process.argv.splice(1, 0, `${INSIDE}thread.mjs`);
  void import(`${INSIDE}thread.mjs`);
}
