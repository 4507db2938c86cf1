import { describe, expect, test } from 'vitest';
import { cableLines } from '../../../components/blocks/cable.ts';
import { plainLine } from '../../../components/paint.ts';
import { makeTheme } from '../../../components/theme.ts';
import type { CableBlock } from '../../../src/model/view.ts';
import { width } from '../../../src/text/width.ts';

const block: CableBlock = {
  type: 'cable',
  id: 'cable',
  left: {
    name: { text: 'core3 te3/46' },
    sends: { text: '0 bad frames/s, light -2.3 dBm' },
    receives: { text: '1,203 bad frames/s (5.7 %), light -9.1 dBm, low', sign: 'critical' },
  },
  right: {
    name: { text: 'nfs-sw1 te1/12' },
    sends: { text: 'counters not read, light not read', sign: 'unknown' },
    receives: { text: 'counters not read, light not read', sign: 'unknown' },
  },
  suspect: 'right',
  verdict: 'suspect nfs-sw1 te1/12',
};
const facts = [
  'core3 te3/46',
  'nfs-sw1 te1/12: suspect',
  '1,203 bad frames/s (5.7 %), light -9.1 dBm, low',
  'counters not read, light not read',
  'suspect nfs-sw1 te1/12',
];
const draw = (env: Readonly<Record<string, string>>, columns: number, drawn = block): string[] =>
  cableLines(makeTheme(env), drawn, columns, 0).map(plainLine);

describe('a cable', () => {
  test.each([
    ['in colour', { LANG: 'C.UTF-8', TERM: 'xterm-256color' }],
    ['without colour', { LANG: 'C.UTF-8', NO_COLOR: '1' }],
    ['in ASCII', { LC_ALL: 'C', NO_COLOR: '1' }],
  ])('says the same %s, side by side and one end below the other', (_, env) => {
    for (const columns of [200, 110, 79, 60]) {
      const lines = draw(env, columns);
      for (const line of lines) expect(width(line)).toBe(columns);
      for (const fact of facts) expect(lines.join('\n')).toContain(fact);
    }
    expect(draw(env, 200)).toHaveLength(4);
    expect(draw(env, 79)).toHaveLength(6 + 1);
  });

  test('has an arrow for each direction, and says in its middle that the cable is suspected', () => {
    const lines = draw({ LANG: 'C.UTF-8' }, 200);
    expect(lines[1]).toMatch(/TX 0 bad .* ─+→ RX/);
    expect(lines[2]).toMatch(/RX .* ←─+ .*TX/);
    const cable = draw({ LANG: 'C.UTF-8' }, 200, { ...block, suspect: 'cable' });
    expect(cable[1]).toContain('─ cable: suspect ─');
    expect(cable[0]).not.toContain('suspect');
    expect(draw({ LC_ALL: 'C' }, 60, { ...block, suspect: 'cable' }).join('\n')).toContain('cable: suspect');
  });

  test('wraps where even one end does not fit', () => {
    const lines = draw({ LANG: 'C.UTF-8' }, 30);
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) expect(width(line)).toBe(30);
  });
});
