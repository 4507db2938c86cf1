import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blank, cell, joinPieces, paint, plainLine } from '../../components/paint.ts';
import { headLine, rowLine } from '../../components/blocks/table.ts';
import { makeTheme, applyStyle, type Style } from '../../components/theme.ts';
import { width } from '../../src/text/width.ts';
import { nodeRow, nodesTable, NOW } from './fixture.ts';

const utf8 = makeTheme({ LANG: 'en_US.UTF-8' });
const ascii = makeTheme({ LANG: 'C' });
const bare = makeTheme({ NO_COLOR: '1', LANG: 'en_US.UTF-8' });
const styles: readonly Style[] = ['plain', 'dim', 'bold', 'accent', 'critical', 'warning', 'good', 'inverse'];
const anything = fc.string({ unit: 'binary', maxLength: 60 });

test('whatever the text, a cell has its width and no control character but our own colours', () => {
  fc.assert(
    fc.property(
      anything,
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(...styles),
      (text, columns, style) => {
        for (const theme of [utf8, ascii, bare]) {
          const plain = plainLine(cell(theme, text, columns, style));
          expect(width(plain)).toBe(columns);
          expect(plain).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
          expect(plainLine(paint(theme, text, style))).not.toMatch(/\p{C}/u);
        }
      },
    ),
  );
});

test('whatever a row holds, its line has the width of the pane', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 4, max: 120 }), fc.boolean(), (text, columns, on) => {
      const cells = {
        node: { text },
        reason: { text, sign: 'warning' as const },
        since: { text, age: NOW - 1000 },
      };
      const row = nodeRow(1, { key: text, cells, stale: on });
      const state = { cursor: on, marked: !on, focused: on };
      expect(width(plainLine(rowLine(utf8, nodesTable, row, columns, NOW, state)))).toBe(columns);
      expect(width(plainLine(headLine(utf8, nodesTable, columns)))).toBe(columns);
    }),
  );
});

test('a skin tone alone has its own columns, whatever stands before it', () => {
  for (const text of ['🏻', 'a🏻', '🏻 🏿'])
    for (const theme of [utf8, bare])
      for (const columns of [1, 2, 3, 8]) {
        const line = joinPieces(blank(1), cell(theme, text, columns), blank(1), cell(theme, text, columns));
        expect(width(plainLine(line)), `${text} in ${columns}`).toBe(2 * columns + 2);
      }
});

test('an escape sequence is shown, not obeyed', () => {
  expect(plainLine(paint(utf8, 'a\u001B]0;x\u0007\u001B[31mred\n\u202Eb'))).toBe(
    'a^[]0;x^G^[[31mred⏎<U+202E>b',
  );
});

test('without UTF-8 everything is ASCII of the same width', () => {
  expect(plainLine(paint(ascii, '✖ 2 · ✓ ⏸ ─ ● … 漢 é'))).toBe('X 2 . + = - * ~ ?? ?');
});

test('NO_COLOR leaves emphasis and takes colour; an empty NO_COLOR counts as none', () => {
  expect(applyStyle(bare, 'x', 'warning')).toBe('x');
  expect(applyStyle(bare, 'x', 'bold')).toBe('\u001B[1mx\u001B[22m');
  expect(applyStyle(makeTheme({ NO_COLOR: '' }), 'x', 'warning')).toContain('\u001B[33m');
});

test('no more than the 16 colours every terminal has', () => {
  for (const style of styles) {
    const codes = [...applyStyle(utf8, 'x', style).matchAll(/\u001B\[(\d+)m/g)].map((match) =>
      Number(match[1]),
    );
    expect(codes.every((code) => code < 50)).toBe(true);
  }
});

test('the locale is read as C programs read it', () => {
  expect(makeTheme({ LC_ALL: 'C', LANG: 'en_US.UTF-8' }).unicode).toBe(false);
  expect(makeTheme({ LC_CTYPE: 'C.utf8', LANG: 'C' }).unicode).toBe(true);
  expect(makeTheme({}).unicode).toBe(false);
});

test('a row is drawn once and kept until something in it changes', () => {
  const row = nodeRow(5);
  const state = { cursor: false, marked: false, focused: false };
  const first = rowLine(utf8, nodesTable, row, 80, NOW, state);
  expect(rowLine(utf8, nodesTable, row, 80, NOW + 1, state)).toBe(first);
  expect(rowLine(utf8, nodesTable, row, 80, NOW + 60_000, state)).not.toBe(first);
});
