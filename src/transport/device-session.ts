import type { Dialect } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { deadline } from './deadline.ts';
import { nameIn, ownNameIn, promptKey, removeBlanks, dropEcho, dropHead } from './device-lines.ts';
import { isKeyPrompt, pagerKey, dropFiller } from './pagers.ts';
import { TerminalLines } from './terminal-lines.ts';
import type { Wire } from './wire.ts';

/** A prompt is one when nothing follows it for this long, ms: it may be the beginning of a line that is still coming. */
const SETTLE = 30;
/** The first one must stand longer: banners come in pieces. */
const SETTLE_FIRST = 150;
/** A device that shows nothing for this long gets an empty line, ms. */
const NUDGE = 2_000;
/** An unfinished line that asks for something and stands so long waits for a key that is not known here, ms. */
const STUCK = 4_000;
/** Lines longer than this are no prompts. */
const LONGEST_PROMPT = 200;
/** Output this far past what is kept ends the session. */
const FLOOD = 16_000_000;
/** A device that asks for more than this many pages never ends. */
const MOST_PAGES = 20_000;

/** How waiting for a prompt ended. */
export type Waited = 'prompt' | 'late' | 'stuck' | 'closed' | 'cancelled' | 'flooded';

/** What a line brought. */
export interface Typed {
  how: Waited;
  /** Output without echo and prompt, Latin-1. */
  lines: readonly string[];
  bytes: number;
  truncated: boolean;
}

/** One login on a device's command line: one line in flight, its end known by the prompt (netmiko's method). */
export class DeviceSession {
  /** The prompt after log-in and pager off; another one means that a mode was left open. */
  base = '';
  /** A pager asked although it was told not to. */
  paged = false;
  ended = false;
  readonly #wire: Wire;
  readonly #clock: Clock;
  readonly #prompt: RegExp;
  readonly #pager: RegExp | undefined;
  readonly #dialect: Dialect;
  /** A word that each prompt of this device holds: its name. */
  #learned = '';
  /** Lines that come in front of each prompt: `{master:0}` of Junos. */
  #head: readonly string[] = [];
  #screen = new TerminalLines(100_000);
  #limit = 100_000;
  #pages = 0;
  #typed = '';
  #changes = false;
  #wake: (() => void) | undefined;

  /** Throws for a dialect whose expressions can't be compiled. */
  constructor(wire: Wire, clock: Clock, dialect: Dialect, closed: () => void) {
    this.#wire = wire;
    this.#clock = clock;
    this.#dialect = dialect;
    this.#prompt = new RegExp(`^(?:${dialect.prompt})`);
    this.#pager = dialect.pager === undefined ? undefined : new RegExp(dialect.pager, 'i');
    wire.listen({
      data: (_, chunk) => {
        this.#screen.push(chunk);
        this.#wake?.();
      },
      onClosed: () => {
        this.ended = true;
        this.#wake?.();
        closed();
      },
    });
  }

