/** Something that is being drawn on a terminal. */
export interface Drawing {
  /** The frame is on the terminal. */
  painted(): Promise<void>;
  /** Rejects with what a component threw. */
  awaitEnd(): Promise<unknown>;
  stop(): void;
}

/** Stops the drawing at the end of the process at the latest: what is said of that end must not be gone with the screen. */
export const stopAtExit = (stop: () => void): (() => void) => {
  const stopNow = (): void => {
    process.off('exit', stopNow);
    stop();
  };
  process.once('exit', stopNow);
  return stopNow;
};

/** More than any screen has: a terminal that claims more would have us draw millions of cells that nobody sees. */
const MOST = { columns: 1000, rows: 500 };

/**
 * What a terminal reports as its size. Serial lines, expect and containers report 0 where nobody has set it (tty_ioctl(4), TIOCGWINSZ):
 * then it is what a VT100 has.
 */
export const sizeOf = (stdout: { columns?: number; rows?: number }): { columns: number; rows: number } => ({
  columns: Math.min(MOST.columns, stdout.columns || 80),
  rows: Math.min(MOST.rows, stdout.rows || 24),
});

/** As measured (docs/decisions/0150): lines as they change, nothing patched. */
export const renderOptions = {
  alternateScreen: true,
  incrementalRendering: true,
  patchConsole: false,
  exitOnCtrlC: false,
  interactive: true,
  concurrent: false,
} as const;

/** Ticks at every full second, or as often as `sooner` says; gives how to end that. */
export const keepTicking = (
  now: () => number,
  tick: () => void,
  sooner: () => number | undefined = () => undefined,
): (() => void) => {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (): void => {
    timer = setTimeout(
      () => {
        tick();
        wait();
      },
      sooner() ?? 1000 - (now() % 1000) + 1,
    );
  };
  wait();
  return () => clearTimeout(timer);
};
