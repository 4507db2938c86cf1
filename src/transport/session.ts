import type { RawAnswer } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { deadline } from './deadline.ts';
import { PRELUDE, encode, newNonce } from './frame.ts';
import { answerFrom, type How } from './frame-answer.ts';
import { cancelledAnswer } from './failure.ts';
import { StreamDecoder } from './frame-stream.ts';
import type { Wire, WireEnd } from './wire.ts';

/** A request with its limits settled; `seconds` is the remote `timeout`. */
export interface SessionRequest {
  script: string;
  stdin?: string;
  seconds: number;
  maxBytes: number;
  /** Takes the standard output as it comes; none of it is kept then. */
  onStdout?(piece: Uint8Array): void;
}

/** How much longer than the remote `timeout` we wait, ms. */
const GRACE = 2000;

/** The most that a slow link is granted on top, ms. */
const LONGEST_WAY = 10_000;

/** Output this far past `maxBytes` is not even counted to its end: the session is closed. */
const FLOOD = 16_000_000;

/** What a login shell said before it ended or was given up on: bytes kept for the message. */
const NOISE = 200;

interface Exchange {
  data: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
  closed: () => void;
}

/** One `sh` on a wire, asked one framed request at a time. After an answer that leaves it in doubt it is closed. */
export class Session {
  /** Ms from opening until the shell answered; long when the login shell's start-up files are slow. */
  startedInMs = 0;
  /** What of the last answer's time was spent on the way there and back, ms; 0 where that is not known. */
  wayMs = 0;
  /** Set once the wire is closed. */
  ended: WireEnd | undefined;
  readonly #wire: Wire;
  readonly #clock: Clock;
  #exchange: Exchange | undefined;
  #noise = '';
  /** The shell has answered all it was asked. */
  #idle = false;
  #stopEnding: (() => void) | undefined;

  /** `closed` is called when the wire has closed; `torn`: not by us, and the shell had answered before. */
  constructor(wire: Wire, clock: Clock, closed: (torn: boolean) => void) {
    this.#wire = wire;
    this.#clock = clock;
    wire.listen({
      data: (stream, chunk) => {
        if (this.startedInMs === 0 && this.#noise.length < NOISE)
          this.#noise += chunk.subarray(0, NOISE).toString();
        this.#exchange?.data(stream, chunk);
      },
      onClosed: (end) => {
        const torn = this.ended === undefined;
        this.#stopEnding?.();
        this.ended ??= end;
        this.#exchange?.closed();
        closed(torn && this.startedInMs > 0);
      },
    });
  }

  /**
   * Waits for the shell behind the login shell to answer an empty request: only then is it sure that what is sent is
   * run now, not minutes later when a hung start-up file lets go. `late`: no answer within `ms`; `ended`: it went away;
   * `unfit`: it lacks a command the frame needs.
   */
  async hello(ms: number): Promise<'ready' | 'late' | 'ended' | 'unfit'> {
    const from = this.#clock.mono();
    this.#write(PRELUDE);
    // A host under load may take seconds to start the few processes of an empty request: that is late, not unfit.
    const answer = await this.#ask({ script: '', seconds: Math.ceil(ms / 1000), maxBytes: 1000 }, ms);
    if (answer.timedOut && answer.exitCode === undefined) return 'late';
    if (answer.exitCode === undefined) return 'ended';
    if (answer.exitCode !== 0) {
      this.#noise = Buffer.from(answer.stderr).toString();
      return 'unfit';
    }
    this.startedInMs = Math.max(1, this.#clock.mono() - from);
    return 'ready';
  }

  /** The first words a shell printed that never answered; empty when there were none. */
  get noise(): string {
    return (
      this.#noise
        .split(/\r?\n/)
        .find((line) => line.trim() !== '' && !/^fl[0-9a-f]{32}/.test(line))
        ?.trim() ?? ''
    );
  }

  /**
   * Runs one script; only one at a time. An answer both `cancelled` and `lost` was cut off after sending: it may have
   * run. Throws FrameError for a script that can't be sent, before sending.
   */
  async run(request: SessionRequest, signal?: AbortSignal): Promise<RawAnswer> {
    if (signal?.aborted) return cancelledAnswer(0);
    const answer = await this.#ask(
      request,
      request.seconds * 1000 + GRACE + Math.min(this.wayMs, LONGEST_WAY),
      signal,
    );
    if (answer.timedOut || answer.exitCode === undefined) this.close();
    return answer;
  }

  /** An idle shell ends by itself; one that is busy, in doubt or too slow to end is let go. */
  close(): void {
    if (this.ended) return;
    this.ended = {};
    if (this.#idle) {
      this.#wire.end();
      this.#stopEnding = deadline(this.#clock, GRACE, () => this.#wire.close());
    } else this.#wire.close();
    this.#exchange?.closed();
  }

  #write(text: string): void {
    if (!this.ended) this.#wire.write(text);
  }

  #ask(request: SessionRequest, ms: number, signal?: AbortSignal): Promise<RawAnswer> {
    const nonce = newNonce();
    const line = encode(request.script, request.seconds, nonce, request.stdin);
    const out = new StreamDecoder(nonce, request.maxBytes, request.onStdout);
    const err = new StreamDecoder(nonce, request.maxBytes);
    const from = this.#clock.mono();
    const { promise, resolve } = Promise.withResolvers<RawAnswer>();

    const settle = (how: How) => {
      this.#exchange = undefined;
      stopClock();
      signal?.removeEventListener('abort', cancel);
      this.#idle = out.state === 'done' && err.state === 'done';
      const answer = answerFrom(out, err, {
        ...how,
        seconds: request.seconds,
        durationMs: this.#clock.mono() - from,
      });
      if (answer.hostMs !== undefined) this.wayMs = answer.durationMs - answer.hostMs;
      resolve(answer);
    };
    const cancel = () => settle({ cancelled: true });
    const stopClock = deadline(this.#clock, ms, () => settle({ timedOut: true }));
    signal?.addEventListener('abort', cancel, { once: true });
    this.#exchange = {
      data: (stream, chunk) => {
        const decoder = stream === 'stdout' ? out : err;
        decoder.push(chunk);
        if (out.state === 'done' && err.state === 'done') return settle({});
        if (decoder.bytes <= request.maxBytes + FLOOD) return;
        settle({ flooded: true });
      },
      closed: () => settle({}),
    };
    this.#idle = false;
    if (this.ended) settle({});
    else this.#write(line);
    return promise;
  }
}
