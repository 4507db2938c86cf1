import type { Answer } from './answer.ts';
import type { Ask } from './system.ts';

/** What a command printed, both streams, and how it ended (127: there is no such command). */
export interface Printed {
  text: string;
  code: number;
}

/** What one machine said when it was asked what it is. */
export interface Said {
  /** As the site file names it. */
  host: string;
  /** By the name of the command in `Discovery.commands`; only those that came to their end. */
  printed: ReadonlyMap<string, Printed>;
  /** It has a command line of its own in place of a shell: the answer to `Devices.ask`. */
  device?: { platform: string; answer: Answer };
}

/** A host, or a role of a host, that a machine told of. Nothing of it is checked: names may be addresses, or no names at all. */
export interface HostClue {
  name: string;
  role?: string;
  /** Where it comes from, for the comment in the site file: `scontrol show nodes on ctl1`. */
  from: string;
  /** What it is, in a word or two, where it is worth to be asked in its turn: `Gluster peer`. */
  asIs?: string;
  /** The platform that its own words or its neighbours' stand for. */
  platform?: string;
  /** A machine says so of itself. For the one that this program runs on this alone is no reason to propose it as a host: a laptop has mounts, too. */
  ofItself?: true;
}

/** A setting of a system's section of the site file: `check.command` under its own keys. */
export interface SettingClue {
  key: string;
  value: unknown;
  from: string;
}

/** A label of places that a machine gives to hosts: proposed, never assumed. */
export interface PlaceClue {
  label: string;
  value: string;
  /** A node set as printed. */
  hosts: string;
  from: string;
}

/** What comes of all answers together. */
export interface Clues {
  hosts: readonly HostClue[];
  /** What the site may be called. */
  names?: readonly { name: string; from: string }[];
  settings?: readonly SettingClue[];
  places?: readonly PlaceClue[];
  /** What could not be found out, or does not agree: lines for people, with what to write where. */
  notes?: readonly string[];
}

/** What a discovery may look at besides the answers. */
export interface FoundSoFar {
  /** The host that a name or address stands for, as far as those asked told. */
  hostOf(name: string): string | undefined;
}

/** How machines without a shell are asked. */
export interface Devices {
  /** The platform that a text of its maker stands for: LLDP's system description, `show version`. */
  platformIn(text: string): string | undefined;
  /** Asked where nothing says what a device is. */
  identify: Extract<Ask, { lines: readonly string[] }>;
  /** What confirms the platform: undefined where its machines have a shell. */
  ask(platform: string): Ask | undefined;
}

/** One line of POSIX sh, shown to people as it is; `notOf`: roles of machines that are not asked it, where it costs others something. */
export type Command = string | { line: string; notOf: readonly string[] };

/**
 * How a system is found on machines that nobody has described: what to ask each of them, and what hosts, roles and settings come of the
 * answers. Pure, as probes are; no command may change anything.
 */
export interface Discovery {
  system: string;
  /** Asked of each machine with a shell, by name. */
  commands: Readonly<Record<string, Command>>;
  devices?: Devices;
  read(said: readonly Said[], found: FoundSoFar): Clues;
}
