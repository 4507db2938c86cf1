import type { ConnectFailure, DeviceRequest, Dialect, RawAnswer } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { deadline } from './deadline.ts';
import { DeviceSession, type Typed, type Waited } from './device-session.ts';
import { cancelledAnswer, failure, unsentAnswer, reason } from './failure.ts';
import type { HostState } from './host-state.ts';
import { Places } from './places.ts';
import type { Wire } from './wire.ts';

/** From the open channel to the prompt after pager off, ms. */
const LOGIN = 12_000;
/** A session that nobody asks is ended, ms: a switch has few of them (often 5 to 16), and people need one. */
const IDLE = 150_000;

/** Opens the device's interactive shell on a wide terminal. */
export type ShellOpener = () => Promise<{ wire: Wire } | { failure: ConnectFailure }>;

/** What must not be typed: line ends, `?` and tab do something at once on a device's command line. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unfit = /[\x00-\x1f\x7f?]|[^\x00-\x7f]/;

/**
 * The command line of a device without exec channels: one session, one request at a time, closed when idle and after whatever
 * leaves it in doubt. Its exit code is ours: 0 when each line brought back the prompt, 1 when a line said so by the dialect's
 * errors; those lines are the standard error.
 */
export class DeviceShell {
  readonly #state: HostState;
  readonly #clock: Clock;
  readonly #open: ShellOpener;
  readonly #idle: () => void;
  readonly #turn = new Places(1);
  #session: { of: string; session: DeviceSession } | undefined;
  #stopIdle: (() => void) | undefined;

  /** `idle` is called when the session was ended because nobody asked. */
  constructor(state: HostState, clock: Clock, open: ShellOpener, idle: () => void) {
    this.#state = state;
    this.#clock = clock;
    this.#open = open;
    this.#idle = idle;
  }

