import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { emptyFolder } from '../helpers/folder.ts';
import { programArgs } from '../helpers/source.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Neighbouring cells of one line that look alike. */
export interface Run {
  column: number;
  text: string;
  /** Number of one of the 16 colours; absent: the terminal's own. */
  colour?: number;
  bold: boolean;
  dim: boolean;
  inverse: boolean;
}

export interface SessionOptions {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
  /** A state folder to share with another session; else one of its own, gone at the end. */
  state?: string;
  /** A file instead of the terminal on standard input. */
  stdin?: string;
}

/** The program in a real terminal, driven by keys, seen through the terminal's screen. */
export interface Session {
  /** Where the program keeps its audit log. */
  state: string;
  /** Key presses one after the other, each drawn before the next. */
  keys(...names: readonly string[]): Promise<void>;
  /** A text, character by character. */
  type(text: string): Promise<void>;
  write(bytes: string): void;
  lines(): readonly string[];
  screen(): string;
  /** The screen with its looks, line by line. */
  picture(): readonly (readonly Run[])[];
  /** The colours that are on the screen now, as SGR numbers. */
  colours(): ReadonlySet<number>;
  /** Waits for a text, a pattern or a truth about the screen; fails with the screen when it does not come. */
  until(wanted: string | RegExp | ((screen: string) => boolean), timeoutMs?: number): Promise<void>;
  /** Waits until the program has drawn nothing for a moment. */
  idle(): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** The full-screen picture is on, not what was there before. */
  onAlternateScreen(): boolean;
  /** Everything that was written so far. */
  output(): string;
  /** The program's own process, below the shell that started it. */
  pid(): number;
  signalGroup(name: 'SIGCONT' | 'SIGKILL'): void;
  /** Resolves when the shell that ran it has ended; its last lines say `exit CODE` and how the terminal is set. Fails with the screen when it goes on. */
  ended(): Promise<string>;
  close(): Promise<void>;
}

const special: Readonly<Record<string, string>> = {
  Enter: '\r',
  Esc: '\u001B',
  Tab: '\t',
  Up: '\u001B[A',
  Down: '\u001B[B',
  Right: '\u001B[C',
  Left: '\u001B[D',
  'Shift-Tab': '\u001B[Z',
  PgUp: '\u001B[5~',
  PgDn: '\u001B[6~',
  Space: ' ',
  Backspace: '\u007F',
  'Ctrl-C': '\u0003',
  'Ctrl-Z': '\u001A',
};

