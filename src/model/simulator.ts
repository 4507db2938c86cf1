/** What a simulated host answers to one command. */
export interface SimulatedAnswer {
  stdout?: string | Uint8Array;
  stderr?: string;
  exitCode?: number;
  /** Simulated time until the answer, ms. `Infinity` hangs. */
  delayMs?: number;
  /** The call changed the simulated system (drained a node); the demo's command log tells tests so. */
  mutated?: boolean;
  /** The incident that is over with it: other systems take their part of it back. */
  ends?: string;
}

/** A call of one simple command on a simulated host: `argv[0]` is the program's base name. */
export interface SimulatedCall {
  host: string;
  argv: readonly string[];
  stdin: string;
  /** Settings in front of the command: `MARK_OFFLINE=0 nhc`. */
  env?: Readonly<Record<string, string>>;
  /** UTC ms. */
  now: number;
}

export interface SimulatedHost {
  name: string;
  roles: readonly string[];
  platform?: string;
  location?: Readonly<Record<string, string>>;
  undoHost?: string;
  legacy?: boolean;
}

/** One login on a simulated device's own command line: it has modes, so every login has its own. */
export interface SimulatedSession {
  /** What stands before the cursor now: `core3#`, `core3(conf-if-te-3/46)#`. */
  prompt(): string;
  /** Its pager waits for a key after so many lines; undefined: it is off. */
  pageLines?(): number | undefined;
  /** What the device prints for a typed line; undefined: it ends the session. */
  type(line: string): { stdout: string; mutated?: boolean } | undefined;
  /** The connection went away: what only this login held is let go. */
  end?(): void;
}

export interface Incident {
  name: string;
  text: string;
}

/** One system's part of the demo site: stateful, prints what the real commands print, shares no code with parsers. */
export interface Simulator {
  system: string;
  hosts: readonly SimulatedHost[];
  /** The system's section of the demo's site file. */
  settings: Readonly<Record<string, unknown>>;
  /** Whom to call for what it finds, for the demo's site file. */
  runbooks?: readonly { finding: string; contact: string }[];
  /** Intervals for the demo's site file, probe id to duration: what changes slowly at a site shall be seen soon. */
  intervals?: Readonly<Record<string, string>>;
  /** Programs that its hosts have, besides those that answer when called without arguments. */
  programs?: readonly string[];
  incidents: readonly Incident[];
  /** Puts the faults of an incident in place. */
  start(incident: string, now: number): void;
  /** An incident is over by what was done elsewhere. */
  end?(incident: string, now: number): void;
  /** Undefined: not a command of this system. */
  call(call: SimulatedCall): SimulatedAnswer | undefined;
  /** A new login on a device that has a command line of its own in place of a shell; undefined: this host is none. */
  login?(host: string, now: () => number): SimulatedSession | undefined;
  /** Hosts without power at this moment: their connections drop and their SSH port is closed. */
  poweredOff?(now: number): readonly string[];
}
