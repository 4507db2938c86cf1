import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { top } from './markdown.ts';

const files = execFileSync(
  'git',
  ['ls-files', 'src', 'probes', 'components', 'scripts', 'test', 'docs', '*.md', '.ci'],
  {
    cwd: top,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter(
    (path) =>
      /\.(?:tsx?|md|sh)$|run$/.test(path) && !path.startsWith('test/docs/') && existsSync(join(top, path)),
  )
  .map((path) => ({ path, lines: readFileSync(join(top, path), 'utf8').split('\n') }));

/** Documents that were written outside the repository: whoever has only the repository can't open them. */
const outside =
  /(?<![\w./-])(?:design|formats(?:-\w+)?|incidents|screens)\.md|domain\/[\w-]+\.md|shared\/[\w/-]+\.md|\b[Ii]ncident \d/;

test('nothing points to a document outside the repository', () => {
  const found = files.flatMap(({ path, lines }) =>
    path.startsWith('docs/') || !path.includes('/')
      ? []
      : lines.flatMap((line, at) => (outside.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test('documents and decisions that comments name exist', () => {
  const missing = files.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) =>
      [...line.matchAll(/(?<![\w/])docs\/[\w/-]+\.md/g)]
        .filter(([name]) => !existsSync(join(top, name)) && !/NNNN|NAME/.test(name))
        .map(([name]) => `${path}:${at + 1} ${name}`),
    ),
  );
  expect(missing).toEqual([]);
});
