import type { Said } from '../text/said.ts';

/**
 * Why a host could not be asked. Each kind has its own words and next step on the screen.
 * `unreachable` (refused, no route, dns), `noBanner`, `notSsh`, `hostKeyUnknown`, `hostKeyChanged`, `hostKeyRevoked`,
 * `auth`, `agent`, `sessions` (server refuses more channels), `timeout` (connect deadline), `unsupported` (needs the
 * openssh transport), `config` (`ssh -G` failed), `other`.
 */
export type ConnectFailureKind =
  | 'unreachable'
  | 'dns'
  | 'noBanner'
  | 'notSsh'
  | 'hostKeyUnknown'
  | 'hostKeyChanged'
  | 'hostKeyRevoked'
  | 'auth'
  | 'agent'
  | 'sessions'
  | 'timeout'
  | 'unsupported'
  | 'config'
  | 'other';

export interface ConnectFailure {
  kind: ConnectFailureKind;
  /** One line, names the host, what was wrong and (after "; ") the next step. */
  message: string;
  /** The same in parts, without the host. */
  said?: Said;
  /**
   * No server program was reached (name unknown, no route, refused, no answer to the first packet): to try again leaves no trace in
   * the host's log, and no penalty (OpenSSH's PerSourcePenalties, fail2ban).
   */
  untouched?: true;
}

/** What to run on a host: a POSIX sh script (built from argv by `shellCommand`), handed over on standard input. */
export interface RunRequest {
  script: string;
  /** Standard input of the script; without it the script reads an empty input. Only with `fresh`. */
  stdin?: string;
  /** The remote `timeout` in ms (rounded up to seconds); the client waits 2 s longer, then drops the channel. */
  deadlineMs: number;
  /** Bytes kept of each stream (default 1 MB); what comes after is counted, not kept. */
  maxBytes?: number;
  /** A channel of its own: actions, and probes that may hang. */
  fresh?: boolean;
}

/**
 * Lines to type on a device without an exec channel, printable ASCII without `?`. The answer's standard output is what they
 * brought, without echo and prompts; its exit code is 0, or 1 when a line of it is one of the dialect's errors (then it is in
 * the standard error too).
 */
export interface DeviceRequest {
  lines: readonly string[];
  dialect: Dialect;
  deadlineMs: number;
  maxBytes?: number;
  /** The first line that the device refuses is the last that is typed: lines that change something. */
  stopOnError?: boolean;
  /** Each line's output comes after a line `--- LINE`: to tell the outputs of several lines apart. */
  headed?: boolean;
}

/** How a device's command line looks: data, so that a platform is a small file. */
export interface Dialect {
  /** Regular expression source, matched at the start of the last line. */
  prompt: string;
  /** Sent once after the prompt was seen. */
  pagerOff: readonly string[];
  /** Regular expression source of a pager's prompt that is none of the usual ones (`src/transport/pagers.ts`); answered with a blank. */
  pager?: string;
  /** Regular expression sources of lines that mean failure. */
  errors: readonly string[];
}

/** The raw bytes of one run; every way to end is a field, nothing is thrown for a remote failure. */
export interface RawAnswer {
  stdout: Uint8Array;
  stderr: Uint8Array;
  /** Absent when it was not learned: then the outcome is not known. Never 0 by default. */
  exitCode?: number;
  signal?: string;
  /** More came than `maxBytes`; `stdoutBytes` says how much. */
  truncated: boolean;
  stdoutBytes: number;
  /** The remote `timeout` or our own deadline ended it. */
  timedOut: boolean;
  /** Of a device, with `timedOut`: the unfinished line at which it waits for a key, a pager or a question that is not known. */
  stoppedAt?: string;
  /** Of a device: what it calls itself in its prompt; absent where the prompt holds no name. */
  calledItself?: string;
  /** The connection or channel went away after the request was sent: what it did is not known. */
  lost: boolean;
  /** With `lost`, of a host that another one asks: why nothing came through, where neither this host nor our way to it is at fault. */
  notRelayed?: Said;
  /** Set when nothing was sent at all. */
  notConnected?: ConnectFailure;
  /** The caller's signal ended it. */
  cancelled: boolean;
  /** From the question to the whole answer, with all that the way there and back took. */
  durationMs: number;
  /** What the command took on the host, by the host's own clock; absent where that is not known. */
  hostMs?: number;
  /** Of a host that another one asks: how long that one is busy with all that it asks at once, ms. */
  relayMs?: number;
}

/** The same as text: UTF-8, each invalid byte 0xNN as the lone surrogate U+DCNN, which SafeText shows as `\xNN`. */
export interface Answer extends Omit<RawAnswer, 'stdout' | 'stderr'> {
  stdout: string;
  stderr: string;
}

export type TransportKind = 'ssh2' | 'openssh' | 'local' | 'device';

/** What a connection noticed, in the words of the screen. A closed list, since others go by it. */
export type ConnectionBadge =
  | 'through OpenSSH'
  | 'legacy algorithms'
  | 'slow shell'
  | 'noisy shell'
  | 'server refuses more sessions'
  | 'abandoned commands'
  | 'pager not off';

/** The state of our own connection to a host; that many drop at one moment is a sign of what failed together. */
export interface ConnectionState {
  host: string;
  kind: TransportKind;
  state: 'idle' | 'connecting' | 'up' | 'down';
  /** UTC ms of the last change of `state`. */
  since: number;
  failure?: ConnectFailure;
  badges: readonly ConnectionBadge[];
}

/** One host's way in. Never throws for a remote failure. */
export interface Transport {
  readonly kind: TransportKind;
  run(request: RunRequest, signal?: AbortSignal): Promise<RawAnswer>;
  /** Devices only. */
  type?(request: DeviceRequest, signal?: AbortSignal): Promise<RawAnswer>;
  connection(): ConnectionState;
  /** Ends the back-off of a failed connection: the next request tries at once. Only for a person's explicit wish. */
  retry?(): void;
  close(): Promise<void>;
}

/** A question that changes nothing, as a probe puts it. */
export type ReadRequest = Omit<RunRequest, 'stdin' | 'fresh'>;

/**
 * Hosts that are asked many at a time, by one run of ClusterShell on an admin host. No transport and never given to who acts: only the
 * collector has it, for what it reads by the clock.
 */
export interface Fleet {
  has(host: string): boolean;
  /**
   * One host's answer, of a run that asks all hosts of which the same is wanted within a moment. `readAlone` is how the host itself is
   * asked: where nobody else is, that costs less.
   */
  read(
    host: string,
    request: ReadRequest,
    readAlone: () => Promise<RawAnswer>,
    signal?: AbortSignal,
  ): Promise<RawAnswer>;
}

/** All ways in; one transport per host, made on first use. */
export interface Transports {
  transportTo(host: string): Transport;
  connections(): ReadonlyMap<string, ConnectionState>;
  /** After a suspend: every connection is assumed dead and dropped without waiting; the next run connects anew. */
  reset?(): void;
  close(): Promise<void>;
}
