import type { Ports } from '../../components/context.ts';
import type { Mirror } from '../../components/mirror.ts';
import type { Settings } from '../../components/settings.ts';
import type { Theme } from '../../components/theme.ts';
import { stateName } from '../audit/place.ts';
import { realClock } from '../collect/clock.ts';
import type { SiteView } from '../model/site.ts';
import type { Io } from './io.ts';
import type { ScreenLog } from './screen-log.ts';

export interface PortParts {
  mirror: Mirror;
  theme: Theme;
  settings: Settings;
  /** Absent until the site file was read. */
  site(): SiteView | undefined;
  /** The site file may say so, and is read after the first frame. */
  readOnly(): boolean;
  writeRaw(text: string): void;
  exit(to?: string): void;
  /** Names of other sites; absent on the demo site. */
  sites?(): readonly string[];
  restart(): void;
  log: ScreenLog;
  demo: boolean;
}

/** The world as the console's screen gets it. */
export const consolePorts = (env: Io['env'], parts: PortParts): Ports => {
  const { mirror, theme, settings, site, writeRaw, exit, log } = parts;
  let giveBack: ((stopped: () => Promise<void>) => Promise<void>) | undefined;
  return {
    mirror,
    theme,
    settings,
    clock: realClock,
    hosts: () => site()?.hosts.map((host) => host.name) ?? [],
    expand: (set) => site()?.expand(set) ?? [set],
    get readOnly() {
      return parts.readOnly();
    },
    writeRaw,
    insideTmux: (env['TMUX'] ?? '') !== '',
    suspend: () => {
      giveBack?.(stopUntilContinued).catch((error: unknown) => log.add(`suspend: ${String(error)}`));
    },
    shell: async (host) => {
      const known = site();
      if (!known || !giveBack) throw new Error('the site is not open yet');
      const { runShell, shellArgv } = await import('./console-out.ts');
      let failed: unknown;
      await giveBack(async () => {
        try {
          await runShell(shellArgv(known, host, env));
        } catch (error) {
          failed = error;
        }
      });
      if (failed !== undefined) throw failed;
    },
    saveTicket: async (name, text) =>
      (await import('./console-out.ts')).writeTicket(
        env,
        stateName(site()?.name ?? '', parts.demo),
        name,
        text,
        realClock.now(),
      ),
    saveFilter: async (name, filter) => (await import('./console-out.ts')).writeFilter(env, name, filter),
    alerts: () => site()?.alerts ?? { bell: false, title: false },
    attach: (give) => {
      giveBack = give;
      return () => {
        giveBack = undefined;
      };
    },
    exit,
    ...(parts.sites && { sites: parts.sites }),
    restart: () => {
      mirror.noteStarting('starting the collector again');
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
