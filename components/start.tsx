import { render } from 'ink';
import { App } from './app.tsx';
import type { Console } from './console.ts';
import { keepTicking, renderOptions, sizeOf, type Drawing } from './drawing.ts';

/** Streams as Ink takes them. */
export interface Screen {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WritableStream;
}

/** While a confirmation counts down. */
const COUNTDOWN_MS = 250;

/** Draws the console until stopped; `linear`: for a screen reader. */
export const startScreen = (console: Console, siteName: string, screen: Screen, linear: boolean): Drawing => {
  const { stdin, stdout } = screen;
  const resize = (): void => console.resize(sizeOf(stdout));
  // Before Ink's own listener, so that it never draws the old size into the new window.
  stdout.prependListener('resize', resize);
  const isCounting = (): boolean => console.state().ui.overlays.some((overlay) => overlay.kind === 'confirm');
  const stopTicking = keepTicking(
    () => console.ports.clock.now(),
    () => console.tick(),
    () => (isCounting() ? COUNTDOWN_MS : undefined),
  );
  // Ink asks for keys after its first frame: a Ctrl-C between the two would be a signal, to the shell as well.
  const setRaw = (raw: boolean): void => void (stdin.isTTY && stdin.isRaw !== raw && stdin.setRawMode(raw));
  setRaw(true);
  const app = render(<App console={console} siteName={siteName} />, {
    ...renderOptions,
    ...screen,
    alternateScreen: !linear,
    isScreenReaderEnabled: linear,
    incrementalRendering: !linear,
    maxFps: 120,
  });
  const stop = (): void => {
    stopTicking();
    stdout.off('resize', resize);
    app.unmount();
    setRaw(false);
  };
  return {
    painted: () => app.waitUntilRenderFlush(),
    ended: () => app.waitUntilExit().finally(stop),
    stop,
  };
};
