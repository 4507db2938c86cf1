import { render } from 'ink';
import { App } from './app.tsx';
import type { Console } from './console.ts';

/** Streams as Ink takes them. */
export interface Screen {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WritableStream;
}

/** A screen that is being drawn. */
export interface Started {
  /** The frame is on the terminal. */
  painted(): Promise<void>;
  /** Rejects with what a component threw. */
  ended(): Promise<unknown>;
  stop(): void;
}

/** What a terminal says of its size; 0 or nothing is taken as one cell, so that nothing divides by it. */
export const sizeOf = (stdout: { columns?: number; rows?: number }): { columns: number; rows: number } => ({
  columns: Math.max(1, stdout.columns ?? 80),
  rows: Math.max(1, stdout.rows ?? 24),
});

/** Render settings as measured in domain/ink.md section 4: keys at once, lines as they change, nothing patched. */
export const startScreen = (console: Console, siteName: string, screen: Screen, linear: boolean): Started => {
  const { stdin, stdout, stderr } = screen;
  const resized = (): void => console.resize(sizeOf(stdout));
  // Before Ink's own listener, so that it never draws the old size into the new window.
  stdout.prependListener('resize', resized);
  const timer = keepTicking(console);
  // Ink asks for keys after its first frame: a Ctrl-C between the two would be a signal, to the shell as well.
  const keys = (raw: boolean): void => void (stdin.isTTY && stdin.isRaw !== raw && stdin.setRawMode(raw));
  keys(true);
  const app = render(<App console={console} siteName={siteName} />, {
    stdin,
    stdout,
    stderr,
    alternateScreen: !linear,
    isScreenReaderEnabled: linear,
    incrementalRendering: !linear,
    maxFps: 120,
    patchConsole: false,
    exitOnCtrlC: false,
    interactive: true,
    concurrent: false,
  });
  const stop = (): void => {
    timer.stop();
    stdout.off('resize', resized);
    app.unmount();
    keys(false);
  };
  return {
    painted: () => app.waitUntilRenderFlush(),
    ended: () => app.waitUntilExit().finally(stop),
    stop,
  };
};

/** Ticks at every full second; four times as often while a confirmation counts down. */
const keepTicking = (console: Console): { stop(): void } => {
  let timer: ReturnType<typeof setTimeout>;
  const again = (): void => {
    const now = console.ports.clock.now();
    const countdown = console.state().ui.overlays.some((overlay) => overlay.kind === 'confirm');
    timer = setTimeout(
      () => {
        console.tick();
        again();
      },
      countdown ? 250 : 1000 - (now % 1000) + 1,
    );
  };
  again();
  return { stop: () => clearTimeout(timer) };
};
