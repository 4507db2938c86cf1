/** Characters that do something on a terminal. Bytes are kept as Latin-1, so no byte above 0x7f is one of them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controls = /[\x00-\x1f\x7f]/g;

/* oxlint-disable no-control-regex */
const csi = /\x1b\[([0-9;?]*)[ -/]*([@-~])/y;
const osc = /\x1b\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)/y;
const short = /\x1b(?:[()*+][0-9A-Za-z]|[^[\]()*+])/y;
/* oxlint-enable no-control-regex */

/** An escape sequence that is not whole after so many characters is none. */
const LONGEST_ESCAPE = 600;

/** Lines longer than this are no screen lines: what is written after a return to their start begins them anew. */
const LONGEST_EDITED = 4096;

/**
 * What a terminal would show of a device's output, line by line: carriage returns, backspaces and the escape sequences that
 * move within a line or erase it are carried out, all others dropped. That is how a pager's prompt vanishes again.
 */
export class TerminalLines {
  /** Bytes that came, kept or not. */
  bytes = 0;
  /** More came than was kept. */
  truncated = false;
  #done: string[] = [];
  #kept = 0;
  #line = '';
  #column = 0;
  #edited = false;
  /** What is written next begins the line anew. */
  #over = false;
  #pending = '';
  readonly #limit: number;

  /** `limit`: bytes of finished lines that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The line that is not finished yet. */
  get last(): string {
    return this.#line;
  }

  /** Finished lines, as Latin-1. */
  get lines(): readonly string[] {
    return this.#done;
  }

  /** Lets go of the finished lines: a session stands for hours, and they hold on to all that came. */
  forget(): void {
    this.#done = [];
  }

  /** Takes the unfinished line away: a pager's prompt that was answered. */
  clearLast(): void {
    this.#line = '';
    this.#column = 0;
    this.#over = false;
    this.#edited = true;
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    const text = this.#pending + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    this.#pending = '';
    let at = 0;
    while (at < text.length) {
      // `test`, not `exec`: 7,000 times for the counters of one switch, and nothing but the place is needed.
      controls.lastIndex = at;
      const found = controls.test(text) ? controls.lastIndex - 1 : text.length;
      this.#write(text.slice(at, found));
      const control = text.charAt(found);
      at = control === '\u001b' ? this.#escape(text, found) : found + 1;
      this.#control(control);
    }
  }

  #control(char: string): void {
    if (char === '\n') this.#finish();
    else if (char === '\t') this.#write(char);
    else if (char === '\r') this.#toStart();
    else if (char === '\b') this.#to(this.#column - 1);
  }

  /** Gives where the text goes on after the sequence that begins here. */
  #escape(text: string, from: number): number {
    for (const kind of [csi, osc, short]) {
      kind.lastIndex = from;
      const found = kind.exec(text);
      if (found === null) continue;
      if (kind === csi) this.#move(found[1] ?? '', found[2] ?? '');
      return from + found[0].length;
    }
    if (text.length - from > LONGEST_ESCAPE) return from + 1;
    this.#pending = text.slice(from);
    return text.length;
  }

  /** Erase in line, and moves within it (ECMA-48: EL, CUB, CUF, CHA). */
  #move(parameter: string, final: string): void {
    const count = Math.min(LONGEST_EDITED, Number.parseInt(parameter, 10) || 1);
    if (final === 'D') this.#to(this.#column - count);
    else if (final === 'G') this.#to(count - 1);
    else if (final === 'C') this.#write(' '.repeat(Math.max(0, this.#column + count - this.#line.length)));
    else if (final === 'K') {
      this.#line = /^[12]/.test(parameter) ? '' : this.#line.slice(0, this.#column);
      this.#to(this.#column);
    }
  }

  /** A long line is let go only when something is written over it: NX-OS' JSON is one line, and `\r\n` ends it like any other. */
  #toStart(): void {
    this.#over = this.#line.length > LONGEST_EDITED;
    this.#column = 0;
  }

  #to(column: number): void {
    this.#column = Math.max(0, Math.min(column, this.#line.length));
    this.#edited = true;
  }

  #write(text: string): void {
    if (text === '') return;
    if (this.#over) this.clearLast();
    if (this.#kept + this.#line.length > this.#limit) {
      this.truncated = true;
      return;
    }
    if (this.#column < this.#line.length) this.#edited = true;
    this.#line = this.#line.slice(0, this.#column) + text + this.#line.slice(this.#column + text.length);
    this.#column += text.length;
  }

  #finish(): void {
    // Blanks with which something was painted over are not part of the line.
    const line = this.#edited ? this.#line.trimEnd() : this.#line;
    this.#line = '';
    this.#column = 0;
    this.#over = false;
    this.#edited = false;
    if (this.#kept + line.length > this.#limit) {
      this.truncated = true;
      return;
    }
    this.#kept += line.length + 1;
    this.#done.push(line);
  }
}
