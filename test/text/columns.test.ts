import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Terminal } from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { makeSafe } from '../../src/text/safe.ts';
import { width } from '../../src/text/width.ts';
import { emptyFolder } from '../helpers/folder.ts';

/** What terminals are known to disagree on, or to draw over what stands beside it. */
const quarrels: readonly (readonly [string, string])[] = [
  ['an emoji', 'disk \u{1f525} on fire'],
  ['a modifier with its base, and alone', 'ok \u{1f44d}\u{1f3fd} \u{1f3fd}'],
  ['a family joined by ZWJ', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a flag, and one letter of it', '\u{1f1e9}\u{1f1ea} \u{1f1e9}x'],
  ['keycap and text signs with VS16', '1\ufe0f\u20e3 \u2764\ufe0f \u26a0\ufe0f'],
  ['Devanagari conjuncts', '\u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f'],
  ['Thai with SARA AM', '\u0e01\u0e33\u0e25\u0e31\u0e07\u0e17\u0e35\u0e48'],
  ['Tamil', '\u0b95\u0bca'],
  ['conjoining jamo', '\u1112\u1161\u11ab'],
  ['kana with a mark of its own', '\u304b\u3099 \uff76\uff9e'],
  ['forty marks on one letter', `a${'\u0336'.repeat(40)}b`],
  ['marks on nothing', '\u0301\u0302'],
  ['marks on a sign, beside a frame', '─\u0336│'],
  ['enclosing marks', 'a\u20dd b\u20e0'],
  ['letters from right to left', '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627'],
  ['an Arabic number sign', '\u0600\u0661'],
  ['signs that became wide with Unicode 16', '\u2630 \u268a \u3248'],
  ['letters younger than most terminals', '\ua7cb \u{2ceb0}'],
  ['mathematical letters', '\u{1d400}\u{1d7d8}'],
  ['Tangut and Kana beyond the basic plane', '\u{17000}\u{1b000}'],
  ['plain words of many alphabets', 'température Größe ψυχή нода 節点 노드 ノード ﾉｰﾄﾞ ✗ → “x”'],
];

/** A sample of all that is drawn as it is: each character of the basic plane but of the long CJK blocks one in forty. */
const drawnAsIs = Array.from({ length: 0x2a6d6 - 0xa0 }, (_, at) => at + 0xa0)
  .filter(
    (code) => (code < 0x3400 || code > 0xd7ff || code % 40 === 0) && (code < 0x20000 || code % 97 === 0),
  )
  .map((code) => String.fromCodePoint(code))
  .filter((char) => makeSafe(char) === char);

const texts = [...quarrels.map(([, text]) => makeSafe(text)), ...drawnAsIs];

/** Each text, then blanks in its place up to the cursor, then a sign: the sign's column is what the terminal counted. */
const lines = texts.map((text) => `${text}\u001b[1Kb`);

const oddOnes = (shown: readonly string[]): string[] =>
  texts.flatMap((text, at) => {
    const counted = shown[at]?.indexOf('b');
    return counted === width(text) ? [] : [`${JSON.stringify(text)}: ${width(text)} here, ${counted} there`];
  });

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.log('tmux is not installed: columns are compared with xterm.js alone');

describe('columns counted are columns drawn', () => {
  it('takes in what terminals draw alike', () => {
    expect(drawnAsIs.length).toBeGreaterThan(5000);
    expect(makeSafe(quarrels.at(-1)?.[1] ?? '')).toBe(quarrels.at(-1)?.[1]);
  });

  it.each(quarrels)('%s: the parts are as wide as the whole', (_, text) => {
    const shown = makeSafe(text);
    const parts = [...shown].reduce((sum, char) => sum + width(char), 0);
    expect(width(shown)).toBe(parts);
  });

  it('in xterm.js', async () => {
    const terminal = new Terminal({ cols: 200, rows: 10, scrollback: lines.length, allowProposedApi: true });
    await new Promise<void>((resolve) => terminal.write(lines.join('\r\n'), resolve));
    const buffer = terminal.buffer.active;
    const shown = texts.map((_, at) => buffer.getLine(at)?.translateToString() ?? '');
    terminal.dispose();
    expect(oddOnes(shown)).toEqual([]);
  });

  it.runIf(hasTmux)('in tmux', async () => {
    const folder = emptyFolder('columns');
    const run = (...args: string[]): string =>
      execFileSync('tmux', ['-u', '-S', join(folder, 'socket'), '-f', join(folder, 'conf'), ...args], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C.UTF-8', TMUX: '' },
        maxBuffer: 1e8,
      });
    writeFileSync(join(folder, 'conf'), `set -g history-limit ${lines.length + 100}\n`);
    writeFileSync(join(folder, 'lines'), `${lines.join('\n')}\nall of it\n`);
    try {
      run('new-session', '-d', '-x', '200', '-y', '20', `cat '${join(folder, 'lines')}'; exec sleep 600`);
      const screen = (): string[] => run('capture-pane', '-p', '-S', '-', '-E', '-').split('\n');
      await expect.poll(screen, { timeout: 20_000 }).toContain('all of it');
      expect(oddOnes(screen())).toEqual([]);
    } finally {
      spawnSync('tmux', ['-S', join(folder, 'socket'), 'kill-server']);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
