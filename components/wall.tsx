import { useSyncExternalStore, type ReactNode } from 'react';
import { Box, render } from 'ink';
import { Lines } from './lines.tsx';
import type { Mirror } from './mirror.ts';
import type { Theme } from './theme.ts';
import { wallLines } from './wall-lines.ts';

export interface Wall {
  painted(): Promise<void>;
  ended(): Promise<unknown>;
  stop(): void;
}

export interface WallOptions {
  mirror: Mirror;
  theme: Theme;
  now(): number;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WritableStream;
  /** A stream that never gives anything: Ink must not read the terminal's keys. */
  stdin: NodeJS.ReadStream;
}

interface Look {
  data: ReturnType<Mirror['snapshot']>;
  now: number;
  columns: number;
  rows: number;
  fineSince?: number;
}

interface WallStore {
  subscribe(listener: () => void): () => void;
  look(): Look;
  startedAt: number;
}

const WallScreen = ({ store, theme }: { store: WallStore; theme: Theme }): ReactNode => {
  const look = useSyncExternalStore(store.subscribe, store.look);
  const lines = wallLines({ theme, ...look, startedAt: store.startedAt });
  return (
    <Box width={look.columns} height={look.rows}>
      <Lines left={0} top={0} width={look.columns} lines={lines} />
    </Box>
  );
};

/** Draws the wall until stopped: it listens to the collector, the clock and the window's size, and to nothing else. */
export const startWall = ({ mirror, theme, now, stdout, stderr, stdin }: WallOptions): Wall => {
  const startedAt = now();
  const listeners = new Set<() => void>();
  let look: Look = lookNow(undefined);
  function lookNow(before: Look | undefined): Look {
    const data = mirror.snapshot();
    const fine =
      data.findings !== undefined && data.findings.every((finding) => finding.severity === 'notice');
    const fineSince = before?.fineSince ?? (before ? now() : startedAt);
    return {
      data,
      now: Math.floor(now() / 1000) * 1000,
      columns: Math.max(1, stdout.columns ?? 80),
      rows: Math.max(1, stdout.rows ?? 24),
      ...(fine && { fineSince }),
    };
  }
  const changed = (): void => {
    look = lookNow(look);
    for (const listener of listeners) listener();
  };
  const store: WallStore = {
    startedAt,
    look: () => look,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  stdout.prependListener('resize', changed);
  const unsubscribe = mirror.subscribe(changed);
  let timer: ReturnType<typeof setTimeout>;
  const beat = (): void => {
    timer = setTimeout(
      () => {
        changed();
        beat();
      },
      1000 - (now() % 1000) + 1,
    );
  };
  beat();
  const app = render(<WallScreen store={store} theme={theme} />, {
    stdin,
    stdout,
    stderr,
    alternateScreen: true,
    incrementalRendering: true,
    patchConsole: false,
    exitOnCtrlC: false,
    interactive: true,
    concurrent: false,
  });
  const stop = (): void => {
    clearTimeout(timer);
    unsubscribe();
    stdout.off('resize', changed);
    app.unmount();
  };
  return {
    painted: () => app.waitUntilRenderFlush(),
    ended: () => app.waitUntilExit().finally(stop),
    stop,
  };
};
