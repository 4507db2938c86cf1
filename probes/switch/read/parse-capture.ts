import { findJson, type Json } from './parse-json.ts';
import { isLeftOpen, plainText, readableLines } from './parse-lines.ts';
import { xmlIn, type Tree } from './parse-tree.ts';
import { CUT } from './parse-values.ts';
import type { LagRow, NeighborRow, OpticRow, Parsed, PortRow } from './rows.ts';

/** A captured answer in the forms that readers need; each form is made once, when it is asked for. */
export interface Capture {
  /** Lines of standard output; an answer without a last newline ends with `CUT`. */
  readonly lines: readonly string[];
  /** Those of them that are part of no JSON document: thousands of lines of a document complain about nothing. */
  readonly spoken: readonly string[];
  /** Lines as they were sent; those of a document are looked at only so. */
  readSent(): readonly string[];
  /** Whether it ends within a line. */
  readonly endsOpen: boolean;
  /** Lines of standard error. */
  readonly complaints: readonly string[];
  json(): Json | undefined;
  /** The same where nothing was cut off and nothing stands behind it. */
  wholeJson(): Json | undefined;
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

const makeOnce = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** A word that ends with the answer may be cut; one before a blank is whole. */
const markEnd = (answer: string): string =>
  isLeftOpen(answer) && /\S$/.test(answer) ? answer + CUT : answer;

/** Without what carries no text: the mark that editors put at the start of a file, NULs that some devices pad lines with. */
const dropPrompts = (answer: string): string =>
  /[\0\uFEFF]/.test(answer) ? answer.replaceAll(/[\0\uFEFF]/g, '') : answer;

/** An answer in the forms that readers need. */
export const captureOf = (output: string, stderr = ''): Capture => {
  const stdout = dropPrompts(output);
  const lines = makeOnce(() => readableLines(markEnd(stdout)));
  const json = makeOnce(() => findJson(plainText(stdout)));
  const readSpoken = makeOnce(() => {
    const before = json()?.before;
    return before === undefined ? lines() : readableLines(before);
  });
  return {
    get lines() {
      return lines();
    },
    get spoken() {
      return readSpoken();
    },
    readSent: makeOnce(() => output.split('\n')),
    endsOpen: isLeftOpen(output),
    complaints: readableLines(markEnd(stderr)),
    json: () => json()?.value,
    wholeJson: () => (json()?.before === undefined ? undefined : json()?.value),
    xml: makeOnce(() => xmlIn(plainText(stdout))),
  };
};
