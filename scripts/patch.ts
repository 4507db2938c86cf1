import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** A piece of a library's file and what stands there in the bundle. */
export interface Change {
  from: string;
  to: string;
}

/** By file, as `package/path` in node_modules. */
export type Changes = Readonly<Record<string, readonly Change[]>>;

/** The file as it goes into the bundle. Throws when it is not the one that the changes were made for. */
export const patchSource = (changes: Changes, file: string, source: string): string =>
  (changes[file] ?? []).reduce((text, { from, to }) => {
    if (text.split(from).length !== 2)
      throw new Error(`${file} is not as expected: decisions 0150 and 0177 say what to do`);
    return text.replace(from, () => to);
  }, source);

/** Puts the changed files in place of the libraries'; fails when one of them never came by. */
export const patchPlugin = (name: string, changes: Changes): Plugin => ({
  name,
  setup: (hooks) => {
    const left = new Set(Object.keys(changes));
    const any = [...left].map((file) => file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]')).join('|');
    hooks.onLoad({ filter: new RegExp(`[\\\\/]node_modules[\\\\/](${any})$`) }, ({ path }) => {
      const file = path.replaceAll('\\', '/').split('/node_modules/').at(-1) ?? '';
      left.delete(file);
      return { contents: patchSource(changes, file, readFileSync(path, 'utf8')), loader: 'js' };
    });
    hooks.onEnd(() =>
      left.size === 0
        ? {}
        : { errors: [{ text: `of the libraries these files were not changed: ${[...left].join(', ')}` }] },
    );
  },
});
