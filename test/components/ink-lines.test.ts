import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import xterm from '@xterm/headless';
import { build } from 'esbuild';
import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { inkChanges } from '../../scripts/ink-patch.ts';
import { patchPlugin } from '../../scripts/patch.ts';
import { emptyFolder } from '../helpers/folder.ts';

const ink = dirname(fileURLToPath(import.meta.resolve('ink')));
const file = 'ink/build/log-update.js';
const columns = 30;
const rows = 6;

interface LogUpdate {
  create(
    stream: { columns: number; write(bytes: string): void },
    options: { showCursor: boolean; incremental: boolean },
  ): (text: string) => boolean;
}

describe('changed lines, written in few bytes', () => {
  let theirs: LogUpdate;
  let ours: LogUpdate;

  const load = async (name: string, changed: boolean): Promise<LogUpdate> => {
    const outfile = join(emptyFolder('ink-lines'), `${name}.mjs`);
    await build({
      stdin: { contents: `export { default } from '${ink}/log-update.js';`, resolveDir: ink },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: changed ? [patchPlugin('lines', { [file]: inkChanges[file] ?? [] })] : [],
      logLevel: 'silent',
    });
    const { default: made } = (await import(pathToFileURL(outfile).href)) as { default: LogUpdate };
    return made;
  };

  beforeAll(async () => {
    [theirs, ours] = await Promise.all([load('theirs', false), load('ours', true)]);
  });

  /** The cells of a terminal after these frames, with their looks, and the bytes that were written. */
  const show = async (made: LogUpdate, frames: readonly string[]) => {
    const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
    let bytes = '';
    const stream = { columns, write: (text: string) => void (bytes += text) };
    const render = made.create(stream, { showCursor: true, incremental: true });
    for (const text of frames) render(text);
    await new Promise<void>((resolve) => terminal.write(bytes.replaceAll('\n', '\r\n'), resolve));
    const cells = Array.from({ length: rows * columns }, (_, at) => {
      const cell = terminal.buffer.active.getLine(Math.floor(at / columns))?.getCell(at % columns);
      const text = cell?.getChars() ?? '';
      // A blank's own colour is not seen; its background is.
      const look =
        text.trim() === '' ? 0 : [cell?.getFgColor(), cell?.isBold(), cell?.isDim(), cell?.isUnderline()];
      return [text.trim(), look, cell?.getBgColor(), cell?.isInverse(), cell?.isUnderline()].join();
    });
    const { cursorY } = terminal.buffer.active;
    return { cells, cursorY, bytes: bytes.length };
  };

  const piece = constantFrom('idle', 'n1', '节', '─', ' ', '        ', '          ');
  const look = constantFrom<readonly [string, string]>(
    ['', ''],
    ['\u001B[31m', '\u001B[39m'],
    ['\u001B[1m', '\u001B[22m'],
    ['\u001B[100m', '\u001B[49m'],
    ['\u001B[7m', '\u001B[27m'],
    ['\u001B[4m', '\u001B[24m'],
    ['\u001B[48;5;3m', '\u001B[49m'],
  );
  const line = array(
    look.chain(([on, off]) => piece.map((text) => `${on}${text}${off}`)),
    { maxLength: 3 },
  ).map((pieces) => pieces.join(''));
  const frame = array(line, { minLength: rows, maxLength: rows }).map((lines) => lines.join('\n'));

  test('leave the same cells on the screen and the cursor in the same line as Ink does, in no more bytes', async () => {
    await assert(
      asyncProperty(array(frame, { minLength: 1, maxLength: 4 }), async (frames) => {
        const [one, two] = await Promise.all([show(theirs, frames), show(ours, frames)]);
        expect(two.cells).toEqual(one.cells);
        expect(two.cursorY).toBe(one.cursorY);
        expect(two.bytes).toBeLessThanOrEqual(one.bytes);
      }),
      { numRuns: 500 },
    );
  });
});
