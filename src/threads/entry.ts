/**
 * The file of an entry next to this one: `.ts` when run from source, `.mjs` in the bundle. Entries and the bundle's chunks
 * lie flat in one folder, so that this holds in both.
 */
export const fileOf = (name: string): URL =>
  new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.mjs'}`, import.meta.url);

/** An entry as a thread is started with it: `new Worker(url, { argv })`. */
export interface Entry {
  url: URL;
  argv: readonly string[];
}

export const entry = (name: string): Entry => ({ url: fileOf('thread'), argv: [name] });
