import type { RawAnswer } from '../model/answer.ts';
import type { Failure } from '../model/reading.ts';
import type { HostView } from '../model/site.ts';
import type { AskContext, Probe } from '../model/system.ts';
import { decode } from '../text/bytes.ts';
import { internText, makeSafeDeep, type SafeData } from '../text/safe.ts';
import { answerFailure, readFailure, type Asked } from './failures.ts';

/** An answer after reading: a value whose every text can be drawn, or why there is none. */
export type Interpreted =
  { ok: true; value: SafeData; notUnderstood: number } | { ok: false; failure: Failure };

/** Whether the answer can be read, then decoding, the probe's parser, its schema and SafeText, in this order. Never throws. */
export const readAnswer = (
  probe: Probe,
  host: HostView,
  context: AskContext,
  raw: RawAnswer,
  asked: Asked,
): Interpreted => {
  const failure = answerFailure(raw, asked);
  if (failure) return { ok: false, failure };
  try {
    const [stdout, stderr] = [boundLines(decode(raw.stdout)), boundLines(decode(raw.stderr))];
    const answer = { ...raw, stdout: stdout.text, stderr: stderr.text };
    const { value, notUnderstood = 0 } = probe.read(answer, host, context);
    const checked = probe.schema.safeParse(value);
    if (!checked.success) return { ok: false, failure: readFailure(checked.error, asked) };
    return {
      ok: true,
      value: makeSafeDeep(checked.data, internText),
      notUnderstood: notUnderstood + stdout.long + stderr.long,
    };
  } catch (error) {
    return { ok: false, failure: readFailure(error, asked) };
  }
};

/** No tool prints a line of text that long, in characters; an expression that is quadratic is done with one in a second. */
const LONGEST = 65_536;

/** JSON and XML come as one line from some tools; what reads them takes linear time, and their depth is bounded. */
const DOCUMENT = /^\s{0,8}[[{<]/;

/**
 * The text without lines that are too long for any expression; in place of each stands how long it was, since a part of it could be taken
 * for the whole. `long`: how many there were.
 */
export const boundLines = (text: string): { text: string; long: number } => {
  if (text.length <= LONGEST) return { text, long: 0 };
  let long = 0;
  const lines = text.split('\n').map((line) => {
    if (line.length <= LONGEST || DOCUMENT.test(line)) return line;
    long += 1;
    return `(a line of ${line.length} characters was not read)`;
  });
  return long === 0 ? { text, long } : { text: lines.join('\n'), long };
};
