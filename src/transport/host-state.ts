import type {
  ConnectFailure,
  ConnectionBadge,
  ConnectionState,
  RawAnswer,
  RunRequest,
  TransportKind,
  Transport,
} from '../model/answer.ts';
import type { Clock, Log } from '../model/ports.ts';
import { backoff, isSlow } from './backoff.ts';

/** A request of which the standard output is taken as it comes, and not kept: what one run says of many hosts. */
export interface StreamedRequest extends RunRequest {
  onStdout?(piece: Uint8Array): void;
}

/** A transport as the pool holds it. */
export interface HostTransport extends Transport {
  run(request: StreamedRequest, signal?: AbortSignal): Promise<RawAnswer>;
  /** Ends the back-off of a failure: the next request tries at once. Only for a person's explicit wish. */
  retry(): void;
  /** Takes every connection for dead, as after a suspend; what was under way is lost. */
  reset(): void;
}

/** From here on a link is slow, ms there and back. */
const SLOW_WAY = 1000;

/** What we know of our own way to a host: up or down since when, why, and when it may be tried again. */
export class HostState {
  readonly host: string;
  readonly #kind: TransportKind;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #random: () => number;
  readonly #badges = new Set<ConnectionBadge>();
  #settled: 'idle' | 'up' | 'down' = 'idle';
  #trying = false;
  #since: number;
  #drops = 0;
  #failure: ConnectFailure | undefined;
  #failures = 0;
  #retryAt = 0;
  #wayMs = 0;

  constructor(host: string, kind: TransportKind, clock: Clock, log: Log, random: () => number = Math.random) {
    this.host = host;
    this.#kind = kind;
    this.#clock = clock;
    this.#log = log;
    this.#random = random;
    this.#since = clock.now();
  }

  /** The failure that still holds: nothing is to be tried before its back-off is over. */
  get blocked(): ConnectFailure | undefined {
    return this.#clock.mono() < this.#retryAt ? this.#failure : undefined;
  }

  noteConnecting(): void {
    this.#trying = true;
    if (this.#settled === 'idle') this.#since = this.#clock.now();
  }

  noteUp(): void {
    this.#failures = 0;
    this.#retryAt = 0;
    this.#failure = undefined;
    this.#settle('up');
  }

  /** Gives the failure back, so that it can be returned. */
  noteDown(failure: ConnectFailure): ConnectFailure {
    this.#failures = this.#failure?.kind === failure.kind ? this.#failures + 1 : 1;
    this.#retryAt = this.#clock.mono() + backoff(failure, this.#failures, this.#random());
    this.#failure = failure;
    this.#settle('down');
    return failure;
  }

  /** To be tried again at the next request, whatever the back-off says: a person asked for it. */
  retry(): void {
    this.#retryAt = 0;
  }

  /** All connections are gone (a suspend): try again soon, but leave alone what refused our credentials or key. */
  reset(): void {
    this.#trying = false;
    if (!isSlow(this.#failure?.kind)) this.#retryAt = 0;
    if (this.#settled === 'up') this.#settle('idle');
  }

  /** What of the last answer's time was spent on the way there and back, ms. */
  set wayMs(ms: number) {
    this.#wayMs = ms;
  }

  /** How much longer than on a quick link so many ways there and back may take, ms; at most 20 s. */
  extraMs(ways: number): number {
    return this.#wayMs < SLOW_WAY ? 0 : Math.min(20_000, ways * this.#wayMs);
  }

  /** The next step where something came too late: the link, when it is known to be slow. */
  lookAt(otherwise: string): string {
    return this.#wayMs < SLOW_WAY
      ? otherwise
      : `the link to it is slow (the last answer took ${(this.#wayMs / 1000).toFixed(1)} s there and back): look at that first`;
  }

  badge(badge: ConnectionBadge): void {
    this.#badges.add(badge);
  }

  view(): ConnectionState {
    return {
      host: this.host,
      kind: this.#kind,
      state: this.#trying && this.#settled !== 'up' ? 'connecting' : this.#settled,
      since: this.#since,
      ...(this.#failure && { failure: this.#failure }),
      badges: [...this.#badges],
    };
  }

  /** A try that fails again is no change: "down since" is when it went down, not when it was last tried. */
  #settle(state: 'idle' | 'up' | 'down'): void {
    this.#trying = false;
    if (state === this.#settled) return;
    if (this.#settled === 'up' && state === 'down') this.#drops += 1;
    this.#settled = state;
    this.#since = this.#clock.now();
    if (state === 'idle') return;
    const why = this.#failure ? ` (${this.#failure.message})` : '';
    const drops =
      this.#drops === 0 ? '' : `, dropped ${this.#drops === 1 ? 'once' : `${this.#drops} times`} so far`;
    this.#log(`connection to ${this.host} is ${state}${why}${drops}`);
  }
}
