import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './markdown.ts';

/** Files of a folder, with their texts. */
export const sourcesOf = (folder: string): { name: string; text: string }[] =>
  readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(top, folder, name), 'utf8') }));
