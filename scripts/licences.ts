import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the packages whose files are in a bundle, sorted: `node_modules/ink`, `node_modules/a/node_modules/@b/c`. */
export const bundledPackages = (inputs: readonly string[]): string[] => {
  const folders = inputs.flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].toSorted();
};

/** The MIT licence as SPDX has it, for packages that name it and bring no file. */
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

interface About {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
}

/** Name, version and licence text of each package, as their licences ask of who passes them on. Throws where there is none. */
export const licenceTexts = (folders: readonly string[]): string =>
  `${folders.map(licenceText).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;

const licenceText = (folder: string): string => {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as About;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)(\.|$)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && license === 'MIT') {
    const who = typeof author === 'object' ? author.name : author;
    texts.push(`Copyright (c) ${who ?? `the authors of ${name}`}\n\n${mit}`);
  }
  if (texts.length === 0) throw new Error(`${folder} brings no licence text (${license ?? 'none named'})`);
  return [`${name} ${version}${license === undefined ? '' : `, ${license}`}`, ...texts].join('\n\n');
};
