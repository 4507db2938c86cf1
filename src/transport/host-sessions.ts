import type { ConnectFailure, RawAnswer } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { waitUnlessAborted } from './deadline.ts';
import { cancelledAnswer, failure, unsentAnswer, reason } from './failure.ts';
import { encode, newNonce } from './frame.ts';
import type { HostState, StreamedRequest } from './host-state.ts';
import { Places } from './places.ts';
import { Session } from './session.ts';
import type { Wire } from './wire.ts';

/** Opens one more `sh` on the host, or says why it can't; all but `sessions` is then in the host's state. */
export type Opener = () => Promise<{ wire: Wire } | { failure: ConnectFailure }>;

/** How long a login shell may take to start, ms. */
const HELLO = 8000;

/** A login shell slower than this earns a badge, ms. */
const SLOW_SHELL = 1500;

/** Sessions of one host at a time; sshd's MaxSessions is 10 unless told otherwise. */
const SESSIONS = 4;

/** A server frees a session a moment after its shell ended: ask again this often, with a pause of so many ms. */
const REFUSALS = 5;
const REFUSED_PAUSE = 200;

type Started = { session: Session } | { failure: ConnectFailure };

/**
 * The shells of one host, whatever carries them: one long-lived, asked in turn, and one of its own for each request that
 * is `fresh`. A server that refuses more sessions makes requests wait, not fail.
 */
export class HostSessions {
  readonly #state: HostState;
  readonly #clock: Clock;
  readonly #open: Opener;
  readonly #places = new Places(SESSIONS);
  readonly #turn = new Places(1);
  readonly #sessions = new Set<Session>();
  #shell: Session | undefined;
  #starting: Promise<Started> | undefined;
  #abandoned = 0;

  constructor(state: HostState, clock: Clock, open: Opener) {
    this.#state = state;
    this.#clock = clock;
    this.#open = open;
  }

  /** Commands whose deadline passed without a word from the far side: they may still run there. */
  get abandoned(): number {
    return this.#abandoned;
  }

  /** No `sh` is open or being opened. */
  get idle(): boolean {
    return this.#places.taken === 0;
  }

