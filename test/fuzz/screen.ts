import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { join } from 'node:path';

const [COLUMNS, ROWS] = [200, 50];
const PROGRAM = join(import.meta.dirname, '../../dist/faultline.mjs');

/** What Ink writes of its own: colours, the cursor, erasing, modes of the screen and the mouse. Nothing else may reach a terminal. */
const OWN =
  /\u001B\[[0-9;]*[mABCDEFGHJKd]|\u001B\[\?(?:25|1049|2026|2004|1004|1000|1006)[hl]|\u001B\[>?[0-9;]*u|\u001B\[\?u|\r?\n|\r/g;
const CONTROL = /[\u0000-\u001F\u007F-\u009F]|[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/u;

export interface Screen {
  pid: number;
  type(keys: string): void;
  /** ms until something is drawn; undefined when nothing comes within the limit. */
  next(limitMs: number): Promise<number | undefined>;
  /** What stands on the screen, row by row, a cell for each column. */
  cells(): Promise<string[][]>;
  text(): Promise<string>;
  /** What was written and must not reach a terminal, with what stands around it. */
  raw: string[];
  bytes(): number;
  end(): Promise<void>;
}

/** The console of the built program in a terminal of 200x50, whose output is looked at as it comes. */
export const openScreen = (siteFile: string, env: NodeJS.ProcessEnv): Screen => {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true, scrollback: 0 });
  const pty = spawn(process.execPath, [PROGRAM, '--site', siteFile], {
    cols: COLUMNS,
    rows: ROWS,
    name: 'xterm-256color',
    env: { ...env, TERM: 'xterm-256color' } as Record<string, string>,
  });
  const raw: string[] = [];
  let bytes = 0;
  let held = '';
  const arrived = new Set<() => void>();
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  pty.onData((data) => {
    bytes += Buffer.byteLength(data);
    terminal.write(data);
    // A sequence may come in two parts: what begins one at the end waits for the rest.
    const all = held + data;
    const cut = all.lastIndexOf('\u001B');
    held = cut >= 0 && all.length - cut < 20 ? all.slice(cut) : '';
    const own = all.slice(0, all.length - held.length).replaceAll(OWN, '');
    const found = CONTROL.exec(own);
    if (found && raw.length < 20)
      raw.push(JSON.stringify(own.slice(Math.max(0, found.index - 30), found.index + 30)));
    for (const one of arrived) one();
  });
  const cells = async (): Promise<string[][]> => {
    await new Promise<void>((resolve) => terminal.write('', resolve));
    return Array.from({ length: ROWS }, (_, y) =>
      Array.from(
        { length: COLUMNS },
        (__, x) => terminal.buffer.active.getLine(y)?.getCell(x)?.getChars() ?? '',
      ),
    );
  };
  return {
    pid: pty.pid,
    type: (keys) => pty.write(keys),
    next: (limitMs) =>
      new Promise((resolve) => {
        const from = performance.now();
        const done = (): void => {
          clearTimeout(timer);
          arrived.delete(done);
          resolve(performance.now() - from);
        };
        const timer = setTimeout(() => {
          arrived.delete(done);
          resolve(undefined);
        }, limitMs);
        arrived.add(done);
      }),
    cells,
    text: async () =>
      (await cells())
        .map((row) =>
          row
            .map((cell) => cell || ' ')
            .join('')
            .trimEnd(),
        )
        .join('\n'),
    raw,
    bytes: () => bytes,
    end: async () => {
      pty.write('\u0003');
      await new Promise((resolve) => setTimeout(resolve, 100));
      pty.write('\u0003');
      const timer = setTimeout(() => pty.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(timer);
    },
  };
};
