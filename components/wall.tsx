import { useSyncExternalStore, type ReactNode } from 'react';
import { Box, render } from 'ink';
import { keepTicking, renderOptions, sizeOf, type Drawing } from './drawing.ts';
import { Lines } from './lines.tsx';
import type { Mirror } from './mirror.ts';
import type { Theme } from './theme.ts';
import { findLastChange } from './wall-findings.ts';
import { wallLines, type WallLook } from './wall-lines.ts';

export interface WallOptions {
  mirror: Mirror;
  theme: Theme;
  now(): number;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WritableStream;
  /** A stream that never gives anything: Ink must not read the terminal's keys. */
  stdin: NodeJS.ReadStream;
}

interface WallStore {
  subscribe(listener: () => void): () => void;
  look(): WallLook;
}

const WallScreen = ({ store }: { store: WallStore }): ReactNode => {
  const look = useSyncExternalStore(store.subscribe, store.look);
  return (
    <Box width={look.columns} height={look.rows}>
      <Lines left={0} top={0} width={look.columns} lines={wallLines(look)} />
    </Box>
  );
};

/** Draws the wall until stopped: it listens to the collector, the clock and the window's size, and to nothing else. */
export const startWall = ({ mirror, theme, now, ...streams }: WallOptions): Drawing => {
  const { stdout } = streams;
  const startedAt = now();
  const listeners = new Set<() => void>();
  const lookNow = (before?: WallLook): WallLook => {
    const data = mirror.snapshot();
    const change = findLastChange(
      data.findings,
      { findings: before?.data.findings, last: before?.change },
      now(),
    );
    const fine = data.findings?.every((finding) => finding.severity === 'notice') === true;
    return {
      theme,
      data,
      startedAt,
      now: Math.floor(now() / 1000) * 1000,
      ...sizeOf(stdout),
      ...(change && { change }),
      ...(fine && { fineSince: before?.fineSince ?? (before ? now() : startedAt) }),
    };
  };
  let look = lookNow();
  const update = (): void => {
    look = lookNow(look);
    for (const listener of listeners) listener();
  };
  const store: WallStore = {
    look: () => look,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  stdout.prependListener('resize', update);
  const unsubscribe = mirror.subscribe(update);
  const stopTicking = keepTicking(now, update);
  const app = render(<WallScreen store={store} />, { ...renderOptions, ...streams });
  const stop = (): void => {
    stopTicking();
    unsubscribe();
    stdout.off('resize', update);
    app.unmount();
  };
  return {
    painted: () => app.waitUntilRenderFlush(),
    awaitEnd: () => app.waitUntilExit().finally(stop),
    stop,
  };
};