  /** Runs one request; never throws. */
  async run(request: StreamedRequest, signal?: AbortSignal): Promise<RawAnswer> {
    const from = this.#clock.mono();
    const ms = () => this.#clock.mono() - from;
    const seconds = Math.max(1, Math.ceil(request.deadlineMs / 1000));
    try {
      encode(request.script, seconds, newNonce(), request.stdin);
    } catch (error) {
      return unsentAnswer(failure('other', this.#state.host, reason(error), 'nothing was sent'), ms());
    }
    const wanted = {
      script: request.script,
      seconds,
      maxBytes: request.maxBytes ?? 1_000_000,
      ...(request.stdin !== undefined && { stdin: request.stdin }),
      ...(request.onStdout && { onStdout: request.onStdout }),
    };
    const alone = request.fresh === true || request.stdin !== undefined;
    const turn = alone ? () => {} : await this.#turn.take(signal).catch(() => undefined);
    if (!turn) return cancelledAnswer(ms());
    try {
      const starting = alone ? this.#start() : this.#shared();
      const opened = await waitUnlessAborted(signal, starting);
      if (!opened) {
        if (alone) void starting.then((late) => 'session' in late && late.session.close());
        return cancelledAnswer(ms());
      }
      if ('failure' in opened) return unsentAnswer(opened.failure, ms());
      const answer = await opened.session.run(wanted, signal);
      this.#judge(answer, opened.session, alone);
      return answer;
    } finally {
      turn();
    }
  }

  /** Ends all sessions: what runs in them is lost. */
  drop(): void {
    this.#shell = undefined;
    this.#places.limit = SESSIONS;
    for (const session of this.#sessions) session.close();
  }

  #judge(answer: RawAnswer, session: Session, alone: boolean): void {
    if (alone || this.#places.limit === 1) session.close();
    if (answer.timedOut && answer.exitCode === undefined) this.#abandon();
    this.#state.wayMs = session.wayMs;
    if (answer.exitCode !== undefined) this.#state.noteUp();
  }

  #abandon(): void {
    this.#abandoned += 1;
    this.#state.badge('abandoned commands');
  }

  /** The shared shell; who gives up waiting for it leaves it to the next one. */
  async #shared(): Promise<Started> {
    if (this.#shell && !this.#shell.ended) return { session: this.#shell };
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    const opened = await this.#starting;
    if ('session' in opened) this.#shell = opened.session;
    return opened;
  }

  /** A session that has answered; waits while the server takes no more. */
  async #start(): Promise<Started> {
    for (let refused = 1; ; refused++) {
      const { blocked } = this.#state;
      if (blocked) return { failure: blocked };
      const freePlace = await this.#places.take();
      const opened = await this.#open();
      if ('wire' in opened) return this.#greet(opened.wire, freePlace);
      const others = this.#places.taken - 1;
      freePlace();
      if (opened.failure.kind !== 'sessions') return opened;
      if (others === 0 && refused > REFUSALS) return { failure: this.#state.noteDown(opened.failure) };
      this.#state.badge('server refuses more sessions');
      this.#places.limit = Math.max(1, Math.min(this.#places.limit, others));
      if (this.#places.limit === 1) this.#retire();
      await this.#clock.sleep(REFUSED_PAUSE);
    }
  }

  /** With one session in all, an idle shared shell would keep every other request out for ever. */
  #retire(): void {
    if (this.#turn.taken === 0) this.#shell?.close();
  }

  async #greet(wire: Wire, free: () => void): Promise<Started> {
    const session = new Session(wire, this.#clock, (torn) => {
      this.#sessions.delete(session);
      if (this.#shell === session) this.#shell = undefined;
      const why = torn ? wire.whyFailed?.(true) : undefined;
      if (why) this.#state.noteDown(why);
      free();
    });
    this.#sessions.add(session);
    const waitMs = HELLO + this.#state.extraMs(1);
    const greeting = await session.hello(waitMs);
    if (session.startedInMs > 0) this.#state.wayMs = session.wayMs;
    if (greeting === 'ready') {
      this.#state.noteUp();
      if (session.startedInMs > SLOW_SHELL) this.#state.badge('slow shell');
      if (session.noise !== '') this.#state.badge('noisy shell');
      return { session };
    }
    session.close();
    if (greeting === 'late') this.#abandon();
    // The connection itself went away, and has said so already.
    const { blocked } = this.#state;
    if (greeting === 'ended' && isTorn(session) && blocked) return { failure: blocked };
    return {
      failure: this.#state.noteDown(wire.whyFailed?.(false) ?? this.#mute(greeting, session, waitMs)),
    };
  }

  #mute(greeting: string, session: Session, waitedMs: number): ConnectFailure {
    const { host } = this.#state;
    const said = session.noise ? ` after printing "${session.noise.slice(0, 80)}"` : '';
    if (greeting === 'late')
      return failure(
        'timeout',
        host,
        `timed out after ${Math.round(waitedMs / 1000)} s: the login shell did not start${said}`,
        this.#state.lookAt('look at its start-up files and its home directory'),
      );
    if (greeting === 'unfit')
      return failure('other', host, `its sh can't run a framed request${said}`, 'install coreutils there');
    // Only an exit status or a signal is the end of a shell; without either the connection was cut under it.
    if (isTorn(session))
      return failure(
        'unreachable',
        host,
        `connection lost while the login shell started${said}`,
        'it is tried again; when it stays so, look at the network and at the log of its sshd',
      );
    return failure(
      'other',
      host,
      `the login shell ended at once with ${session.ended?.signal === undefined ? `exit code ${session.ended?.exitCode}` : `signal ${session.ended.signal}`}${said}`,
      'see that this login may run sh',
    );
  }
}

const isTorn = ({ ended }: Session): boolean => ended?.exitCode === undefined && ended?.signal === undefined;
