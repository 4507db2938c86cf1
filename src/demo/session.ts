import type { ServerChannel, Session } from 'ssh2';
import { newWriter } from './channel-writer.ts';
import { runDeviceShell } from './device-shell.ts';
import { runScript } from './shell/run.ts';
import { newShell, Stopped, type Outside, type Streams } from './shell/shell.ts';
import { runStdinShell } from './stdin-shell.ts';
import { runTerminalShell } from './terminal-shell.ts';

/** The parts of a simulated host that a session uses. */
export interface SessionHost {
  outside: Outside;
  /** Printed by the login shell before anything else. */
  banner(): string;
}

/** Serves the one command of an SSH session: `sh` reads its input, anything else runs as a command line. */
export const serveSession = (session: Session, host: SessionHost): void => {
  let terminal = false;
  session.on('exec', (accept, _reject, { command }) => serve(accept(), command, host));
  session.on('shell', (accept) => serve(accept(), terminal ? undefined : 'sh', host));
  session.on('pty', (accept) => {
    terminal = true;
    accept();
  });
  // OpenSSH wants no answer to these: there may be nothing to accept.
  session.on('env', (accept) => accept?.());
  session.on('window-change', (accept) => accept?.());
  session.on('signal', (accept) => accept?.());
};

/** `command` undefined: a person in a terminal. */
const serve = (channel: ServerChannel, command: string | undefined, host: SessionHost): void => {
  const closed = new AbortController();
  const writer = newWriter(channel, closed.signal);
  channel.on('close', () => closed.abort());
  channel.on('error', () => closed.abort());
  const banner = host.banner();
  if (banner !== '') writer.out(banner);
  run(channel, command, host.outside, writer, closed.signal).then(
    async (code) => {
      await writer.awaitFlushed();
      if (closed.signal.aborted) return;
      channel.exit(code);
      channel.end();
    },
    (error: unknown) => {
      if (closed.signal.aborted || error instanceof Stopped) return;
      // A fault of the demo itself: the caller sees a lost session, and the reason on standard error.
      writer.err(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
      void writer.awaitFlushed().then(() => channel.close());
    },
  );
};

const run = (
  channel: ServerChannel,
  command: string | undefined,
  outside: Outside,
  streams: Pick<Streams, 'out' | 'err'>,
  signal: AbortSignal,
): Promise<number> => {
  const input = channel as AsyncIterable<Uint8Array>;
  const device = outside.login?.();
  if (device) {
    if (command === undefined) return runDeviceShell(input, device, streams.out, signal);
    streams.err('% this device has no exec channel\n');
    return Promise.resolve(1);
  }
  if (command === undefined) return runTerminalShell(input, outside, streams.out, signal);
  const fromInput = /^(exec +)?(\/bin\/)?sh( +-s)?$/.test(command.trim());
  if (fromInput) return runStdinShell(input, outside, streams, signal);
  channel.resume();
  return runScript(command, newShell(outside), { ...streams, input: { text: '' } }, signal);
};
