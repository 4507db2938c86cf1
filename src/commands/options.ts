import type { Command } from 'commander';
import { nearestWord } from '../text/nearest.ts';
import { makeSafe } from '../text/safe.ts';
import type { ThemeName } from '../../components/theme.ts';
import { UsageError } from './io.ts';
import { durationMs } from '../text/ages.ts';

/** The word when it is one of the known ones; else a UsageError that says which is near, or which there are. */
export const requireKnownWord = <T extends string>(what: string, word: string, known: readonly T[]): T => {
  const found = known.find((one) => one === word);
  if (found !== undefined) return found;
  throw new UsageError(unknownText(what, word, known));
};

/** That the word is none of the known ones, and which is near, or which there are. */
export const unknownText = (what: string, word: string, known: readonly string[]): string => {
  const near = nearestWord(word, known);
  const right = near === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${near}"?`;
  return `unknown ${what} "${makeSafe(word, 80)}"; ${right}`;
};

/** Which site a command works on: a site file, or the demo site, which lives as long as the process. */
export interface SiteOptions {
  /** `--site FILE`; else the search order of docs/design.md, The site file. */
  site?: string;
  demo: boolean;
  /** `--incident NAME`: known to a simulator; implies `demo`. */
  incident?: string;
  /** `--with FILE`: what the simulated site's file includes; implies `demo`. */
  with?: string;
}

/** `faultline [--site FILE] [--read-only] [--theme NAME] [--no-mouse]`. */
export interface ConsoleOptions extends ScreenOptions {
  site?: string;
  readOnly: boolean;
}

/** `--theme NAME`, `--no-mouse`: what stands here goes before the operator's own file. */
export interface ScreenOptions {
  theme?: ThemeName;
  mouse: boolean;
}

/** `faultline demo [--incident NAME] [--with FILE] [--list]`. */
export interface DemoOptions extends ScreenOptions {
  incident?: string;
  with?: string;
  list: boolean;
}

/** `faultline wall [--site FILE ... | --demo] [--incident NAME]`. */
export type WallOptions = Omit<SiteOptions, 'site'> &
  Pick<ScreenOptions, 'theme'> & {
    /** None: the one that is found; of several each has a line. */
    sites: readonly string[];
  };

/** `faultline status [--json] [--system S] [--quick]`. */
export interface StatusOptions extends SiteOptions {
  json: boolean;
  /** Leaves out what only tells causes (optics): sooner, and less is known. */
  quick?: boolean;
  /** The id of a system of the registry, checked. */
  system?: string;
}

/** `faultline act ACTION TARGET...`. */
export interface ActOptions extends SiteOptions {
  /** The id of an action of the registry, checked. */
  action: string;
  /** As typed: `node12`, `core3:te3/46`; at least one. */
  targets: readonly string[];
  /** `--set name=value`, each name once. */
  set: Readonly<Record<string, string>>;
  /** `--reason TEXT`. */
  reason?: string;
  dryRun: boolean;
  /** The text the dialog would ask for. */
  confirm?: string;
  keepIfVerified: boolean;
  json: boolean;
}

/** `faultline actions [SYSTEM] [--json]`. */
export interface ActionsOptions {
  /** The id of a system of the registry, checked. */
  system?: string;
  /** The site file whose actions are listed too; else the one that is found, if any. */
  site?: string;
  json: boolean;
}

/** `faultline parse FORMAT [FILE]`. */
export interface ParseOptions {
  format: string;
  file?: string;
  platform?: string;
  /** File with the standard error of the command. */
  stderr?: string;
  /** Exit code of the command, 0..255. */
  exit?: number;
  /** IANA zone of stamps without one; default UTC. */
  tz?: string;
}

/** `faultline doctor [--json]`. */
export interface DoctorOptions extends SiteOptions {
  json: boolean;
}

/** Lists of hosts that `init` reads. */
export const inventoryKinds = ['ansible', 'netbox'] as const;

/** `--from ansible FILE`, `--from netbox FILE`. */
export interface Inventory {
  kind: (typeof inventoryKinds)[number];
  file: string;
}

/** `faultline init [HOST...] [--yes] [--output FILE] [--ssh-config FILE] [--from ansible FILE | --from netbox FILE]`. */
export interface InitOptions {
  /** Hosts to be asked first, as typed. */
  hosts: readonly string[];
  /** Hosts are asked without a question. */
  yes: boolean;
  /** The site file to be written; else the operator's own. */
  output?: string;
  /** An OpenSSH client configuration in place of the operator's own, to be named in the site file. */
  sshConfig?: string;
  /** A list whose hosts are asked, too. */
  from?: Inventory;
}

/** `faultline audit [show|verify|report|seal]`. */
export interface AuditOptions {
  verb: 'show' | 'verify' | 'report' | 'seal';
  site?: string;
  /** As typed: `20:00`, `2026-11-20T20:00`, `3h`. */
  since?: string;
  json: boolean;
  /** `--file FILE`: another audit log than this user's. */
  file?: string;
  /** `seal --reason TEXT`: why the log is put away. */
  reason?: string;
  /** `seal --whole`: a log that is whole, too. */
  whole?: boolean;
}

/**
 * `--since` to UTC ms: `20:00` (the last time it was that, local), `2026-11-20`, `2026-11-20T20:00` (local unless a zone is given),
 * `3h` (so long ago). Throws UsageError.
 */
export const parseSince = (text: string, now: number): number => {
  const duration = durationMs(text);
  if (duration !== undefined) return now - duration;
  const time = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (time) {
    const date = new Date(now);
    date.setHours(Number(time[1]), Number(time[2]), 0, 0);
    if (date.getTime() > now) date.setDate(date.getDate() - 1);
    return date.getTime();
  }
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text;
  const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(day) ? Date.parse(day.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(
      `--since "${makeSafe(text, 60)}" is not a time; write 20:00, 2026-11-20T20:00 or 3h`,
    );
  return at;
};

/** `faultline help TOPIC`; `commands`: what else may stand there. */
export interface HelpOptions {
  topic: string;
  commands: readonly string[];
}

/** `faultline completion SHELL`. */
export interface CompletionOptions {
  shell: 'bash' | 'zsh' | 'fish';
}

/** `faultline complete -- WORD...`. */
export interface CompleteOptions {
  root: Command;
  words: readonly string[];
  names: Readonly<Record<'systems' | 'actions' | 'incidents', () => Promise<readonly string[]>>> & {
    commands(): readonly string[];
  };
}
