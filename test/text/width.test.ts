import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it, vi } from 'vitest';
import { makeSafe } from '../../src/text/safe.ts';
import { cut, cutStart, fitText, width, wrap } from '../../src/text/width.ts';

const shown = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string(),
    fc
      .array(
        fc.constantFrom(
          '節点',
          'ab',
          ' ',
          '\u{1f600}',
          '─',
          '·',
          '…',
          '▁',
          '█',
          '✖',
          '✓',
          '→',
          'e\u0301',
          '\u0301',
        ),
      )
      .map((all) => all.join('')),
  )
  .map((text) => makeSafe(text));
const columns = fc.integer({ min: 0, max: 30 });

describe('width', () => {
  it('counts columns, not characters', () => {
    expect(width('abc')).toBe(3);
    expect(width('節点')).toBe(4);
    expect(width('e\u0301')).toBe(1);
  });

  it('agrees with the rules Ink uses', () => {
    fc.assert(
      fc.property(shown, (text) => {
        expect(width(text)).toBe(stringWidth(text));
      }),
    );
  });
});

describe('the signs we draw with', () => {
  const signs = [...'·…→←↑↓⇄─│┌┐└┘▁▂▃▄▅▆▇█✓✖●○“”’'];

  it.each(signs)('%s is one column, alone and beside others', (sign) => {
    expect(stringWidth(sign)).toBe(1);
    for (const other of [...signs, 'a', ' ', '#'])
      for (const text of [`${sign}${other}`, `${other}${sign}`]) expect(width(text)).toBe(stringWidth(text));
  });

  it('are measured without taking graphemes apart', () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    try {
      expect(width(signs.join(' ab '))).toBe(signs.length + (signs.length - 1) * 4);
      expect(cut('─'.repeat(300), 10)).toBe(`${'─'.repeat(9)}…`);
      expect(segment).not.toHaveBeenCalled();
      expect(width('e\u0301')).toBe(1);
      expect(segment).toHaveBeenCalled();
    } finally {
      segment.mockRestore();
    }
  });
});

describe('cut', () => {
  it('marks what it left out', () => {
    expect(cut('abcdef', 4)).toBe('abc…');
    expect(cut('節点節点', 4)).toBe('節…');
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abc', 1)).toBe('…');
    expect(cut('abc', 0)).toBe('');
  });

  it('never takes more room than there is', () => {
    fc.assert(
      fc.property(shown, columns, (text, room) => {
        expect(width(cut(text, room))).toBeLessThanOrEqual(room);
      }),
    );
  });
});

describe('fit', () => {
  it('takes exactly the room there is', () => {
    fc.assert(
      fc.property(shown, columns, fc.constantFrom('left', 'right'), (text, room, align) => {
        expect(width(fitText(text, room, align))).toBe(room);
      }),
    );
  });

  it('aligns', () => {
    expect(fitText('ab', 4)).toBe('ab  ');
    expect(fitText('ab', 4, 'right')).toBe('  ab');
  });
});

describe('cutStart', () => {
  it('keeps the end, and counts columns, not characters', () => {
    expect(cutStart('host node12_', 12)).toBe('host node12_');
    expect(cutStart('host node12_', 8)).toBe('…node12_');
    // Two columns each: the next one does not fit any more.
    expect(cutStart('節点節点_', 7)).toBe('…節点_');
    expect(cutStart('a節', 0)).toBe('');
  });

  it('fits, and ends as the text does', () => {
    fc.assert(
      fc.property(shown, fc.integer({ min: 1, max: 30 }), (text, room) => {
        const short = cutStart(text, room);
        expect(width(short)).toBeLessThanOrEqual(room);
        expect(text.endsWith(short.replace(/^…/, ''))).toBe(true);
      }),
    );
  });
});

describe('wrap', () => {
  it('breaks at blanks, and long words where the line ends', () => {
    expect(wrap('the quick brown fox', 9)).toEqual(['the quick', 'brown fox']);
    expect(wrap('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
    expect(wrap('節点節点', 2)).toEqual(['節', '点', '節', '点']);
    expect(wrap('', 10)).toEqual(['']);
    expect(wrap('the quick brown fox', 9, 5)).toEqual(['the quick', 'brown', 'fox']);
    expect(wrap('abcdefghij', 4, 2)).toEqual(['abcd', 'ef', 'gh', 'ij']);
  });

  it('fits, and drops nothing but blanks', () => {
    fc.assert(
      fc.property(shown, fc.integer({ min: 2, max: 30 }), (text, room) => {
        const lines = wrap(text, room);
        // One character may be wider than the room: it then stands alone.
        for (const line of lines)
          if ([...new Intl.Segmenter().segment(line)].length > 1)
            expect(width(line)).toBeLessThanOrEqual(room);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  it('ends also when nothing fits', () => {
    expect(wrap('節 a', 1)).toEqual(['節', '', 'a']);
  });
});
