import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import xterm from '@xterm/headless';
import { createConsole, type Console } from '../../components/console.ts';
import type { Ports } from '../../components/context.ts';
import { createMirror, type Mirror } from '../../components/mirror.ts';
import type { Drawing } from '../../components/drawing.ts';
import { startScreen } from '../../components/start.tsx';
import { plainSettings, type Settings } from '../../components/settings.ts';
import { makeTheme, type Environment, type ThemeName } from '../../components/theme.ts';
import { expand } from '../../src/text/nodeset.ts';
import { NotYetKnown } from '../../src/text/set-arithmetic.ts';
import type { SafeData } from '../../src/text/safe.ts';
import type { RequestName, Requests, ToWorker } from '../../src/model/wire.ts';
import { NOW } from './fixture.ts';

/** Replies of a pretended collector; a name without an entry is never answered. */
export type Replies = { [N in RequestName]?: (args: Requests[N]['in']) => Requests[N]['out'] };

class FakeStdout extends EventEmitter {
  readonly isTTY = true;
  writable = true;
  columns: number;
  rows: number;
  readonly terminal: InstanceType<typeof xterm.Terminal>;
  bytes = 0;
  written = '';

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
    this.terminal = new xterm.Terminal({
      cols: Math.max(2, columns),
      rows: Math.max(1, rows),
      allowProposedApi: true,
      convertEol: true,
    });
  }

  write(text: string, done?: () => void): boolean {
    this.bytes += text.length;
    this.written += text;
    this.terminal.write(text, done);
    return true;
  }
}

/** A keyboard; tells when it is made raw or given back. */
const fakeStdin = (told: (raw: boolean) => void) => {
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode: (raw: boolean): void => {
      stdin.isRaw = raw;
      told(raw);
    },
    ref: () => undefined,
    unref: () => undefined,
  });
  return stdin;
};

