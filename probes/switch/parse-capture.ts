import { jsonIn, type Json } from './parse-json.ts';
import { endsOpen, plainText, readableLines } from './parse-lines.ts';
import { xmlIn, type Tree } from './parse-tree.ts';
import { CUT } from './parse-values.ts';
import type { LagRow, NeighborRow, OpticRow, Parsed, PortRow } from './rows.ts';

/** A captured answer in the forms that readers need; each form is made once, when it is asked for. */
export interface Capture {
  /** Lines of standard output; an answer without a last newline ends with `CUT`. */
  readonly lines: readonly string[];
  /** Lines of standard error. */
  readonly complaints: readonly string[];
  json(): Json | undefined;
  xml(): readonly Tree[];
}

/** Undefined: the capture is not this output. */
export type Reader<Row> = (capture: Capture) => Parsed<Row> | undefined;

/** What a platform's outputs are read by, per parse format. */
export interface PlatformReaders {
  readonly counters?: readonly Reader<PortRow>[];
  readonly lags?: readonly Reader<LagRow>[];
  readonly neighbors?: readonly Reader<NeighborRow>[];
  readonly optics?: readonly Reader<OpticRow>[];
  readonly hwdrops?: readonly Reader<PortRow>[];
  readonly rates?: readonly Reader<PortRow>[];
}

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** A word that ends with the answer may be cut; one before a blank is whole. */
const marked = (answer: string): string => (endsOpen(answer) && /\S$/.test(answer) ? answer + CUT : answer);

/** An answer in the forms that readers need. */
export const captureOf = (stdout: string, stderr = ''): Capture => ({
  lines: readableLines(marked(stdout)),
  complaints: readableLines(marked(stderr)),
  json: once(() => jsonIn(plainText(stdout))),
  xml: once(() => xmlIn(plainText(stdout))),
});
