import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The top of the repository. */
export const top = join(import.meta.dirname, '../..');

/** One Markdown file of the repository; `path` from its top. */
export interface Page {
  path: string;
  text: string;
}

const page = (path: string): Page => ({ path, text: readFileSync(join(top, path), 'utf8') });

const inFolder = (folder: string): Page[] =>
  readdirSync(join(top, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => page(`${folder}/${name}`));

/** What describes the program as it is: here every name must exist. */
export const chapters: readonly Page[] = [
  page('README.md'),
  page('CONTRIBUTING.md'),
  ...inFolder('docs'),
  ...inFolder('docs/systems'),
];

/** Chapters, and what tells of its own time: there only links are checked. */
export const pages: readonly Page[] = [...chapters, page('CHANGELOG.md'), ...inFolder('docs/decisions')];

export const chapter = (path: string): Page => {
  const found = chapters.find((one) => one.path === path);
  if (!found) throw new Error(`${path} is no chapter`);
  return found;
};

/** Text in backquotes, code blocks aside. */
export const spansOf = ({ text }: Page): string[] =>
  [...withoutBlocks(text).matchAll(/(`+)([^`].*?)\1/g)].map((match) => match[2] ?? '');

/** Lines of code blocks. */
export const blockLines = ({ text }: Page): string[] =>
  [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap((match) => (match[1] ?? '').split('\n'));

const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');

/** Where a link leads: path from the top (empty: this page) and the heading in it. */
export const linksOf = ({ path, text }: Page): { to: string; heading: string; link: string }[] =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
    const link = match[1] ?? '';
    if (/^[a-z]+:/.test(link)) return [];
    const [file = '', heading = ''] = link.split('#');
    const to = file === '' ? path : relative(top, join(top, dirname(path), file));
    return [{ to, heading, link }];
  });

/** A heading as GitHub makes it a link. */
export const anchorsOf = ({ text }: Page): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Rows of all tables whose first heading is `first`: heading to cell. */
export const rowsOf = ({ text }: Page, first: string): Record<string, string>[] =>
  [...text.matchAll(/(?:^\|.*\n)+/gm)].flatMap(([table]) => {
    const [head = '', , ...rows] = table.trimEnd().split('\n');
    const names = cellsOf(head);
    if (names[0] !== first) return [];
    return rows.map((row) => Object.fromEntries(cellsOf(row).map((cell, at) => [names[at] ?? '', cell])));
  });

/** What stands in backquotes in a cell. */
export const codeIn = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
