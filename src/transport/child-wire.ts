import { execa } from 'execa';
import type { ConnectFailure } from '../model/answer.ts';
import type { Clock, Log } from '../model/ports.ts';
import { failure } from './failure.ts';
import { HostSessions } from './host-sessions.ts';
import { HostState, type HostTransport } from './host-state.ts';
import type { Wire } from './wire.ts';

/** Stderr of the program itself kept for the question why it ended, bytes. */
const KEPT = 4000;

/** How a child ended. `stderr` is its own word only when the shell on it had not `answered`. */
export interface ChildEnd {
  exitCode?: number;
  answered: boolean;
  stderr: string;
  /** Why it did not start. */
  cause?: string;
}

/**
 * A child process as a wire, started from argv without a shell. `why` judges its end.
 */
export const childWire = (
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
  why: (end: ChildEnd) => ConnectFailure | undefined,
): Wire => {
  const [file, ...args] = argv;
  const child = execa(file, args, {
    env,
    extendEnv: false,
    stdin: 'pipe',
    buffer: false,
    reject: false,
    encoding: 'buffer',
    forceKillAfterDelay: 2000,
  });
  let said = '';
  let ended: { exitCode?: number; cause?: string } | undefined;
  child.stdin.on('error', () => {
    // The far side has gone: `closed` tells it.
  });
  return {
    write: (text) => void child.stdin.write(text),
    end: () => void child.stdin.end(),
    close: () => {
      child.stdin.destroy();
      child.kill();
    },
    whyFailed: (answered) => (ended ? why({ ...ended, answered, stderr: said }) : undefined),
    listen: (on) => {
      child.stdout.on('data', (chunk: Buffer) => on.data('stdout', chunk));
      child.stderr.on('data', (chunk: Buffer) => {
        if (said.length < KEPT) said += chunk.toString();
        on.data('stderr', chunk);
      });
      void child.then((result) => {
        ended = {
          ...(result.exitCode !== undefined && { exitCode: result.exitCode }),
          ...(result.failed && result.exitCode === undefined && { cause: result.shortMessage }),
        };
        on.onClosed({
          ...(result.exitCode !== undefined && { exitCode: result.exitCode }),
          ...(result.signal !== undefined && { signal: result.signal }),
        });
      });
    },
  };
};

/** The machine the console runs on: the same framed `sh`, started here. */
export const localTransport = (
  host: string,
  context: { clock: Clock; log: Log; env: Readonly<Record<string, string | undefined>> },
): HostTransport => {
  const state = new HostState(host, 'local', context.clock, context.log);
  const sessions = new HostSessions(state, context.clock, async () => ({
    wire: childWire(['sh'], context.env, ({ cause }) =>
      cause === undefined ? undefined : failure('other', host, ['sh did not start', cause], 'see PATH'),
    ),
  }));
  return {
    kind: 'local',
    run: (request, signal) => sessions.run(request, signal),
    connection: () => state.view(),
    retry: () => state.retry(),
    reset: () => sessions.drop(),
    close: async () => sessions.drop(),
  };
};