  /** What is on the last lines of the screen: for the message when no prompt came. */
  get shown(): string {
    return [...this.#screen.lines, this.#screen.last].findLast((line) => line.trim() !== '')?.trim() ?? '';
  }

  /**
   * Waits for the prompt, learns it (an empty line must bring it again: a banner may look like one) and turns the pager off.
   */
  async login(ms: number, signal?: AbortSignal): Promise<Waited> {
    const until = this.#clock.mono() + ms;
    const leftMs = (): number => Math.max(0, until - this.#clock.mono());
    let seen = await this.#wait(Math.min(NUDGE, leftMs()), SETTLE_FIRST, signal);
    if (seen === 'late') seen = await this.#send('', leftMs(), SETTLE_FIRST, signal);
    if (seen !== 'prompt') return seen;
    const first = this.#screen.last;
    seen = await this.#send('', leftMs(), SETTLE, signal);
    if (seen !== 'prompt') return seen;
    const again = nameIn(this.#screen.last);
    if (again !== nameIn(first)) return this.#relearn(leftMs(), signal);
    this.#learned = again;
    return this.#quietPager(leftMs, signal);
  }

  /** What looked like a prompt was part of a banner: the one that comes twice is it. */
  async #relearn(ms: number, signal?: AbortSignal): Promise<Waited> {
    const first = nameIn(this.#screen.last);
    const seen = await this.#send('', ms, SETTLE_FIRST, signal);
    if (seen !== 'prompt') return seen;
    if (nameIn(this.#screen.last) !== first) return 'late';
    this.#learned = first;
    return this.#quietPager(() => ms, signal);
  }

  async #quietPager(left: () => number, signal?: AbortSignal): Promise<Waited> {
    for (const line of this.#dialect.pagerOff) {
      const seen = await this.#send(line, left(), SETTLE, signal);
      if (seen !== 'prompt') return seen;
    }
    this.base = promptKey(this.#screen.last);
    const seen = await this.#send('', left(), SETTLE, signal);
    this.#head = this.#screen.lines.filter((line) => line.trim() !== '' && !this.#isPrompt(line));
    return seen;
  }

  /**
   * Types one line and waits for the prompt. Keeps at most `maxBytes` of the output. `changes`: the line may change something, so no key
   * is pressed but those of plain pagers.
   */
  async type(
    line: string,
    ms: number,
    { maxBytes, changes = false }: { maxBytes: number; changes?: boolean },
    signal?: AbortSignal,
  ): Promise<Typed> {
    this.#limit = maxBytes;
    this.#changes = changes;
    this.#pages = 0;
    const how = await this.#send(line, ms, SETTLE, signal);
    if (this.#pages > 0) this.paged = true;
    const { bytes, truncated, lines, last } = this.#screen;
    const rest = how === 'prompt' || last.trim() === '' ? [] : [last];
    if (how === 'prompt') this.#screen.forget();
    return {
      how,
      bytes,
      truncated,
      lines: dropHead(
        dropEcho(this.#pages > 0 ? dropFiller([...lines, ...rest]) : [...lines, ...rest], line),
        how === 'prompt' ? this.#head : [],
      ),
    };
  }

  /** What the device calls itself in the prompt of after log-in; empty: no name stands there. */
  get ownName(): string {
    return ownNameIn(this.base);
  }

  /** Whether the device is where it was after log-in. */
  get atBase(): boolean {
    return promptKey(this.#screen.last) === this.base;
  }

  close(): void {
    if (!this.ended) this.#wire.close();
  }

  #send(line: string, ms: number, settle: number, signal?: AbortSignal): Promise<Waited> {
    this.#screen = new TerminalLines(this.#limit);
    this.#typed = line;
    if (!this.ended) this.#wire.write(`${line}\n`);
    return this.#wait(ms, settle, signal);
  }

  #wait(ms: number, settle: number, signal?: AbortSignal): Promise<Waited> {
    const { promise, resolve } = Promise.withResolvers<Waited>();
    let unsettled: (() => void) | undefined;
    const endWait = (how: Waited): void => {
      this.#wake = undefined;
      unsettled?.();
      stopClock();
      signal?.removeEventListener('abort', cancel);
      resolve(how);
    };
    const cancel = (): void => endWait('cancelled');
    const stopClock = deadline(this.#clock, ms, () => endWait('late'));
    const look = (): void => {
      unsettled?.();
      unsettled = undefined;
      if (this.ended) return endWait('closed');
      if (this.#screen.bytes > this.#limit + FLOOD) return endWait('flooded');
      const last = this.#screen.last;
      if (last.trim() === '' || last.length > LONGEST_PROMPT) return;
      const key = pagerKey(last, this.#pager, this.#changes);
      if (key !== undefined) unsettled = deadline(this.#clock, settle, () => turnPage(key));
      else if (this.#isPrompt(last)) unsettled = deadline(this.#clock, settle, () => endWait('prompt'));
      else if (isKeyPrompt(last) && !this.#isEcho(last))
        unsettled = deadline(this.#clock, STUCK, () => endWait('stuck'));
    };
    const turnPage = (key: string): void => {
      this.#pages += 1;
      if (this.#pages > MOST_PAGES) return endWait('flooded');
      this.#screen.clearLast();
      this.#wire.write(key);
    };
    this.#wake = look;
    if (signal?.aborted) endWait('cancelled');
    else {
      signal?.addEventListener('abort', cancel, { once: true });
      look();
    }
    return promise;
  }

  /** The line that was typed, while the device has not answered yet. */
  #isEcho(line: string): boolean {
    return this.#typed !== '' && removeBlanks(line).endsWith(removeBlanks(this.#typed));
  }

  #isPrompt(line: string): boolean {
    const text = line.trim();
    const found = this.#prompt.exec(text)?.[0].trimEnd();
    return found !== undefined && found.length === text.length && text.includes(this.#learned);
  }
}
