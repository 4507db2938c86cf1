import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Place } from '../../components/binding.ts';
import { bindings } from '../../components/bindings.ts';
import { hintsOf, keysShown, keyTable, lookup, placeTitles } from '../../components/keys.ts';
import { pagerLines } from '../../components/dialogs/pager-lines.ts';
import { plainOf } from '../../components/paint.ts';
import { makeTheme } from '../../components/theme.ts';

const places = Object.keys(placeTitles) as Place[];

test('no key means two things in one place', () => {
  for (const place of places) {
    const keys = bindings
      .filter((one) => one.place === place || one.place === 'always')
      .flatMap((one) => one.keys);
    expect(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      place,
    ).toEqual([]);
  }
});

test('Backspace and Delete never are a command', () => {
  expect(bindings.filter((one) => one.keys.some((key) => ['Backspace', 'Delete'].includes(key)))).toEqual([]);
});

test('keys are found by place, those of everywhere in each', () => {
  expect(lookup('board', 'a')).toBe('actions');
  expect(lookup('menu', 'a')).toBeUndefined();
  expect(lookup('confirm', 'Ctrl-C')).toBe('interrupt');
});

test('the confirming key opens nothing anywhere', () => {
  const confirming = new Set(
    bindings.filter((one) => one.place === 'confirm' && one.does === 'confirm').flatMap((one) => one.keys),
  );
  const opening = bindings.filter((one) => ['open', 'options', 'actions'].includes(one.does));
  expect(opening.filter((one) => one.keys.some((key) => confirming.has(key)))).toEqual([]);
});

test('the help names every key of every place', () => {
  const lines = pagerLines(
    makeTheme({ LANG: 'C.UTF-8' }),
    { type: 'help', place: 'zoom' },
    120,
    0,
    false,
  ).map(plainOf);
  expect(lines[0]?.trim()).toBe('zoomed pane');
  for (const one of bindings.filter(({ place }) => place !== 'notice' && place !== 'leave')) {
    expect(
      lines.some((line) => line.includes(keysShown(one)) && line.includes(one.text)),
      one.text,
    ).toBe(true);
  }
});

test('nothing of the help is cut on the smallest screen', () => {
  const help = { type: 'help', place: 'board' } as const;
  const lines = pagerLines(makeTheme({ LANG: 'C.UTF-8' }), help, 80, 0, false).map(plainOf);
  expect(lines.filter((line) => line.includes('…'))).toEqual([]);
  expect(lines.join(' ').replace(/ +/g, ' ')).toContain('words, !word leaves out); kept per pane');
});

test('the help begins with what the system under the cursor has to say', () => {
  const lines = pagerLines(
    makeTheme({ LANG: 'C.UTF-8' }),
    { type: 'help', place: 'board', about: { title: 'Gluster', lines: ['1  mildest first', '2  wait'] } },
    80,
    0,
    false,
  ).map((line) => plainOf(line).trim());
  expect(lines.slice(0, 5)).toEqual(['Gluster', '1  mildest first', '2  wait', '', 'board']);
});

test('a read-only console shows no key that changes anything', () => {
  expect(hintsOf('board', false).some((hint) => hint.key === 'a')).toBe(true);
  expect(hintsOf('board', true).some((hint) => hint.key === 'a')).toBe(false);
});

const readme = new URL('../../README.md', import.meta.url);
const tidy = (text: string): string => text.replace(/[ -]+/g, ' ').trim();

test.skipIf(!existsSync(readme))(
  'the README holds the table made from the keys (node scripts/keys.ts)',
  () => {
    const between = /<!-- keys -->([\s\S]*?)<!-- \/keys -->/.exec(readFileSync(readme, 'utf8'))?.[1] ?? '';
    expect(tidy(between)).toBe(tidy(keyTable()));
  },
);
