/** What a simulated host answers to one command. */
export interface SimulatedAnswer {
  stdout?: string | Uint8Array;
  stderr?: string;
  exitCode?: number;
  /** Simulated time until the answer, ms. `Infinity` hangs. */
  delayMs?: number;
  /** The call changed the simulated system (drained a node); the demo's command log tells tests so. */
  mutated?: boolean;
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
  incidents: readonly Incident[];
  /** Puts the faults of an incident in place. */
  start(incident: string, now: number): void;
  /** Undefined: not a command of this system. */
  call(call: SimulatedCall): SimulatedAnswer | undefined;
  /** Hosts without power at this moment: their connections drop and their SSH port is closed. */
  poweredOff?(now: number): readonly string[];
}