export interface Rig {
  console: Console;
  mirror: Mirror;
  started: Drawing;
  sent: ToWorker[];
  raw: string[];
  exits: number;
  /** For which sites it was left. */
  leftFor: string[];
  /** Bytes that had been drawn when the keyboard was made raw, and when it was given back. */
  rawAt: { raw: boolean; bytes: number }[];
  /** UTC and monotonic ms pass. */
  pass(ms: number): void;
  keys(...names: readonly string[]): Promise<void>;
  type(input: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  settle(): Promise<void>;
  lines(): string[];
  screen(): string;
  /** SGR colours of a cell: foreground number or -1. */
  colourAt(line: number, column: number): number;
  bytes(): number;
  /** All that was written to the terminal. */
  written(): string;
  close(): void;
}

const special: Readonly<Record<string, string>> = {
  Enter: '\r',
  Esc: '\u001B',
  Tab: '\t',
  Up: '\u001B[A',
  Down: '\u001B[B',
  Right: '\u001B[C',
  Left: '\u001B[D',
  PgDn: '\u001B[6~',
  PgUp: '\u001B[5~',
  End: '\u001B[F',
  Home: '\u001B[H',
  Space: ' ',
  Backspace: '\u007F',
  'Ctrl-C': '\u0003',
};

/** The whole console drawn into a headless terminal; time stands still unless told to pass. */
export const rig = async (
  options: {
    columns?: number;
    rows?: number;
    env?: Environment;
    replies?: Replies;
    readOnly?: boolean;
    linear?: boolean;
    shell?: (host: string) => Promise<void>;
    saveTicket?: (name: string, text: string) => Promise<string>;
    saveFilter?: (name: string, filter: string) => Promise<string>;
    sites?: readonly string[];
    theme?: ThemeName;
    settings?: Partial<Settings>;
  } = {},
): Promise<Rig> => {
  const {
    columns = 160,
    rows = 45,
    env = { LANG: 'en_US.UTF-8' },
    replies = {},
    readOnly = false,
    linear = false,
  } = options;
  const time = { now: NOW, mono: 1_000_000 };
  const sent: ToWorker[] = [];
  const raw: string[] = [];
  const mirror: Mirror = createMirror({
    ackAfterMs: 0,
    now: () => time.now,
    send: (message) => {
      sent.push(message);
      if (message.type !== 'request') return;
      const answer = replies[message.name] as ((args: unknown) => unknown) | undefined;
      if (answer)
        queueMicrotask(() =>
          mirror.receive({
            type: 'reply',
            id: message.id,
            ok: true,
            value: answer(message.args) as SafeData,
          }),
        );
    },
  });
  const counted = { exits: 0 };
  const leftFor: string[] = [];
  const ports: Ports = {
    mirror,
    theme: makeTheme(env, options.theme),
    settings: { ...plainSettings, ...options.settings },
    clock: { now: () => time.now, mono: () => time.mono },
    hosts: () => ['ctl1', 'node1', 'node12'],
    // As the console's own: what a system tells of is known where it is read.
    expand: (set) => {
      if (set.startsWith('@slurm:')) throw new NotYetKnown(`"${set}" is known only once Slurm was read`);
      return expand(set);
    },
    readOnly,
    writeRaw: (text) => raw.push(text),
    insideTmux: false,
    suspend: () => undefined,
    attach: () => () => undefined,
    exit: (to) => {
      counted.exits += 1;
      if (to !== undefined) leftFor.push(to);
    },
    restart: () => mirror.noteStarting('starting again'),
    log: () => ['a log line'],
    ...(options.shell && { shell: options.shell }),
    ...(options.sites && { sites: () => options.sites ?? [] }),
    ...(options.saveTicket && { saveTicket: options.saveTicket }),
    ...(options.saveFilter && { saveFilter: options.saveFilter }),
  };
  const stdout = new FakeStdout(columns, rows);
  const rawAt: { raw: boolean; bytes: number }[] = [];
  const stdin = fakeStdin((isRaw) => rawAt.push({ raw: isRaw, bytes: stdout.bytes }));
  const console = createConsole(ports, { columns: Math.max(1, columns), rows: Math.max(1, rows) });
  const started = startScreen(
    console,
    'somewhere',
    {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: new PassThrough(),
    },
    linear,
  );
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 4; round++) await new Promise((resolve) => setTimeout(resolve, 12));
    await started.painted();
    await new Promise<void>((resolve) => stdout.terminal.write('', resolve));
  };
  const type = async (input: string): Promise<void> => {
    stdin.write(input);
    await new Promise((resolve) => setTimeout(resolve, input === '\u001B' ? 40 : 5));
    await settle();
  };
  const lines = (): string[] => {
    const buffer = stdout.terminal.buffer.active;
    return Array.from({ length: stdout.terminal.rows }, (_, index) =>
      (buffer.getLine(buffer.baseY + index)?.translateToString(true) ?? '').trimEnd(),
    );
  };
  await settle();
  return {
    console,
    mirror,
    started,
    sent,
    raw,
    rawAt,
    leftFor,
    get exits() {
      return counted.exits;
    },
    pass: (ms) => {
      time.now += ms;
      time.mono += ms;
      console.tick();
    },
    keys: async (...names) => {
      for (const name of names) await type(special[name] ?? name);
    },
    type,
    resize: async (wide, high) => {
      stdout.columns = wide;
      stdout.rows = high;
      stdout.terminal.resize(Math.max(2, wide), Math.max(1, high));
      stdout.emit('resize');
      await settle();
    },
    settle,
    lines,
    screen: () => lines().join('\n'),
    colourAt: (line, column) => {
      const cell = stdout.terminal.buffer.active
        .getLine(stdout.terminal.buffer.active.baseY + line)
        ?.getCell(column);
      return cell?.isFgDefault() ? -1 : (cell?.getFgColor() ?? -1);
    },
    bytes: () => stdout.bytes,
    written: () => stdout.written,
    close: () => {
      started.stop();
      console.close();
    },
  };
};
