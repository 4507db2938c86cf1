import { Gathered } from './gathered.ts';

const LONGEST_TAIL = 64;

/**
 * Reads one request's part of one stream: drops all up to `NONCE\n` (motd, `.bashrc` noise), keeps what follows up to
 * `\nNONCE`, and the rest of that line as `tail` (` 0` on standard output). The bytes between are exact. Past
 * `maxBytes` they are counted, not kept.
 */
export class StreamDecoder {
  state: 'before' | 'inside' | 'ending' | 'done' = 'before';
  /** Bytes of content seen, kept or not. */
  bytes = 0;
  readonly #start: Buffer;
  readonly #end: Buffer;
  readonly #maxBytes: number;
  readonly #take: ((piece: Uint8Array) => void) | undefined;
  readonly #kept: Gathered;
  #held: Buffer = Buffer.alloc(0);

  /** `take`: gets the content as it comes; none of it is kept then. */
  constructor(nonce: string, maxBytes: number, take?: (piece: Uint8Array) => void) {
    this.#start = Buffer.from(`${nonce}\n`);
    this.#end = Buffer.from(`\n${nonce}`);
    this.#maxBytes = maxBytes;
    this.#take = take;
    this.#kept = new Gathered(maxBytes);
  }

  /** Bytes in the order they came; what follows the end marker's line is dropped. */
  push(chunk: Buffer): void {
    if (this.state === 'done') return;
    let data = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    if (this.state === 'before') {
      const at = data.indexOf(this.#start);
      if (at < 0) return this.#hold(data, this.#start.length - 1);
      this.state = 'inside';
      data = data.subarray(at + this.#start.length);
    }
    if (this.state === 'inside') {
      const at = data.indexOf(this.#end);
      if (at < 0) {
        const sure = Math.max(0, data.length - this.#end.length + 1);
        this.#keep(data.subarray(0, sure));
        return this.#hold(data, data.length - sure);
      }
      this.#keep(data.subarray(0, at));
      this.state = 'ending';
      data = data.subarray(at + this.#end.length);
    }
    const newline = data.indexOf(0x0a);
    if (newline >= 0 || data.length > LONGEST_TAIL) this.state = 'done';
    this.#held = Buffer.from(newline >= 0 ? data.subarray(0, newline) : data.subarray(0, LONGEST_TAIL + 1));
  }

  /** The stream ended early: what is still held back may be content. */
  end(): void {
    if (this.state === 'inside') this.#keep(this.#held);
  }

  /** What stood on the end marker's line behind the nonce; undefined before it was seen whole. */
  get tail(): string | undefined {
    return this.state === 'done' ? this.#held.toString('latin1') : undefined;
  }

  get truncated(): boolean {
    return this.bytes > this.#maxBytes;
  }

  /** The kept content. */
  content(): Buffer {
    return this.#kept.bytes();
  }

  readonly #store = (piece: Uint8Array): void => this.#kept.push(piece);

  #hold(data: Buffer, length: number): void {
    this.#held = length > 0 ? Buffer.from(data.subarray(-length)) : Buffer.alloc(0);
  }

  #keep(data: Buffer): void {
    const room = this.#maxBytes - this.bytes;
    if (room > 0 && data.length > 0) (this.#take ?? this.#store)(data.subarray(0, room));
    this.bytes += data.length;
  }
}
