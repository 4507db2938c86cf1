import { expect, test } from 'vitest';
import { drawBox, hintLine } from '../../../components/dialogs/dialog.ts';
import { cell, plainLine } from '../../../components/paint.ts';
import { makeTheme } from '../../../components/theme.ts';
import { width } from '../../../src/text/width.ts';

const theme = makeTheme({ LANG: 'C.UTF-8' });

test('every line of a box is as wide as the box, whatever its title', () => {
  for (const title of ['', 'Resume 17 nodes', 'x'.repeat(200), '漢字 \u001B[31m']) {
    const box = drawBox(theme, title, [cell(theme, 'text', 60)], 60, { columns: 100, rows: 30 });
    expect(box.lines.map((line) => width(plainLine(line)))).toEqual([64, 64, 64]);
    expect(box).toMatchObject({ width: 64, height: 3, left: 18 });
  }
});

test('hints that do not fit are cut, not wrapped', () => {
  expect(width(plainLine(hintLine(theme, [['Enter', 'a very long hint '.repeat(9)]], 40)))).toBe(40);
  expect(plainLine(hintLine(theme, [['y', 'yes']], 10))).toBe('y  yes    ');
});