/** Nothing drawn for this long: the next beat of the clock is then up to a second away. */
const QUIET_MS = 120;
/** Generous: a wait that is met costs nothing, and several of these programs share two busy cores. */
const WAIT_MS = 120_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `faultline ARGS` below a shell, which tells at the end how the terminal was left. */
export const start = (args: readonly string[], options: SessionOptions = {}): Session => {
  const { columns = 160, rows = 45, env = {}, stdin } = options;
  const state = options.state ?? emptyFolder('e2e');
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const from = stdin === undefined ? '' : ' < "$IN"';
  const script = `"$@"${from}; code=$?; printf '\\nexit %s\\n' "$code"; stty -a < /dev/tty; printf 'end\\n'`;
  const child = pty.spawn('/bin/sh', ['-c', script, 'sh', process.execPath, ...programArgs(), ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '/',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      CI: 'false',
      CONTINUOUS_INTEGRATION: 'false',
      XDG_STATE_HOME: state,
      ...(stdin !== undefined && { IN: stdin }),
      ...env,
    },
  });
  let output = '';
  let drawnAt = performance.now();
  const life = { over: false };
  child.onData((data) => {
    output += data;
    drawnAt = performance.now();
    terminal.write(data);
  });
  const exited = new Promise<void>((resolve) =>
    child.onExit(() => {
      life.over = true;
      resolve();
    }),
  );
  const flushed = (): Promise<void> => new Promise((resolve) => terminal.write('', resolve));
  const buffer = () => terminal.buffer.active;
  const lines = (): string[] =>
    Array.from({ length: terminal.rows }, (_, index) =>
      (
        buffer()
          .getLine(buffer().baseY + index)
          ?.translateToString(true) ?? ''
      ).trimEnd(),
    );
  const screen = (): string => lines().join('\n');
  const idle = async (): Promise<void> => {
    while (performance.now() - drawnAt < QUIET_MS && !life.over) await wait(10);
    await flushed();
  };
  const until: Session['until'] = async (wanted, timeoutMs = WAIT_MS) => {
    const holds = (): boolean =>
      typeof wanted === 'function'
        ? wanted(screen())
        : typeof wanted === 'string'
          ? screen().includes(wanted)
          : wanted.test(screen());
    const giveUp = performance.now() + timeoutMs;
    for (;;) {
      await flushed();
      if (holds()) return;
      if (performance.now() > giveUp) throw new Error(`never came: ${String(wanted)}\n${screen()}`);
      await wait(20);
    }
  };
  /** A key is drawn when something new was written after it, or nothing is to be drawn. */
  const press = async (bytes: string): Promise<void> => {
    const before = output.length;
    child.write(bytes);
    const giveUp = performance.now() + 1500;
    while (output.length === before && performance.now() < giveUp && !life.over) await wait(5);
    await idle();
  };
  const own = (): number => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      .trim()
      .split(/\s+/);
    return Number(children.at(-1));
  };
  return {
    state,
    keys: async (...names) => {
      for (const name of names) await press(special[name] ?? name);
    },
    type: async (text) => {
      for (const char of text) await press(char);
    },
    write: (bytes) => child.write(bytes),
    lines,
    screen,
    picture: () => lines().map((_, index) => runsOf(buffer().getLine(buffer().baseY + index), terminal.cols)),
    colours: () => {
      const found = new Set<number>();
      for (let y = 0; y < terminal.rows; y++) {
        for (let x = 0; x < terminal.cols; x++) {
          const cell = buffer()
            .getLine(buffer().baseY + y)
            ?.getCell(x);
          if (cell && !cell.isFgDefault()) found.add(cell.getFgColor());
          if (cell && !cell.isBgDefault()) found.add(1000 + cell.getBgColor());
        }
      }
      return found;
    },
    until,
    idle,
    resize: async (wide, high) => {
      terminal.resize(wide, high);
      await press('');
      child.resize(wide, high);
      await wait(50);
      await idle();
    },
    onAlternateScreen: () => buffer().type === 'alternate',
    output: () => output,
    pid: own,
    signalGroup: (name) => process.kill(-child.pid, name),
    ended: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, WAIT_MS).unref());
      await Promise.race([exited, late]);
      await flushed();
      if (!life.over) throw new Error(`it never ended\n${screen()}`);
      return output;
    },
    close: async () => {
      if (!life.over) {
        try {
          process.kill(-child.pid, 'SIGCONT');
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          // It ended by itself meanwhile.
        }
        await exited;
      }
      if (options.state === undefined) rmSync(state, { recursive: true, force: true });
    },
  };
};

const runsOf = (
  line: ReturnType<InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']>,
  columns: number,
): readonly Run[] => {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const look = {
      ...(!cell.isFgDefault() && { colour: cell.getFgColor() }),
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      inverse: cell.isInverse() !== 0,
    };
    const last = runs.at(-1);
    const text = cell.getChars() || ' ';
    const alike =
      last?.colour === look.colour &&
      last?.bold === look.bold &&
      last.dim === look.dim &&
      last.inverse === look.inverse;
    if (last && alike) last.text += text;
    else runs.push({ column, text, ...look });
  }
  return runs;
};

/** What the shell said of the terminal after the program: cooked, echoing, on the ordinary screen, with a cursor. */
export const isRestored = (session: Session): boolean => {
  const output = session.output();
  const shown = output.lastIndexOf('\u001B[?25h');
  const hidden = output.lastIndexOf('\u001B[?25l');
  return (
    !session.onAlternateScreen() &&
    !mouseIsOn(session) &&
    // Equal: it was never hidden.
    shown >= hidden &&
    /(?<!-)\bicanon\b/.test(output) &&
    /(?<!-)\becho\b/.test(output)
  );
};

/** Whether the terminal was last asked to report the mouse. */
export const mouseIsOn = (session: Session): boolean =>
  session.output().lastIndexOf('\u001B[?1006h') > session.output().lastIndexOf('\u001B[?1006l');
