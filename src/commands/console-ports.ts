import type { Ports } from '../../components/context.ts';
import type { Mirror } from '../../components/mirror.ts';
import type { Theme } from '../../components/theme.ts';
import { realClock } from '../collect/clock.ts';
import type { Io } from './io.ts';
import type { ScreenLog } from './screen-log.ts';

export interface PortParts {
  mirror: Mirror;
  theme: Theme;
  hosts(): readonly string[];
  /** The site file may say so, and is read after the first frame. */
  readOnly(): boolean;
  writeRaw(text: string): void;
  exit(): void;
  restart(): void;
  log: ScreenLog;
}

/** The world as the console's screen gets it. */
export const consolePorts = (env: Io['env'], parts: PortParts): Ports => {
  const { mirror, theme, hosts, writeRaw, exit, log } = parts;
  let giveBack: ((stopped: () => Promise<void>) => Promise<void>) | undefined;
  return {
    mirror,
    theme,
    clock: realClock,
    hosts,
    get readOnly() {
      return parts.readOnly();
    },
    writeRaw,
    insideTmux: (env['TMUX'] ?? '') !== '',
    suspend: () => {
      giveBack?.(stopUntilContinued).catch((error: unknown) => log.add(`suspend: ${String(error)}`));
    },
    attach: (give) => {
      giveBack = give;
      return () => {
        giveBack = undefined;
      };
    },
    exit,
    restart: () => {
      mirror.starting('starting the collector again');
      parts.restart();
    },
    log: log.lines,
  };
};

/** Stops the whole foreground job as the shell would, npm and all; goes on when the shell continues it. */
const stopUntilContinued = async (): Promise<void> => {
  process.kill(0, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 50));
};
