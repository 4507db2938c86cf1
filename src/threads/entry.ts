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

/** In the single executable no thread begins with a file; its start leaves here what they begin with (`src/packed`). */
const PACKED_THREAD = Symbol.for('faultline.packedThread');

export const entry = (name: string): Entry => {
  const packed: unknown = Reflect.get(globalThis, PACKED_THREAD);
  return { url: typeof packed === 'string' ? new URL(packed) : fileOf('thread'), argv: [name] };
};
