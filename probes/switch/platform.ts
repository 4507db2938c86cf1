import type { Dialect } from '../../src/model/answer.ts';
import type { Ask } from '../../src/model/system.ts';

/** What is asked of a platform; each has a parser of the same name. */
export type Question = 'counters' | 'lags' | 'neighbors' | 'optics';

/** A shutdown that the device itself takes back unless it is confirmed in time. Nothing of it is saved. */
export interface ConfirmedChange {
  /** The shortest time its own timer counts, seconds. */
  unitSeconds: number;
  /** Shuts the port and arms the undo with the same lines. `session`: a name that is free on the device. */
  shut(seconds: number, session: string): readonly string[];
  /** What was shut stays. */
  keep(session: string): readonly string[];
  /** Takes it back at once; harmless when the device was quicker. */
  restore(session: string): readonly string[];
}

/** How a port is taken out and put back. Lines for a device, one command for a Linux shell. */
export interface PortChange {
  shut: readonly string[];
  restore: readonly string[];
  /** For an undo host, which types `restore` and looks; absent where the device takes a shutdown back itself. */
  look?: {
    /** Lines that show the port. */
    lines: readonly string[];
    /**
     * What stands in a line then when it is not switched off (an extended regular expression, any case), whether there is light or
     * not: words that the platform is known to print, for any other proves nothing.
     */
    on: string;
    /** Of a command line: the end of the prompt in the configuration of this port (an extended regular expression). */
    prompt?: string;
  };
  /** What a shutdown that is kept outlives: absent, not a restart of the device. */
  lasts?: 'restart';
  /** Absent: the device has no undo of its own, a timer on the undo host is used. */
  confirmed?: ConfirmedChange;
}

/** One platform as data: how it is asked and changed. Reading its answers belongs to the parsers. */
export interface Platform {
  id: string;
  /** `Dell FTOS`. */
  title: string;
  /** `sh`: commands run in a Linux shell; `cli`: lines typed on the device's own command line. */
  via: 'sh' | 'cli';
  /** Prompt, pager and errors of a `cli`. */
  dialect?: Dialect;
  /** Answers in JSON or XML are asked every 10 s, screens of text every 60 s. */
  machineReadable: boolean;
  /** Switches frames before their checksum is known: a bad frame goes on, stomped. */
  cutThrough?: boolean;
  ask: Partial<Record<Exclude<Question, 'optics'>, readonly string[]>> & {
    /** All modules at once, or one command per port. */
    optics?: { all: readonly string[] } | { port: (name: string) => string };
  };
  /** Shows commits that wait to be confirmed; where `change` has a `confirmed`. */
  commits?: readonly string[];
  /**
   * Shows whether LAGs are one with LAGs of a second chassis; `known`: the domain that an earlier answer named. Absent: such LAGs
   * are of another kind there, and no members of the LAGs that are asked for.
   */
  chassis?: (known?: string) => readonly string[];
  /** Shows how many members each LAG needs; absent: the platform is not known to tell. */
  minLinks?: readonly string[];
  /** Where its LAGs are told and what that needs, for who is refused because they were not read. */
  lagsNeed?: string;
  /** What to look at where no load is told, of a platform that counts no bytes and tells the load itself. */
  noLoad?: string;
  /** Opens the configuration and leaves it: the device refuses while somebody's changes are open there. */
  tryConfigure?: readonly string[];
  /** The name by which its commands know a canonical port; undefined: no port of this platform. */
  nameOf(port: string): string | undefined;
  /** Absent: reading only, and why. */
  change?: (name: string) => PortChange;
  readingOnly?: string;
}

/** A port's canonical name: letters and a number such as `te3/46`. */
const portPattern = /^([a-z]+)(\d[\d/:.]*)$/;

/** Long names by the canonical kind: `{te: 'TenGigabitEthernet '}`. */
export const named =
  (kinds: Readonly<Record<string, string>>) =>
  (port: string): string | undefined => {
    const match = portPattern.exec(port);
    const kind = kinds[match?.[1] ?? ''];
    return match && kind !== undefined ? `${kind}${match[2]}` : undefined;
  };

/** `3/46` of `tengigabitethernet 3/46`. */
export const numberOf = (name: string): string => /(\d[\d/:.]*)$/.exec(name)?.[1] ?? name;

/** Names that the platform itself uses, when they are of its own form. */
export const verbatim =
  (form: RegExp) =>
  (port: string): string | undefined =>
    form.test(port) ? port : undefined;

/** Room for the screens of some hundred ports. */
const maxBytes = 8_000_000;

/** Lines for this platform as a question: typed on its command line, or as one script. `headed`, `stopOnError`: see `Ask`. */
export const askOf = (
  platform: Platform,
  lines: readonly string[],
  how: { headed?: true; stopOnError?: true } = {},
): Ask =>
  platform.via === 'sh' || platform.dialect === undefined
    ? { script: lines.join('\n'), maxBytes }
    : { lines, dialect: platform.dialect, maxBytes, ...how };

/**
 * What every Cisco-like command line says when it refuses a line, also to an account that may not: `% Permission denied for the role`
 * (NX-OS), `% Authorization failed`, `Command authorization failed.` (AAA of IOS and those like it), `% Unrecognized command` (Onyx).
 */
export const commonErrors = [
  '^% ?(Permission|Access) denied',
  '^%? ?(Command )?Authorization (failed|denied)',
  '^% ?Unrecognized',
  '^% ?[^%]*not (authorized|permitted|allowed)',
  '^% ?Invalid',
  '^% ?Incomplete',
  '^% ?Ambiguous',
  '^% ?Error',
  '^% ?Unknown',
  '^Error:',
] as const;

export const commonPager = '(?:--More--|<--- More --->|---- More ----|Press any key)';