  /** Types the lines; never throws. */
  async type(request: DeviceRequest, signal?: AbortSignal): Promise<RawAnswer> {
    const from = this.#clock.mono();
    const ms = (): number => this.#clock.mono() - from;
    const { host } = this.#state;
    const wrong = request.lines.find((line) => unfit.test(line) || line.trim() === '');
    if (wrong !== undefined || request.lines.length === 0)
      return unsentAnswer(
        failure('other', host, `"${wrong ?? ''}" is no line to type`, 'nothing was sent'),
        ms(),
      );
    const turn = await this.#turn.take(signal).catch(() => undefined);
    if (!turn) return cancelledAnswer(ms());
    this.#stopIdle?.();
    try {
      const opened = await this.#ready(request.dialect, signal);
      if (opened === 'cancelled') return cancelledAnswer(ms());
      if ('failure' in opened) return unsentAnswer(opened.failure, ms());
      return await this.#converse(opened.session, request, signal);
    } catch (error) {
      this.drop();
      return unsentAnswer(failure('other', host, reason(error), "see its platform's dialect"), ms());
    } finally {
      if (this.#session) this.#stopIdle = deadline(this.#clock, IDLE, () => this.#retire());
      turn();
    }
  }

  /** Ends the session. */
  drop(): void {
    this.#stopIdle?.();
    this.#session?.session.close();
    this.#session = undefined;
  }

  #retire(): void {
    if (this.#turn.taken > 0) return;
    this.drop();
    this.#idle();
  }

  async #ready(
    dialect: Dialect,
    signal?: AbortSignal,
  ): Promise<{ session: DeviceSession } | { failure: ConnectFailure } | 'cancelled'> {
    const of = JSON.stringify(dialect);
    if (this.#session?.of === of && !this.#session.session.ended) return this.#session;
    this.drop();
    const { blocked } = this.#state;
    if (blocked) return { failure: blocked };
    const opened = await this.#open();
    if ('failure' in opened)
      return {
        failure: opened.failure.kind === 'sessions' ? this.#state.noteDown(opened.failure) : opened.failure,
      };
    const session = new DeviceSession(opened.wire, this.#clock, dialect, () => {
      if (this.#session?.session === session) this.#session = undefined;
    });
    const waited = await session.login(LOGIN, signal);
    if (waited === 'prompt') {
      this.#session = { of, session };
      this.#state.noteUp();
      return { session };
    }
    session.close();
    if (waited === 'cancelled') return 'cancelled';
    return { failure: this.#state.noteDown(this.#noPrompt(waited, session.shown, dialect)) };
  }

  #noPrompt(waited: Waited, shown: string, dialect: Dialect): ConnectFailure {
    const last = shown === '' ? 'it shows nothing' : `the last it shows is "${shown.slice(0, 120)}"`;
    const { host } = this.#state;
    if (waited === 'closed')
      return failure(
        'other',
        host,
        'it ended the session before its prompt',
        `${last}; are all its lines taken?`,
      );
    return failure(
      'other',
      host,
      waited === 'stuck'
        ? `it waits for a key before its prompt: ${last}`
        : `its prompt was never seen within ${LOGIN / 1000} s: ${last}`,
      `wanted is /${dialect.prompt}/: is its platform right in the site file?`,
    );
  }

  async #converse(session: DeviceSession, request: DeviceRequest, signal?: AbortSignal): Promise<RawAnswer> {
    const from = this.#clock.mono();
    const errors = request.dialect.errors.map((source) => new RegExp(source, 'i'));
    const out: string[] = [];
    const err: string[] = [];
    let bytes = 0;
    let kept = 0;
    let truncated = false;
    let last: Typed | undefined;
    const maxBytes = request.maxBytes ?? 1_000_000;
    for (const line of request.lines) {
      const left = request.deadlineMs - (this.#clock.mono() - from);
      const how = { maxBytes: Math.max(0, maxBytes - kept), changes: request.stopOnError === true };
      last = await session.type(line, Math.max(1, left), how, signal);
      bytes += last.bytes;
      truncated ||= last.truncated;
      const text = last.lines.map((one) => `${one}\n`).join('');
      kept += text.length;
      if (request.headed) out.push(`${HEAD}${line}\n`);
      out.push(text);
      if (last.how !== 'prompt') break;
      const said = saysNo(last.lines, errors);
      if (said === undefined) continue;
      err.push(`${line}: ${said.trim()}\n`);
      if (request.stopOnError) break;
    }
    if (session.paged) this.#state.badge('pager not off');
    const how = last?.how ?? 'closed';
    // A mode that was left open would take the next line for something else.
    if (how !== 'prompt' || err.length > 0 || !session.atBase) this.drop();
    else this.#state.noteUp();
    return {
      stdout: Buffer.from(out.join(''), 'latin1'),
      stderr: Buffer.from(err.join(''), 'latin1'),
      ...(how === 'prompt' && { exitCode: err.length > 0 ? 1 : 0 }),
      truncated: truncated || how === 'flooded',
      stdoutBytes: bytes,
      timedOut: how === 'late' || how === 'stuck',
      ...(session.ownName !== '' && { calledItself: session.ownName }),
      ...(how === 'stuck' && { stoppedAt: last?.lines.at(-1)?.trim().slice(0, 120) ?? '' }),
      lost: how === 'closed' || how === 'cancelled',
      cancelled: how === 'cancelled',
      durationMs: this.#clock.mono() - from,
    };
  }
}

/** Stands in front of the line that was typed, where a request wants to tell the outputs of several lines apart. */
const HEAD = '--- ';

/** A device says no at the beginning or at the end of what it answers; in between may stand a log that speaks of errors. */
const saysNo = (lines: readonly string[], errors: readonly RegExp[]): string | undefined => {
  const spoken = lines.filter((line) => line.trim() !== '');
  const firstAndLast = spoken.length <= 13 ? spoken : [...spoken.slice(0, 10), ...spoken.slice(-3)];
  return firstAndLast.find((line) => errors.some((one) => one.test(line)));
};
