import { describe, expect, test } from 'vitest';
import { pictureOf, scaleText, trendText } from '../../components/blocks/picture.ts';
import { paint, plainLine } from '../../components/paint.ts';
import { makeTheme } from '../../components/theme.ts';
import { width } from '../../src/text/width.ts';

const ascii = makeTheme({ LC_ALL: 'C', NO_COLOR: '1' });

describe('pictures of figures', () => {
  test('a course has a column for each height and a blank for each gap', () => {
    expect(trendText([0, 3, null, 7])).toBe('▁▄ █');
    expect(plainLine(paint(ascii, trendText([0, 3, null, 7])))).toBe('_- #');
  });

  test('a course of which nothing is known is not drawn', () => {
    expect(trendText([null, null])).toBe('');
    expect(trendText(undefined)).toBe('');
  });

  test.each([
    [0, '░░░░░░░░'],
    [0.001, '█░░░░░░░'],
    [0.5, '████░░░░'],
    [0.999, '███████░'],
    [1, '████████'],
    [7, '████████'],
    [-1, '░░░░░░░░'],
  ])('a share of %d is the bar %s', (share, bar) => {
    expect(pictureOf({ text: '', share })).toBe(bar);
    expect(width(bar)).toBe(8);
  });

  test('in ASCII a bar has the same columns', () => {
    expect(plainLine(paint(ascii, pictureOf({ text: '', share: 0.25 })))).toBe('##------');
  });

  test('shades grow darker from good to bad, and the scale says what they mean', () => {
    const scale = scaleText(['all', '75 %', '50 %', '25 %', 'none']);
    expect(scale).toBe('·· all   ░░ 75 %   ▒▒ 50 %   ▓▓ 25 %   ██ none');
    expect(plainLine(paint(ascii, scale))).toBe('.. all   -- 75 %   :: 50 %   ++ 25 %   ## none');
  });
});
