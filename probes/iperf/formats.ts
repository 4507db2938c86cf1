import type { Formats, ParseInput } from '../../src/model/system.ts';
import { looksLikeCsv, parseCsv } from './parse-csv.ts';
import { parseJson, parseJsonStream } from './parse-json.ts';
import { parseText2 } from './parse-text2.ts';
import { parseText3 } from './parse-text3.ts';
import { notIperf, type Result } from './result.ts';

/** Reads whatever iperf 2 or 3 printed: text, CSV, JSON or JSON stream. */
const parseResult = (input: ParseInput): Result => {
  const text = input.stdout.trimStart();
  if (text === '' && (input.stderr ?? '').trim() === '') throw notIperf('nothing on either stream');
  if (/^\{\s*"event"/.test(text)) return parseJsonStream(input);
  if (text.startsWith('{')) return parseJson(input);
  if (looksLikeCsv(text)) return parseCsv(input);
  return isIperf3(text, input.stderr ?? '') ? parseText3(input) : parseText2(input);
};

const isIperf3 = (stdout: string, stderr: string): boolean =>
  /^(?:Connecting to host |Server listening on \d+|Accepted connection from|iperf 3\.|iperf3: |(?:- ){5})/m.test(
    stdout,
  ) ||
  (stdout === '' && /^iperf3: /m.test(stderr));

/** What `faultline parse iperf.result` reads. */
export const iperfFormats: Formats = { 'iperf.result': parseResult };
