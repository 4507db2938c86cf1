import { readFileSync, writeFileSync } from 'node:fs';
import { keyTable } from '../components/help.ts';

/** Writes the table of keys between its two marks in the README: `node scripts/keys.ts`. */
const file = new URL('../README.md', import.meta.url);
const readme = readFileSync(file, 'utf8');
const marks = /(<!-- keys -->\n)[\s\S]*?(\n<!-- \/keys -->)/;
if (!marks.test(readme)) throw new Error('README.md has no <!-- keys --> ... <!-- /keys -->');
writeFileSync(
  file,
  readme.replace(marks, (_, open: string, close: string) => `${open}\n${keyTable()}\n${close}`),
);
