import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pagerLines } from '../../components/dialogs/pager/lines.ts';
import { helpSections, keysAt, keyTable, placeTitles } from '../../components/help.ts';
import { defineKeys, findKey, hintsOf, keysShown, runKey, type Place } from '../../components/keys.ts';
import { plainLine } from '../../components/paint.ts';
import { makeTheme } from '../../components/theme.ts';

const places = Object.keys(placeTitles) as Place[];
const all = places.flatMap((place) => keysAt(place).map((key) => ({ place, ...key })));

test('no key means two things in one place', () => {
  for (const place of places) {
    const keys = all
      .filter((one) => one.place === place || one.place === 'always')
      .flatMap((one) => one.keys);
    expect(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      place,
    ).toEqual([]);
  }
});

test('Backspace and Delete never are a command', () => {
  expect(all.filter((one) => one.keys.some((key) => ['Backspace', 'Delete'].includes(key)))).toEqual([]);
});

test('keys are found by place', () => {
  expect(findKey(keysAt('board'), 'a')).toBe('actions');
  expect(findKey(keysAt('menu'), 'a')).toBeUndefined();
  expect(findKey(keysAt('always'), 'Ctrl-C')).toBe('interrupt');
});

test('a key without a handler, and a handler without a key, do not compile', () => {
  const keys = defineKeys([
    { keys: ['x'], does: 'stop', text: 'stop' },
    { keys: ['Esc'], does: 'cancel', text: 'close' },
  ]);
  const calls: string[] = [];
  const stop = (): void => void calls.push('stop');
  const cancel = (): void => void calls.push('cancel');
  expect(runKey(keys, { stop, cancel }, 'x')).toBe(true);
  expect(runKey(keys, { stop, cancel }, 'y')).toBe(false);
  // @ts-expect-error nothing is done on Esc
  runKey(keys, { stop }, 'x');
  // @ts-expect-error no key restores
  runKey(keys, { stop, cancel, restore: stop }, 'x');
  expect(calls).toEqual(['stop', 'stop', 'stop']);
});

test('the confirming key opens nothing anywhere', () => {
  const confirming = new Set(
    keysAt('confirm')
      .filter((one) => one.does === 'confirm')
      .flatMap((one) => one.keys),
  );
  expect(confirming.size).toBeGreaterThan(0);
  const opening = all.filter((one) => ['open', 'options', 'actions'].includes(one.does));
  expect(opening.filter((one) => one.keys.some((key) => confirming.has(key)))).toEqual([]);
});

const theme = makeTheme({ LANG: 'C.UTF-8' });

test('the help names every key of every place', () => {
  const help = { type: 'help', sections: helpSections('zoom') } as const;
  const lines = pagerLines(help, theme, 120, 0, false, []).map(plainLine);
  expect(lines[0]?.trim()).toBe('zoomed pane');
  for (const one of all.filter(({ place }) => place !== 'notice' && place !== 'leave')) {
    expect(
      lines.some((line) => line.includes(keysShown(one)) && line.includes(one.text)),
      one.text,
    ).toBe(true);
  }
});

test('nothing of the help is cut on the smallest screen', () => {
  const help = { type: 'help', sections: helpSections('board') } as const;
  const lines = pagerLines(help, theme, 80, 0, false, []).map(plainLine);
  expect(lines.filter((line) => line.includes('…'))).toEqual([]);
  expect(lines.join(' ').replace(/ +/g, ' ')).toContain('words, !word leaves out); kept per pane');
});

test.each([
  [80, 1],
  [163, 2],
  [200, 2],
  [300, 3],
])('at %i columns the help stands in %i columns, every section whole', (width, columns) => {
  const help = { type: 'help', sections: helpSections('board') } as const;
  const lines = pagerLines(help, theme, width, 0, false, []).map(plainLine);
  const narrow = pagerLines({ ...help, sections: [...help.sections] }, theme, 80, 0, false, []).length;
  expect(lines.length).toBeLessThanOrEqual(Math.ceil(narrow / columns) + 25);
  expect(lines.every((line) => line.length === width)).toBe(true);
  const wide = Math.floor((width - 2 * (columns - 1)) / columns);
  const texts = Array.from({ length: columns }, (_, at) =>
    lines.map((line) => line.slice(at * (wide + 2), at * (wide + 2) + wide).trimEnd()),
  );
  for (const { title, keys } of help.sections) {
    const text = texts.find((one) => one.includes(` ${title}`))?.join(' ') ?? '';
    for (const key of keys) expect(text.replace(/ +/g, ' '), `${title}: ${key.does}`).toContain(key.text);
  }
});

test('the help begins with what the system under the cursor has to say', () => {
  const lines = pagerLines(
    {
      type: 'help',
      sections: helpSections('board'),
      about: { title: 'Gluster', lines: ['1  mildest first', '2  wait'] },
    },
    theme,
    80,
    0,
    false,
    [],
  ).map((line) => plainLine(line).trim());
  expect(lines.slice(0, 5)).toEqual(['Gluster', '1  mildest first', '2  wait', '', 'board']);
});

test('a read-only console shows no key that changes anything', () => {
  expect(hintsOf(keysAt('board'), false).some(([key]) => key === 'a')).toBe(true);
  expect(hintsOf(keysAt('board'), true).some(([key]) => key === 'a')).toBe(false);
});

const readme = new URL('../../README.md', import.meta.url);
const tidy = (text: string): string => text.replace(/[ -]+/g, ' ').trim();

test.skipIf(!existsSync(readme))(
  'the README holds the table made from the keys (node scripts/readme.ts)',
  () => {
    const between = /<!-- keys -->([\s\S]*?)<!-- \/keys -->/.exec(readFileSync(readme, 'utf8'))?.[1] ?? '';
    expect(tidy(between)).toBe(tidy(keyTable()));
  },
);
