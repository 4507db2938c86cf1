import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keysAt, placeTitles } from '../../components/help.ts';
import type { Place } from '../../components/keys.ts';
import { anchorsOf, blockLines, chapters, linksOf, pages, spansOf, top, type Page } from './markdown.ts';

const byPath = new Map(pages.map((page) => [page.path, page]));

test.each(pages)('$path links to what is there', (page) => {
  const broken = linksOf(page).filter(({ to, heading }) => {
    if (!existsSync(join(top, to))) return true;
    const target = byPath.get(to);
    return heading !== '' && target !== undefined && !anchorsOf(target).includes(heading);
  });
  expect(broken.map(({ link }) => link)).toEqual([]);
});

const roots = /^(?:src|probes|components|test|docs|scripts|schema|\.ci)\//;
/** `probes/NAME/`, `docs/decisions/NNNN-title.md`, `src/*.ts`: what stands for many. */
const placeholder = /[A-Z]{2,}|[*<{[]/;

test.each(chapters)('paths in $path exist', (page) => {
  const paths = spansOf(page)
    .filter((span) => roots.test(span) && !/\s/.test(span))
    .map((span) => span.replace(/[:#].*$/, ''))
    .map((span) =>
      placeholder.test(span) ? span.slice(0, span.search(placeholder)).replace(/[^/]*$/, '') : span,
    );
  expect(paths.filter((path) => !existsSync(join(top, path)))).toEqual([]);
});

const scripts = Object.keys(
  (JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts,
);

test.each(chapters)('npm scripts in $path exist', (page) => {
  const named = [...spansOf(page), ...blockLines(page)].flatMap((text) =>
    [...text.matchAll(/\bnpm run (?:-s )?([\w-]+(?::[\w-]+)*)/g)].map((match) => match[1] ?? ''),
  );
  expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
});

const places = Object.keys(placeTitles) as Place[];
const keys = new Set(places.flatMap(keysAt).flatMap((key) => key.keys));
/** Chapters in which one letter in backquotes is a key. */
const withKeys = (page: Page): boolean =>
  ['README.md', 'docs/design.md', 'docs/guide.md', 'docs/operating.md'].includes(page.path) ||
  page.path.startsWith('docs/systems/');
/** Letters that are no keys: ASCII signs, names in formulas. */
const letters: Readonly<Record<string, readonly string[]>> = {
  'docs/operating.md': ['X', 'v'],
  'docs/systems/lustre.md': ['t'],
};

test.each(chapters.filter(withKeys))('keys in $path are bound', (page) => {
  const named = spansOf(page).filter((span) => /^[A-Za-z?]$/.test(span));
  expect(named.filter((key) => !keys.has(key) && !letters[page.path]?.includes(key))).toEqual([]);
});

test('every picture is shown somewhere', () => {
  const shown = new Set(pages.flatMap((page) => linksOf(page).map(({ to }) => to)));
  const pictures = readdirSync(join(top, 'docs')).filter((name) => name.endsWith('.svg'));
  expect(pictures.filter((name) => !shown.has(`docs/${name}`))).toEqual([]);
});
