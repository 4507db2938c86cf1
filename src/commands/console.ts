import { realClock } from '../collect/clock.ts';
import { systemsOn } from '../collect/on-site.ts';
import type { SiteView } from '../model/site.ts';
import type { WorkerStart } from '../model/wire.ts';
import { makeSafe } from '../text/safe.ts';
import { count } from '../text/units.ts';
import { createCollectorThread, workerStart, type CollectorThread } from './collector-thread.ts';
import { consolePorts } from './console-ports.ts';
import { exit, line, requireCursor, terminal, UsageError, type Io, onEndingSignal } from './io.ts';
import type { OpenSite } from './open-site.ts';
import type { ScreenOptions } from './options.ts';
import { createScreenLog } from './screen-log.ts';

export interface ConsoleSetup {
  io: Io;
  /** Shown until the site is open. */
  name: string;
  readOnly: boolean;
  open(log: (line: string) => void, painted: Promise<void>): Promise<OpenSite>;
  demo: boolean;
  screen: ScreenOptions;
  /** The operator's other sites, and where to go when this one is left for one of them; absent on the demo site. */
  sites?: { list(): Promise<readonly string[]>; goTo(name: string): void };
  /** The first line is told when it begins, `:log` has all. */
  said?: readonly string[];
}

/** Both ends of the terminal, or what to use without one (exit code 64). */
export const requireTerminal = (io: Io) => {
  const tty = terminal(io);
  if (!tty)
    throw new UsageError('the console draws on a terminal, and this is none; use "faultline status" here');
  requireCursor(io.env, 'console');
  return tty;
};

/**
 * Draws the first frame, then opens the site while the collecting thread loads its modules. Resolves with the exit code when
 * the operator leaves; the terminal is as it was before, whatever happened. Long because whatever it opens it closes in one place.
 */
// oxlint-disable-next-line max-lines-per-function -- one life of a screen, all of it ended in one place
export const openConsole = async ({ io, name, open, demo, ...setup }: ConsoleSetup): Promise<number> => {
  let { readOnly } = setup;
  const { stdin, stdout } = requireTerminal(io);
  const log = createScreenLog(io.env, realClock.now);
  let thread: CollectorThread | undefined;
  let site: SiteView | undefined;
  let others: readonly string[] = [];
  let opening: Promise<OpenSite> | undefined;
  const startMessage = Promise.withResolvers<WorkerStart>();
  const painted = Promise.withResolvers<void>();
  const left = Promise.withResolvers<number>();
  // It may fail while nobody waits for it yet.
  left.promise.catch(() => undefined);
  const openNow = (): Promise<OpenSite> => {
    const made = open(log.add, painted.promise);
    made.catch(() => undefined);
    return made;
  };
  // Its thread starts beside our own work.
  if (demo) opening = openNow();

  // React chooses its fast build by this; the bundle has it built in.
  Object.assign(process.env, { NODE_ENV: process.env['NODE_ENV'] ?? 'production' });
  const [wanted, { createConsole }, { createMirror }, { makeTheme }, { startScreen }, { sizeOf }] =
    await Promise.all([
      import('./user-settings.ts').then(({ screenSettings }) => screenSettings(io.env, setup.screen)),
      import('../../components/console.ts'),
      import('../../components/mirror.ts'),
      import('../../components/theme.ts'),
      import('../../components/start.tsx'),
      import('../../components/drawing.ts'),
    ]);
  const mirror = createMirror({
    now: realClock.now,
    send: (message) => thread?.send(message),
    text: demo ? 'starting the demo site' : 'starting the collector',
  });
  const ports = consolePorts(io.env, {
    mirror,
    theme: makeTheme(io.env, wanted.theme),
    settings: wanted.settings,
    site: () => site,
    readOnly: () => readOnly,
    writeRaw: (text) => stdout.write(text),
    exit: (to) => {
      if (to !== undefined) setup.sites?.goTo(to);
      left.resolve(exit.ok);
    },
    ...(setup.sites && { sites: () => others }),
    restart: () => thread?.start(),
    log,
    demo,
  });
  const console = createConsole(ports, sizeOf(stdout));
  const linear = io.env['INK_SCREEN_READER'] === 'true';
  const screen = startScreen(console, name, { stdin, stdout, stderr: process.stderr }, linear);
  const unlisten = onEndingSignal(left.resolve);
  const noteGone = (): void => left.resolve(exit.ok);
  stdout.on('error', noteGone);
  screen.awaitEnd().then(
    () => left.resolve(exit.ok),
    (error: unknown) => left.reject(new DrawingFailed('the screen could not be drawn', { cause: error })),
  );

  const begin = (): CollectorThread => {
    const made = createCollectorThread({
      readOnly,
      start: startMessage.promise,
      log: log.add,
      receive: mirror.receive,
      onDied: (why, silent) => {
        mirror.noteStopped(why);
        if (!silent) return;
        mirror.noteStarting(`starting the collector again: ${why}`);
        made.start();
      },
    });
    made.start();
    return made;
  };

  try {
    for (const problem of wanted.problems) log.add(problem);
    const [problem, ...more] = wanted.problems;
    // The folder is always the same: the end of the line is what is wanted on a narrow screen.
    const short = problem?.slice(Math.max(0, problem.indexOf('config.yaml'))) ?? '';
    const rest = more.length === 0 ? '' : `${more.length + 1} mistakes (:log), first `;
    if (problem !== undefined) console.say(`${rest}${short}`);
    const [said] = setup.said ?? [];
    for (const text of setup.said ?? []) log.add(text);
    if (said !== undefined) console.say(said);
    await screen.painted();
    painted.resolve();
    setup.sites?.list().then(
      (names) => (others = names),
      (error: unknown) => log.add(`sites: ${String(error)}`),
    );
    opening ??= openNow();
    thread = begin();
    const opened = await Promise.race([opening, left.promise.then(() => undefined)]);
    if (opened) {
      site = opened.site;
      if (site.readOnly && !readOnly) {
        // The thread that was made could change machines: it never hears of the site.
        readOnly = true;
        await thread.close();
        thread = begin();
      }
      for (const warning of opened.warnings) log.add(warning);
      if (opened.warnings.length > 0)
        console.say(`${count(opened.warnings.length, 'warning')} about the site file: :log shows them`);
      const { systems } = await import('../registries/systems.ts');
      mirror.expect(systemsOn(systems, site).filter(({ probes }) => probes.length > 0));
      startMessage.resolve(workerStart(site, io.env, demo));
    }
    return await left.promise;
  } catch (error) {
    if (!(error instanceof DrawingFailed)) throw error;
    // Said only now: on the alternate screen it would be gone with it.
    screen.stop();
    sayFailed(error, io);
    return 1;
  } finally {
    painted.resolve();
    screen.stop();
    console.close();
    unlisten();
    await thread?.close();
    const closing = opening?.then(
      (opened) => opened.close(),
      () => undefined,
    );
    // What still opens by then is left to the end of the process.
    await Promise.race([closing, realClock.sleep(CLOSE_MS)]);
    stdout.off('error', noteGone);
  }
};

const CLOSE_MS = 2000;

/** A component threw: the fault is in the program, and its text must survive the screen. */
class DrawingFailed extends Error {}

const sayFailed = ({ message, cause }: DrawingFailed, io: Io): void => {
  line(io.stderr, `faultline: ${message}`);
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  for (const part of text.split('\n')) line(io.stderr, makeSafe(part));
};
