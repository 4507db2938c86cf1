/** From so many bytes on an answer has memory of its own. */
const LARGE = 1024 * 1024;

/**
 * The bytes of an answer as they come. A large one grows in place, in memory that goes back to the system whole: thousands of
 * pieces, and 13 MB for all of them together, every ten seconds, leave a heap of the C library with holes that nobody gets back.
 */
export class Gathered {
  #size = 0;
  #pieces: Buffer[] = [];
  #whole: ArrayBuffer | undefined;
  readonly #most: number;

  /** `most`: bytes that can come at all. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** A copy of the piece is kept. Together they are never more than `most`. */
  push(piece: Uint8Array): void {
    this.#size += piece.byteLength;
    if (this.#whole) return append(this.#whole, piece);
    this.#pieces.push(Buffer.from(piece));
    if (this.#size <= LARGE) return;
    this.#whole = new ArrayBuffer(0, { maxByteLength: this.#most });
    for (const earlier of this.#pieces) append(this.#whole, earlier);
    this.#pieces = [];
  }

  /** All of it. */
  bytes(): Buffer {
    return this.#whole ? Buffer.from(this.#whole) : Buffer.concat(this.#pieces);
  }
}

const append = (whole: ArrayBuffer, piece: Uint8Array): void => {
  const from = whole.byteLength;
  whole.resize(from + piece.byteLength);
  new Uint8Array(whole, from).set(piece);
};
