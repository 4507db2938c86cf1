import * as z from 'zod';

const base64 = z.string().nullish();

const nodeSchema = z.object({
  node: z.string(),
  rc: z.number().nullish(),
  /** It did not end in its time and was let go. */
  late: z.boolean(),
  /** The framed streams; absent: the node never began. */
  out: base64,
  err: base64,
  /** More came than was asked for. */
  cut: z.boolean(),
  /** What came between the marks is nothing of what was sent. */
  garbled: z.boolean().default(false),
  /** What ssh and the login shell said before. */
  said: z.string(),
});

const endSchema = z.object({
  end: z.string(),
  asked: z.number(),
  told: z.number(),
  tree: z.boolean(),
  version: z.string(),
});

const faultSchema = z.object({ fault: z.enum(['missing', 'old', 'held', 'failed']), what: z.string() });

const lineSchema = z.union([nodeSchema, endSchema, faultSchema, z.object({ beat: z.number() })]);

export type NodeLine = z.output<typeof nodeSchema>;
export type EndLine = z.output<typeof endSchema>;
export type FaultLine = z.output<typeof faultSchema>;
export type RunLine = z.output<typeof lineSchema>;

/** One line of `ask-nodes.py`; undefined for anything else. */
export const readLine = (line: string): RunLine | undefined => {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};

/** Gives the whole lines of what comes in pieces; those longer than `longest` bytes as `undefined`. */
export class LineSplitter {
  readonly #longest: number;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  push(piece: Uint8Array): (string | undefined)[] {
    const lines: (string | undefined)[] = [];
    let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = rest.indexOf(0x0a); at >= 0; at = rest.indexOf(0x0a)) {
      this.#hold(rest.subarray(0, at));
      lines.push(this.#size > this.#longest ? undefined : Buffer.concat(this.#pieces).toString());
      this.#pieces = [];
      this.#size = 0;
      rest = rest.subarray(at + 1);
    }
    this.#hold(rest);
    return lines;
  }

  #hold(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size > this.#longest) this.#pieces = [];
    else this.#pieces.push(Buffer.from(piece));
  }
}
