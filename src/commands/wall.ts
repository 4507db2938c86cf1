import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Mirror } from '../../components/mirror.ts';
import { realClock } from '../collect/clock.ts';
import { systemsOn } from '../collect/on-site.ts';
import type { WorkerStart } from '../model/wire.ts';
import { makeSafe } from '../text/safe.ts';
import { createCollectorThread, workerStart, type CollectorThread } from './collector-thread.ts';
import { exit, line, requireCursor, UsageError, type Io, onEndingSignal } from './io.ts';
import { openSite, type OpenSite } from './open-site.ts';
import type { WallOptions } from './options.ts';
import { createScreenLog } from './screen-log.ts';

/** A dead collector is started again after 2 s, then 4, 8 ... up to a minute. */
const RESTART_MS = 2000;
const RESTART_MOST_MS = 60_000;

const isScreen = (stream: Io['stdout']): stream is WriteStream =>
  stream.isTTY === true && 'columns' in stream;

/** `faultline wall`: shows, and can do nothing. Needs no keyboard; takes Ctrl-C and nothing else from one. */
export const run = async (options: WallOptions, io: Io): Promise<number> => {
  if (!isScreen(io.stdout))
    throw new UsageError('the wall draws on a terminal, and this is none; use "faultline status" here');
  requireCursor(io.env, 'wall');
  const [first, ...more] = options.sites;
  if (more.length > 0) {
    const { runOnSites } = await import('./wall-of-sites.ts');
    return runOnSites(options.sites, options, io);
  }
  const log = createScreenLog(io.env, realClock.now);
  const opened = await openSite({ ...options, ...(first !== undefined && { site: first }) }, io, log.add);
  const [{ startWall }, { mirror, start, close }] = await Promise.all([
    import('../../components/wall.tsx'),
    collectFor(opened, { env: io.env, demo: options.demo, log: log.add }),
  ]);
  return hangWall(io, options, { draw: (outside) => startWall({ mirror, ...outside }), begin: start, close });
};

/** What a wall shows of an open site, from `start` on; `close` ends the site, too. */
export const collectFor = async (
  { site, close }: OpenSite,
  { env, demo, log }: { env: Io['env']; demo: boolean; log: (line: string) => void },
): Promise<{ mirror: Mirror; start(): Promise<void>; close(): Promise<void> }> => {
  const { createMirror } = await import('../../components/mirror.ts');
  let send: CollectorThread['send'] | undefined;
  const mirror = createMirror({
    now: realClock.now,
    send: (message) => send?.(message),
    ackAfterMs: 500,
  });
  const thread = restartingThread(Promise.resolve(workerStart(site, env, demo)), log, mirror);
  send = thread.send;
  return {
    mirror,
    start: async () => {
      const { systems } = await import('../registries/systems.ts');
      mirror.expect(systemsOn(systems, site).filter(({ probes }) => probes.length > 0));
      thread.start();
    },
    close: async () => {
      await thread.close();
      await close();
    },
  };
};

interface Hanging {
  draw(outside: Omit<Parameters<StartWall>[0], 'mirror'>): ReturnType<StartWall>;
  /** Once it is on the screen. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

type StartWall = (typeof import('../../components/wall.tsx'))['startWall'];

/** Draws until Ctrl-C, a signal, or the end of the terminal; whatever happens, the terminal is as before and all is closed. */
export const hangWall = async (
  io: Io,
  { theme }: Pick<WallOptions, 'theme'>,
  { draw, begin, close }: Hanging,
): Promise<number> => {
  const { stdout } = io;
  if (!isScreen(stdout)) return exit.usage;
  Object.assign(process.env, { NODE_ENV: process.env['NODE_ENV'] ?? 'production' });
  const { makeTheme } = await import('../../components/theme.ts');
  const left = Promise.withResolvers<number>();
  const wall = draw({
    theme: makeTheme(io.env, theme),
    now: realClock.now,
    stdout,
    stderr: process.stderr,
    stdin: deafStdin(),
  });
  const unlisten = onEndingSignal(left.resolve);
  const noteAwake = silenceKeyboard(io, () => left.resolve(128 + 2));
  const noteGone = (): void => left.resolve(exit.ok);
  stdout.on('error', noteGone);
  wall.awaitEnd().then(noteGone, left.reject);
  try {
    await wall.painted();
    await begin();
    return await left.promise;
  } catch (error) {
    wall.stop();
    const why = makeSafe(error instanceof Error ? error.message : String(error));
    line(io.stderr, `faultline: the wall could not be drawn: ${why}`);
    return 1;
  } finally {
    wall.stop();
    noteAwake();
    unlisten();
    await close();
    stdout.off('error', noteGone);
  }
};

/** The collecting thread, started again whenever it dies. */
const restartingThread = (
  start: Promise<WorkerStart>,
  log: (line: string) => void,
  mirror: Pick<Mirror, 'receive' | 'noteStopped'>,
): CollectorThread => {
  let waitMs = RESTART_MS;
  let timer: NodeJS.Timeout | undefined;
  const thread = createCollectorThread({
    readOnly: true,
    start,
    log,
    receive: (message) => {
      if (message.type === 'update') waitMs = RESTART_MS;
      mirror.receive(message);
    },
    onDied: (why) => {
      mirror.noteStopped(why);
      timer = setTimeout(() => thread.start(), waitMs);
      waitMs = Math.min(RESTART_MOST_MS, waitMs * 2);
    },
  });
  return {
    ...thread,
    close: () => {
      clearTimeout(timer);
      return thread.close();
    },
  };
};

/** Ink is given a stream that says nothing: no key can reach it. */
const deafStdin = (): ReadStream =>
  // Ink looks at these members only, and the wall uses no input hook.
  Object.assign(new PassThrough(), { isTTY: false }) as unknown as ReadStream;

/** Keys are neither echoed onto the wall nor left for the shell; Ctrl-C, which raw mode makes a key, still leaves. */
const silenceKeyboard = ({ stdin }: Io, leave: () => void): (() => void) => {
  const keyboard = stdin as Io['stdin'] & Partial<Pick<ReadStream, 'setRawMode'>>;
  if (keyboard.isTTY !== true || !keyboard.setRawMode) return () => {};
  const listen = (chunk: Buffer | string): void => {
    if (chunk.toString().includes('\u0003')) leave();
  };
  keyboard.setRawMode(true);
  keyboard.on('data', listen);
  return () => {
    keyboard.off('data', listen);
    keyboard.setRawMode?.(false);
    keyboard.pause();
  };
};
