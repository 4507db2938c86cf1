import { jsonIn, type Json } from './parse-json.ts';
import { readableLines } from './parse-lines.ts';
import { xmlIn, type Tree } from './parse-tree.ts';
import type { LagRow, NeighborRow, OpticRow, Parsed, PortRow } from './rows.ts';

/** A captured answer in the forms that readers need; each form is made once, when it is asked for. */
export interface Capture {
  /** Lines of standard output. A number at the very end of an answer without a last newline is left out: it may be cut. */
  readonly lines: readonly string[];
  /** The answer ends without a newline: its last line may be cut. */
  readonly unfinished: boolean;
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

/** An answer in the forms that readers need. */
export const captureOf = (stdout: string, stderr = ''): Capture => ({
  lines: readableLines(stdout.replace(/(^|[\s:=])[\d.,]+$/, '$1')),
  unfinished: stdout !== '' && !/\n\s*$/.test(stdout),
  complaints: readableLines(stderr),
  json: once(() => jsonIn(stdout)),
  xml: once(() => xmlIn(stdout)),
});
