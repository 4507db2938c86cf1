import { useSyncExternalStore, type ReactNode } from 'react';
import { Box, render } from 'ink';
import { keepTicking, renderOptions, sizeOf, stopAtExit, type Drawing } from './drawing.ts';
import { Lines } from './lines.tsx';
import type { Mirror } from './mirror.ts';
import type { Painted } from './paint.ts';
import type { Theme } from './theme.ts';
import { findLastChange } from './wall-findings.ts';
import { wallLines, type WallLook } from './wall-lines.ts';
import { sitesLines } from './wall-sites.ts';

interface Outside {
  theme: Theme;
  now(): number;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WritableStream;
  /** A stream that never gives anything: Ink must not read the terminal's keys. */
  stdin: NodeJS.ReadStream;
}

export interface WallOptions extends Outside {
  mirror: Mirror;
}

/** A site of a wall that shows several; without a mirror its file can't be used. */
export type WallSite = { name: string } & ({ mirror: Mirror } | { problem: string });

/** One picture. */
interface Frame {
  columns: number;
  rows: number;
  lines: readonly Painted[];
}

interface WallStore {
  subscribe(listener: () => void): () => void;
  frame(): Frame;
}

const WallScreen = ({ store }: { store: WallStore }): ReactNode => {
  const { columns, rows, lines } = useSyncExternalStore(store.subscribe, store.frame);
  return (
    <Box width={columns} height={rows}>
      <Lines left={0} top={0} width={columns} lines={lines} />
    </Box>
  );
};

/** What a wall shows of a site now, by what it showed before. */
const lookAt = (
  mirror: Mirror,
  before: WallLook | undefined,
  { theme, now, stdout, startedAt }: Outside & { startedAt: number },
): WallLook => {
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

/** Draws frames until stopped: it listens to the collectors, the clock and the window's size, and to nothing else. */
const drawFrames = (
  mirrors: readonly Mirror[],
  makeFrame: () => Frame,
  { now, stdout, stderr, stdin }: Outside,
): Drawing => {
  const listeners = new Set<() => void>();
  let frame = makeFrame();
  const update = (): void => {
    frame = makeFrame();
    for (const listener of listeners) listener();
  };
  const store: WallStore = {
    frame: () => frame,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  stdout.prependListener('resize', update);
  const unsubscribe = mirrors.map((mirror) => mirror.subscribe(update));
  const stopTicking = keepTicking(now, update);
  const app = render(<WallScreen store={store} />, { ...renderOptions, stdout, stderr, stdin });
  const stop = stopAtExit(() => {
    stopTicking();
    for (const end of unsubscribe) end();
    stdout.off('resize', update);
    app.unmount();
  });
  return {
    painted: () => app.waitUntilRenderFlush(),
    awaitEnd: () => app.waitUntilExit().finally(stop),
    stop,
  };
};

/** The wall of one site. */
export const startWall = ({ mirror, ...outside }: WallOptions): Drawing => {
  const startedAt = outside.now();
  let look: WallLook | undefined;
  const makeFrame = (): Frame => {
    look = lookAt(mirror, look, { ...outside, startedAt });
    return { ...look, lines: wallLines(look) };
  };
  return drawFrames([mirror], makeFrame, outside);
};

/** The wall of several sites, a line for each. */
export const startSitesWall = (sites: readonly WallSite[], outside: Outside): Drawing => {
  const { theme, now, stdout } = outside;
  const startedAt = now();
  const looks = new Map<WallSite, WallLook>();
  const makeFrame = (): Frame => {
    const shown = sites.map((site) => {
      if ('problem' in site) return site;
      const look = lookAt(site.mirror, looks.get(site), { ...outside, startedAt });
      looks.set(site, look);
      return { name: look.data.strip?.site ?? site.name, look };
    });
    const size = sizeOf(stdout);
    const at = Math.floor(now() / 1000) * 1000;
    return { ...size, lines: sitesLines({ theme, ...size, now: at, startedAt, sites: shown }) };
  };
  const mirrors = sites.flatMap((site) => ('mirror' in site ? [site.mirror] : []));
  return drawFrames(mirrors, makeFrame, outside);
};
