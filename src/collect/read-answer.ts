import type { RawAnswer } from '../model/answer.ts';
import type { Failure } from '../model/reading.ts';
import type { HostView } from '../model/site.ts';
import type { AskContext, Probe } from '../model/system.ts';
import { decode } from '../text/bytes.ts';
import { internText } from '../text/intern.ts';
import { safeDeep } from '../text/safe.ts';
import { answerFailure, readFailure, type Asked } from './failures.ts';

/** An answer after reading: a value whose every text can be drawn, or why there is none. */
export type Interpreted =
  { ok: true; value: unknown; notUnderstood: number } | { ok: false; failure: Failure };

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
    const answer = { ...raw, stdout: decode(raw.stdout), stderr: decode(raw.stderr) };
    const { value, notUnderstood = 0 } = probe.read(answer, host, context);
    const checked = probe.schema.safeParse(value);
    if (!checked.success) return { ok: false, failure: readFailure(checked.error, asked) };
    return { ok: true, value: safeDeep(checked.data, internText), notUnderstood };
  } catch (error) {
    return { ok: false, failure: readFailure(error, asked) };
  }
};
