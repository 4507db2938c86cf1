/**
 * The URL of an entry (a worker) next to this file: `.ts` when run from source, `.mjs` in the bundle. Entries and the
 * bundle's chunks lie flat in one folder, so that this holds in both.
 */
export const entry = (name: string): URL =>
  new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.mjs'}`, import.meta.url);
