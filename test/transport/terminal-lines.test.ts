import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TerminalLines } from '../../src/transport/terminal-lines.ts';
import { callsOf } from '../helpers/counted.ts';

const shown = (...chunks: string[]): string[] => {
  const screen = new TerminalLines(100_000);
  for (const chunk of chunks) screen.push(Buffer.from(chunk, 'latin1'));
  return [...screen.lines, screen.last];
};

describe('TerminalLines', () => {
  it.each([
    ['a\r\nb', ['a', 'b']],
    ['--More--\r        \rnext\r\n', ['next', '']],
    ['--More--\b\b\b\b\b\b\b\b        \b\b\b\b\b\b\b\bnext\n', ['next', '']],
    ['---- More ----\u001b[42D                                          \u001b[42Dnext\n', ['next', '']],
    ['abc\u001b[2K\rx\n', ['x', '']],
    ['abc\rx\n', ['xbc', '']],
    ['abc\u001b[2D\u001b[Kx\n', ['ax', '']],
    ['\u001b[1;31mred\u001b[0m\u0007\n', ['red', '']],
    ['\u001b]0;title\u0007x\u001b(B\u001b=\n', ['x', '']],
    ['a\tb  \n', ['a\tb  ', '']],
    ['a\u001b[999999999Cb\n', [`a${' '.repeat(4096)}b`, '']],
  ])('%j', (text, lines) => {
    expect(shown(text)).toEqual(lines);
    // The same however it is cut.
    expect(shown(...text)).toEqual(lines);
  });

  it('a long line that ends by a return and a line feed stays whole: NX-OS prints JSON in one line', () => {
    const long = `{${'x'.repeat(9000)}}`;
    for (const text of [`${long}\r\nnext\r\n`, `${long}\r\r\nnext\r\n`]) {
      expect(shown(text).map(({ length }) => length)).toEqual([long.length, 4, 0]);
      expect(shown(...text).map(({ length }) => length)).toEqual([long.length, 4, 0]);
    }
    // What is painted over it begins it anew.
    expect(shown(`${long}\rshort\r\n`)).toEqual(['short', '']);
  });

  it('property: never longer than the limit, never a control character, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (chunks) => {
        const screen = new TerminalLines(500);
        for (const chunk of chunks) screen.push(chunk);
        expect(screen.lines.join('\n').length).toBeLessThanOrEqual(500);
        // oxlint-disable-next-line no-control-regex -- none may be left
        expect([...screen.lines, screen.last].join('')).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f]/);
        expect(screen.bytes).toBe(chunks.reduce((sum, { length }) => sum + length, 0));
      }),
    );
  });

  it('is not slowed down by a line that is painted over and over', () => {
    // The whole of a text is that text again and costs nothing.
    const weigh = (part: unknown, of: unknown): number =>
      String(part).length < String(of).length ? String(part).length : 0;
    // Characters copied for each one that came: kept whole, the long line would be copied for each return.
    const copied = (text: string, chunk: number): number => {
      const bytes = Buffer.from(text, 'latin1');
      const work = (): void => {
        const screen = new TerminalLines(1_000_000);
        for (let at = 0; at < bytes.length; at += chunk) screen.push(bytes.subarray(at, at + chunk));
      };
      return callsOf(String.prototype, 'slice', work, weigh) / text.length;
    };
    expect(copied(`${'x'.repeat(90_000)}${'\rab'.repeat(20_000)}\n`, 200_000)).toBeLessThan(10);
    expect(copied('\u001b['.repeat(20_000), 50_000)).toBeLessThan(10);
    // An end that may be the beginning of a sequence is held back, but not for ever.
    expect(copied('\u001b]'.repeat(20_000), 64)).toBeLessThan(20);
  });
});
