/** One command that a simulated host ran. */
export interface LoggedCall {
  /** UTC ms. */
  at: number;
  host: string;
  argv: readonly string[];
  /** The command changed the simulated system or a file on it. */
  mutated: boolean;
}

/**
 * Faults of a whole host, whatever runs on it. `off`: no power; `frozen`: its sshd takes connections and says nothing;
 * `newKey`: another host key; `noisy`: its shell prints a banner first; `hangs`: commands never end; `floods`: commands
 * print 100 MB; `refuses`: no key logs in; `mute`: a device's command line shows no prompt; `paged`: its pager can't be
 * turned off; `fine`: ends all of these but a new key.
 */
export type HostFault =
  'off' | 'frozen' | 'newKey' | 'noisy' | 'hangs' | 'floods' | 'refuses' | 'mute' | 'paged' | 'fine';

/** What a device prints, changed before it leaves: `by` stands where the pattern `what` is found; a `\u0004` there ends the session. */
export interface Edit {
  what: RegExp;
  by: string;
}

/** What the demo's thread is started with. */
export interface DemoOptions {
  incident: string;
  /** Compute nodes; the simulators' own number when absent. */
  nodes?: number;
}

export type ToDemo =
  | { type: 'calls'; id: number }
  | { type: 'start'; id: number; incident: string }
  | { type: 'fault'; id: number; host: string; fault: HostFault }
  | { type: 'edits'; id: number; host: string; edits: readonly Edit[] }
  | { type: 'close'; id: number };

export type FromDemo =
  | { type: 'ready'; folder: string; siteFile: string }
  | { type: 'reply'; id: number; value?: readonly LoggedCall[] }
  | { type: 'failed'; id?: number; message: string };
