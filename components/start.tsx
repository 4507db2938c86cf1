import { render } from 'ink';
import { App } from './app.tsx';
import type { Console } from './console.ts';
import { MOUSE_OFF, MOUSE_ON, readMouse, type MouseEvent } from './mouse.ts';
import { keepTicking, renderOptions, sizeOf, stopAtExit, type Drawing } from './drawing.ts';

/** Streams as Ink takes them. */
export interface Screen {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WritableStream;
}

/** While a confirmation counts down. */
const COUNTDOWN_MS = 250;

interface Mouse {
  /** Without reports of the mouse while the terminal belongs to somebody else. */
  runAside(work: () => Promise<void>): Promise<void>;
  close(): void;
}

const noMouse: Mouse = { runAside: (work) => work(), close: () => undefined };

/** Asks the terminal for reports of the mouse until closed. */
const openMouse = (
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  tell: (event: MouseEvent) => void,
): Mouse => {
  const stopReading = readMouse(stdin, tell);
  const stopListening = (): void => void stdout.write(MOUSE_OFF);
  stdout.write(MOUSE_ON);
  return {
    runAside: async (work) => {
      stopListening();
      try {
        await work();
      } finally {
        stdout.write(MOUSE_ON);
      }
    },
    close: () => {
      stopReading();
      stopListening();
    },
  };
};

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
  const mouse = linear || !console.ports.settings.mouse ? noMouse : openMouse(stdin, stdout, console.point);
  const app = render(<App console={console} siteName={siteName} runAside={mouse.runAside} />, {
    ...renderOptions,
    ...screen,
    alternateScreen: !linear,
    isScreenReaderEnabled: linear,
    incrementalRendering: !linear,
    maxFps: 120,
  });
  const stop = stopAtExit(() => {
    stopTicking();
    stdout.off('resize', resize);
    mouse.close();
    app.unmount();
    setRaw(false);
  });
  return {
    painted: () => app.waitUntilRenderFlush(),
    awaitEnd: () => app.waitUntilExit().finally(stop),
    stop,
  };
};
