import type { ClientChannel } from 'ssh2';
import type { Wire } from './wire.ts';

/** An ssh2 session channel without a terminal, as a wire. */
export const ssh2Wire = (channel: ClientChannel): Wire => ({
  write: (text) => void channel.write(text),
  end: () => void channel.end(),
  close: () => channel.close(),
  listen: (on) => {
    channel.on('data', (chunk: Buffer) => on.data('stdout', chunk));
    channel.stderr.on('data', (chunk: Buffer) => on.data('stderr', chunk));
    channel.on('error', () => {
      // The connection's own error tells the reason; 'close' follows.
    });
    channel.on('close', (exitCode: number | null | undefined, signal?: string) =>
      on.closed({
        ...(typeof exitCode === 'number' && { exitCode }),
        ...(signal !== undefined && { signal }),
      }),
    );
  },
});
