import type { Ports } from '../../components/context.ts';
import { realClock } from '../collect/clock.ts';
import type { SiteView } from '../model/site.ts';
import { visible } from '../text/safe.ts';
import { count } from '../text/units.ts';
import { createCollectorThread, workerStart, type CollectorThread } from './collector-thread.ts';
import { exit, line, terminal, UsageError, type Io } from './io.ts';
import { openSite, type OpenSite } from './open-site.ts';
import type { ConsoleOptions } from './options.ts';
import { createScreenLog } from './screen-log.ts';
import { onEndingSignal } from './signals.ts';

/** `faultline [--site FILE] [--read-only]`: the console on a site. */
export const run = async ({ site, readOnly }: ConsoleOptions, io: Io): Promise<number> => {
  needTerminal(io);
  // First, so that a fault in the site file is said on the ordinary screen.
  const opened = await openSite(site === undefined ? {} : { site }, io);
  return openConsole({
    io,
    name: opened.site.name,
    readOnly: readOnly || opened.site.readOnly,
    open: async () => opened,
    demo: false,
  });
};

export interface ConsoleSetup {
  io: Io;
  /** Shown until the site is open. */
  name: string;
  readOnly: boolean;
  open(log: (line: string) => void): Promise<OpenSite>;
  demo: boolean;
}

/** Both ends of the terminal, or what to use without one (exit code 64). */
export const needTerminal = (io: Io) => {
  const tty = terminal(io);
  if (!tty)
    throw new UsageError('the console draws on a terminal, and this is none; use "faultline status" here');
  return tty;
};

/**
 * Draws the first frame, then opens the site and starts the collecting thread. Resolves with the exit code when the
 * operator leaves; the terminal is as it was before, whatever happened.
 */
export const openConsole = async ({ io, name, readOnly, open, demo }: ConsoleSetup): Promise<number> => {
  const { stdin, stdout } = needTerminal(io);
  const log = createScreenLog(io.env, realClock.now);
  let thread: CollectorThread | undefined;
  let site: SiteView | undefined;
  let opening: Promise<OpenSite> | undefined;
  const left = Promise.withResolvers<number>();

  // React chooses its fast build by this; the bundle has it built in.
  Object.assign(process.env, { NODE_ENV: process.env['NODE_ENV'] ?? 'production' });
  const [{ createConsole }, { createMirror }, { makeTheme }, { sizeOf, startScreen }] = await Promise.all([
    import('../../components/console.ts'),
    import('../../components/mirror.ts'),
    import('../../components/theme.ts'),
    import('../../components/start.tsx'),
  ]);
  const mirror = createMirror({
    now: realClock.now,
    send: (message) => thread?.send(message),
    text: demo ? 'starting the demo site' : 'starting the collector',
  });
  let giveBack: ((stopped: () => Promise<void>) => Promise<void>) | undefined;
  const ports: Ports = {
    mirror,
    theme: makeTheme(io.env),
    clock: realClock,
    hosts: () => site?.hosts.map((host) => host.name) ?? [],
    readOnly,
    writeRaw: (text) => stdout.write(text),
    insideTmux: (io.env['TMUX'] ?? '') !== '',
    suspend: () => void giveBack?.(stopUntilContinued),
    attach: (give) => {
      giveBack = give;
      return () => {
        giveBack = undefined;
      };
    },
    exit: () => left.resolve(exit.ok),
    restart: () => {
      mirror.starting('starting the collector again');
      thread?.start();
    },
    log: log.lines,
  };
  const console = createConsole(ports, sizeOf(stdout));
  const linear = io.env['INK_SCREEN_READER'] === 'true';
  const screen = startScreen(console, name, { stdin, stdout, stderr: process.stderr }, linear);
  const unlisten = onEndingSignal(left.resolve);
  const gone = (): void => left.resolve(exit.ok);
  stdout.on('error', gone);
  screen.ended().then(
    () => left.resolve(exit.ok),
    (error: unknown) => left.reject(new DrawingFailed('the screen could not be drawn', { cause: error })),
  );

  const begin = (opened: OpenSite): CollectorThread => {
    for (const warning of opened.warnings) log.add(warning);
    if (opened.warnings.length > 0)
      console.say(`${count(opened.warnings.length, 'warning')} about the site file: :log shows them`);
    const made = createCollectorThread({
      readOnly,
      start: workerStart(opened.site, io.env, demo),
      log: log.add,
      receive: mirror.receive,
      died: mirror.stopped,
    });
    made.start();
    return made;
  };

  try {
    await screen.painted();
    opening = open(log.add);
    const opened = await Promise.race([opening, left.promise.then(() => undefined)]);
    if (opened) {
      site = opened.site;
      thread = begin(opened);
    }
    return await left.promise;
  } catch (error) {
    if (!(error instanceof DrawingFailed)) throw error;
    // Said only now: on the alternate screen it would be gone with it.
    screen.stop();
    const cause =
      error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause);
    line(io.stderr, `faultline: ${error.message}`);
    for (const text of cause.split('\n')) line(io.stderr, visible(text));
    return 1;
  } finally {
    screen.stop();
    console.close();
    unlisten();
    await thread?.close();
    await opening?.then(
      (opened) => opened.close(),
      () => undefined,
    );
    stdout.off('error', gone);
  }
};

/** A component threw: the fault is in the program, and its text must survive the screen. */
class DrawingFailed extends Error {}

/** Stops the whole foreground job as the shell would, npm and all; goes on when the shell continues it. */
const stopUntilContinued = async (): Promise<void> => {
  process.kill(0, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 50));
};
