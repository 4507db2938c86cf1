import type { ConnectFailure } from '../model/answer.ts';

/** How a wire ended; nothing set when it was torn. */
export interface WireEnd {
  exitCode?: number;
  signal?: string;
}

/** A running remote (or local) `sh`: bytes in, two streams of bytes out. Made by a transport, owned by a session. */
export interface Wire {
  write(text: string): void;
  /** Call once, before anything is written. `closed` is called once, after the last byte. */
  listen(on: {
    data: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
    onClosed: (end: WireEnd) => void;
  }): void;
  /**
   * Why the carrier itself gave up, once it has closed; undefined when it was the shell that ended. `answered`: the shell
   * had been heard, so that what came on standard error may be its own.
   */
  whyFailed?(answered: boolean): ConnectFailure | undefined;
  /** No more input: the idle `sh` ends by itself, and its place on the server is free when `closed` comes. */
  end(): void;
  /** Lets it go: what runs on the far side is left to its own `timeout`. */
  close(): void;
}
